-- The operator's brakes: accounts that are suspended, what an operator did and why, and what each
-- account costs.

-- Null: not suspended. Every request of a key asks for it, so it stands on the account itself.
alter table account add column suspended_at timestamptz;
create index account_suspended on account (id) where suspended_at is not null; -- admin account list, the metric

-- What an operator did to an account or a job. Append-only: it tells who stopped whom, and why.
create table operator_act (
  id          bigint generated always as identity primary key,
  act         text not null,
  account_id  text not null references account (id),
  job_id      text references job (id),          -- with cancel_job
  actor       text not null,                     -- who did it, as the command names them
  reason      text,                              -- resume_account may go without
  done_at     timestamptz not null default now(),
  constraint operator_act_names check (act in ('suspend_account', 'resume_account', 'cancel_job')),
  constraint operator_act_job check ((act = 'cancel_job') = (job_id is not null)),
  constraint operator_act_reason check (act = 'resume_account' or reason is not null)
);
create index operator_act_of_account on operator_act (account_id, id);        -- listActs
create index operator_act_of_job on operator_act (job_id) where job_id is not null; -- listActs

-- What an account made the service do on a day (UTC). Workers add to it every few seconds, never for
-- each video; what was not added yet is lost with a worker that crashes.
create table account_usage (
  account_id      text not null references account (id),
  day             date not null,
  calls           bigint not null default 0,     -- requests to the platform
  received_bytes  bigint not null default 0,     -- from the platform, compressed
  cpu_ms          bigint not null default 0,     -- its part of the workers' CPU time
  stored_bytes    bigint not null default 0,     -- of transcripts, compressed
  primary key (account_id, day)
);
create index account_usage_of_day on account_usage (day);                     -- admin usage, the metric
