-- Subscriptions: channels and playlists that an account follows. The row is what is followed, the schedule of
-- its looks and the lease of the one under way, so that nothing beside it can be lost
-- (docs/decisions/0026-following.md).

create table subscription (
  id              text primary key,
  account_id      text not null references account (id) on delete cascade,
  line            text not null,                 -- the source as it was sent: the URL set of every job
  url_set_hash    text not null,
  language        text not null,
  formats         text[] not null,
  backlog         int not null,                  -- videos of before that the first look takes up
  published_after timestamptz,                   -- of those, only these
  cap_micros      bigint not null,               -- per month (UTC)
  state           text not null default 'active',
  title           text,                          -- of the channel; null until it is known
  notice          text,                          -- a sentence for its owner
  created_at      timestamptz not null default now(),
  since           timestamptz not null default now(), -- what was published before is no news: creation or resumption
  known           text[],                        -- videos that the list held; null before the first look
  found_at        timestamptz[] not null default '{}', -- of the latest new videos: how often to look
  last_looked_at  timestamptz,
  next_look_at    timestamptz default now(),     -- while a look is under way, when it counts as lost; null: none
  leased_until    timestamptz,                   -- a look is under way
  look            int not null default 0,        -- its fencing number
  failures        int not null default 0,        -- looks in a row that failed
  missing         int not null default 0,        -- looks in a row that were told there is no such list
  slot            int not null default 0,        -- jobs that it started: the end of their idempotency keys
  constraint subscription_states check (state in ('active', 'paused', 'out_of_money', 'cap_reached', 'gone')),
  constraint subscription_backlog check (backlog between 0 and 500),
  constraint subscription_cap check (cap_micros > 0),
  constraint subscription_looks check ((state in ('paused', 'gone')) = (next_look_at is null)),
  constraint subscription_lease check (next_look_at is not null or leased_until is null)
) with (fillfactor = 80);
create unique index subscription_once on subscription (account_id, url_set_hash);
create index subscription_of_account on subscription (account_id, created_at desc, id desc); -- listSubscriptions
create index subscription_due on subscription (next_look_at) where next_look_at is not null; -- claimLooks
create index subscription_leased on subscription (leased_until, account_id) where leased_until is not null; -- claimLooks

-- Videos that were found and are neither delivered nor given up.
create table subscription_video (
  subscription_id text not null references subscription (id) on delete cascade,
  video_id        text not null,
  number          int not null,                  -- in order of age
  found_at        timestamptz not null,
  due_at          timestamptz not null,          -- when a job is to take it
  young_until     timestamptz not null,          -- until then, missing captions may still come
  tries           int not null default 0,
  job_id          text references job (id),      -- the job that has it; null: it waits
  primary key (subscription_id, video_id)
);

create table subscription_job (
  subscription_id text not null references subscription (id) on delete cascade,
  slot            int not null,
  job_id          text not null references job (id),
  month           text not null,                 -- YYYY-MM in UTC: the month whose cap it counts against
  primary key (subscription_id, slot)
);
create index subscription_job_month on subscription_job (subscription_id, month); -- sumSpent

-- The outbox of mails about subscriptions: each is sent once.
create table subscription_mail (
  id              bigint generated always as identity primary key,
  account_id      text not null references account (id) on delete cascade,
  subscription_id text not null references subscription (id) on delete cascade,
  kind            text not null,
  made_at         timestamptz not null default now(),
  sent_at         timestamptz,
  constraint subscription_mail_kinds check (kind in ('out_of_money', 'gone'))
);
create unique index subscription_mail_money on subscription_mail (account_id) where kind = 'out_of_money'; -- one, however many pause
create unique index subscription_mail_gone on subscription_mail (subscription_id) where kind = 'gone';
create index subscription_mail_due on subscription_mail (id) where sent_at is null; -- takeMail
