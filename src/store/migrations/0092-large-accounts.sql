-- no transaction
-- What an account has, counted where a text comes to stay or goes: with the end of its job, under whose lock on the
-- balance ends wait for one another anyway, and with deletions, which are of jobs that ended. Open jobs, which are few,
-- are read. A trigger counts, so that no writer forgets, the release before included.

alter table account add column if not exists texts int not null default 0;       -- of jobs that ended, kept
alter table account add column if not exists text_jobs int not null default 0;   -- of these jobs, those that have any
alter table account add column if not exists lost_texts int not null default 0;  -- delivered by them, and deleted
-- The account's last change: counted up with each, and never behind the clock, so that a server to which some changes
-- were lost does not give their numbers out again.
alter table account add column if not exists texts_change bigint not null default 0;
alter table job add column if not exists texts_change bigint not null default 0; -- its last one; 0: before this file

create or replace function count_texts() returns trigger language plpgsql as $$
declare
  kept int := case when new.texts_deleted_at is null then new.success - new.deleted_texts else 0 end;
  kept_before int := case when old.texts_deleted_at is null then old.success - old.deleted_texts else 0 end;
  is_first boolean := old.finished_at is null;
begin
  update account set texts = texts + kept - case when is_first then 0 else kept_before end,
    text_jobs = text_jobs + (kept > 0)::int - case when is_first then 0 else (kept_before > 0)::int end,
    lost_texts = lost_texts + new.success - kept - case when is_first then 0 else old.success - kept_before end,
    texts_change = greatest(texts_change + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where id = new.account_id returning texts_change into new.texts_change;
  return new;
end $$;
create or replace trigger job_texts_counted before update on job for each row
  when (new.finished_at is not null and new.success > 0 and (old.finished_at is null
    or old.deleted_texts <> new.deleted_texts or (old.texts_deleted_at is null) <> (new.texts_deleted_at is null)))
  execute function count_texts();

-- Jobs that ended before the trigger was there. Both sums are of one moment, and what the trigger adds meanwhile stays.
update account a set texts = a.texts + o.texts, text_jobs = a.text_jobs + o.text_jobs,
  lost_texts = a.lost_texts + o.lost_texts
from (
  select s.id, j.kept - s.texts as texts, j.jobs - s.text_jobs as text_jobs, j.lost - s.lost_texts as lost_texts
  from account s join (
    select account_id, sum(kept)::int as kept, (count(*) filter (where kept > 0))::int as jobs,
      sum(success - kept)::int as lost
    from (select account_id, success,
        case when texts_deleted_at is null then success - deleted_texts else 0 end as kept
      from job where finished_at is not null and success > 0) t group by account_id
  ) j on j.account_id = s.id
) o
where o.id = a.id and (o.texts <> 0 or o.text_jobs <> 0 or o.lost_texts <> 0);

drop index concurrently if exists job_texts_changed;
create index concurrently job_texts_changed on job (account_id, texts_change, id)
  where finished_at is not null;                                  -- listChangedJobs

-- The line: the job of each account that has waited longest, and the few jobs that were claimed or laid aside.
drop index concurrently if exists job_waiting;
create index concurrently job_waiting on job (account_id, waits_since)
  where state in ('queued', 'running', 'cancelling') and not is_held and waits_until is null; -- claimJob, readLine
drop index concurrently if exists job_tried;
create index concurrently job_tried on job (account_id)
  where state in ('queued', 'running', 'cancelling') and attempt > 0;                         -- the same, and listHeld
drop index concurrently if exists job_laid_aside;
create index concurrently job_laid_aside on job (account_id)
  where state in ('queued', 'running', 'cancelling') and waits_until is not null;             -- the same
