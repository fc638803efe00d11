-- no transaction
-- The jobs of an account that lost texts, by when they did: few beside those that have theirs. Old releases do without
-- it.

drop index concurrently if exists job_lost_texts;
create index concurrently job_lost_texts on job (account_id, greatest(deleted_texts_at, texts_deleted_at))
  where greatest(deleted_texts_at, texts_deleted_at) is not null; -- reopenPreview, isCountNew
