-- no transaction
-- What started the jobs that were there before 0072, and the index by which the job of a slot is one and is found. As
-- that of keys it has the account: nobody's old key that looks like ours keeps it from being made.

-- Final jobs first: nobody else writes these rows, however long it takes; of open ones there are few.
update job set starter_id = split_part(idempotency_key, ':', 2), start_slot = split_part(idempotency_key, ':', 3)::int,
  started_by = case when idempotency_key like 'follow:batch%' then 'batch' else 'subscription' end
where starter_id is null and idempotency_key ~ '^follow:(batch|sub)_[^:]+:(0|[1-9][0-9]{0,8})$'
  and charged_micros is not null;

update job set starter_id = split_part(idempotency_key, ':', 2), start_slot = split_part(idempotency_key, ':', 3)::int,
  started_by = case when idempotency_key like 'follow:batch%' then 'batch' else 'subscription' end
where starter_id is null and idempotency_key ~ '^follow:(batch|sub)_[^:]+:(0|[1-9][0-9]{0,8})$';

alter table job validate constraint job_starters;

drop index concurrently if exists job_starter;
create unique index concurrently job_starter on job (starter_id, start_slot, account_id)
  where starter_id is not null; -- findStarted, findBatchJob, listBatchJobs
