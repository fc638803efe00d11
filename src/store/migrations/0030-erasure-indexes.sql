-- no transaction
-- What 0029 left for later: while this runs, everybody reads and writes the tables.

alter table operator_act validate constraint operator_act_names;

drop index concurrently if exists account_unerased;
create index concurrently account_unerased on account (deleted_at)
  where deleted_at is not null and erased_at is null;             -- listUnerased

drop index concurrently if exists job_texts_kept;
create index concurrently job_texts_kept on job (finished_at)
  where finished_at is not null and texts_deleted_at is null;     -- deleteOldTexts

drop index concurrently if exists collection_video_of_row;
create index concurrently collection_video_of_row on collection_video (job_id, index); -- its reference, when rows go
