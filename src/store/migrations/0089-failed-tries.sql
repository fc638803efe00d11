-- no transaction
-- The tries of a video that brought no text, whatever URL set they were of: few beside the deliveries. Old releases do
-- without it.

drop index concurrently if exists history_failed;
create index concurrently history_failed on history (account_id, video_id, attempted_at)
  where outcome <> 'delivered';                                   -- readFailedTries
