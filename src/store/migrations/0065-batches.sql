-- Batches: orders that are larger than a job may be, which a worker runs as one job after another
-- (docs/decisions/0066-batches.md). Their jobs are found by their idempotency keys. Old releases leave batches alone:
-- those wait for a worker of this one.

create table batch (
  id               text primary key,
  account_id       text not null references account (id) on delete cascade,
  connection_id    text,                         -- the app that ordered it, and the cap that its jobs count against
  key_id           text,                         -- likewise the owner's key
  name             text,
  urls             text[] not null,              -- lines; a part takes fifty of them
  url_set_hash     text not null,
  language         text not null,
  formats          text[] not null,
  max_videos       int not null,                 -- of all jobs together
  published_after  text,
  published_before text,
  after_at         timestamptz,
  before_at        timestamptz,
  skips_owned      boolean not null,
  notices          text[] not null,
  state            text not null default 'running',
  notice           text,                         -- why it stopped, or what it left
  created_at       timestamptz not null default now(),
  finished_at      timestamptz,
  part             int not null default 0,       -- the part that its present job takes, from 0
  slot             int not null default 0,       -- the number of that job: the end of its idempotency key
  taken            int not null default 0,       -- videos that its ended jobs took
  failures         int not null default 0,       -- jobs in a row that failed
  due_at           timestamptz default now(),    -- when a worker is to look at it; null: it is at rest
  constraint batch_states check (state in ('running', 'finished', 'stopped')),
  constraint batch_videos check (max_videos > 0 and taken >= 0),
  constraint batch_places check (part >= 0 and slot >= 0 and failures >= 0),
  constraint batch_work check (state <> 'running' or due_at is not null)
) with (fillfactor = 80);
create index batch_of_account on batch (account_id, created_at desc, id desc); -- listBatches, findRunningBatch
create index batch_due on batch (due_at) where due_at is not null;             -- claimBatches
