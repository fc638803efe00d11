-- The batch or the subscription that started a job, and for which of its slots: until now a job's key said so.

alter table job
  add column started_by text, -- null: a caller
  add column starter_id text,
  add column start_slot int;
alter table job add constraint job_starters check (num_nulls(started_by, starter_id, start_slot) in (0, 3)
  and started_by in ('batch', 'subscription') and start_slot >= 0) not valid;

-- Processes of 2.0.0 write the key alone while machines are upgraded, and after a way back, and an erasure of theirs
-- takes the key alone away. The next release drops the triggers, together with the keys.
create or replace function start_job_by_key() returns trigger language plpgsql as $$
begin
  new.started_by := case when new.idempotency_key like 'follow:batch%' then 'batch' else 'subscription' end;
  new.starter_id := split_part(new.idempotency_key, ':', 2);
  new.start_slot := split_part(new.idempotency_key, ':', 3);
  return new;
end $$;
create trigger job_started_by_key before insert on job for each row
  when (new.starter_id is null and new.idempotency_key ~ '^follow:(batch|sub)_[^:]+:(0|[1-9][0-9]{0,8})$')
  execute function start_job_by_key();

create or replace function forget_starter() returns trigger language plpgsql as $$
begin
  new.started_by := null;
  new.starter_id := null;
  new.start_slot := null;
  return new;
end $$;
create trigger job_starter_forgotten before update of idempotency_key on job for each row
  when (old.idempotency_key is not null and new.idempotency_key is null and new.starter_id is not null)
  execute function forget_starter();
