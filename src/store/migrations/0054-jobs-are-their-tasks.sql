-- contract: 0054-jobs-are-their-tasks
-- The row of a job is its task in the queue (docs/decisions/0002-the-queue.md): pg-boss and its schema go.

alter table job
  add column waits_since timestamptz not null default now(), -- its place in line: its start, or when it last had a place
  add column heartbeat   int not null default 0,             -- counts up while a worker has it
  add column is_lost     boolean not null default false;     -- the worker that had it fell silent

alter table balance add column served_at timestamptz;        -- when a job of the account last ended

-- Until when a worker lists or reads it, unless it says anew that it does.
alter table preview add column held_until timestamptz;
alter table trial add column held_until timestamptz;

drop schema if exists pgboss cascade;
