-- Webhooks: addresses that are told of an account's final jobs, and what was sent to them. A delivery is
-- written by the statement that makes its job final; the same row is outbox, queue and log, so there is no
-- task that could be lost beside it (docs/decisions/0018-webhooks.md).

create table webhook (
  id               text primary key,
  account_id       text not null references account (id),
  kind             text not null default 'http',  -- mail: to the account's own address, at most one
  url              text,                          -- null for a mail
  events           text[] not null,
  secret           text,                          -- sealed; null for a mail
  old_secret       text,                          -- sealed; signs too until old_secret_until
  old_secret_until timestamptz,
  created_at       timestamptz not null default now(),
  failing_since    timestamptz,                   -- the first failure after the last success
  disabled_at      timestamptz,                   -- null: active
  disabled_because text,
  is_notice_due    boolean not null default false, -- its owner is to be told by mail that it was disabled
  constraint webhook_kinds check (kind in ('http', 'mail')),
  constraint webhook_target check ((kind = 'http') = (url is not null) and (kind = 'http') = (secret is not null)),
  constraint webhook_old_secret check ((old_secret is null) = (old_secret_until is null)),
  constraint webhook_reasons check (disabled_because in ('asked', 'gone', 'failing', 'secret_lost')),
  constraint webhook_disabled check ((disabled_at is null) = (disabled_because is null)),
  constraint webhook_events check (cardinality(events) > 0)
);
create index webhook_of_account on webhook (account_id, created_at, id);              -- setFinal, listWebhooks
create unique index webhook_one_mail on webhook (account_id) where kind = 'mail';
create index webhook_notice on webhook (id) where is_notice_due;                      -- takeNotice

create table webhook_delivery (
  id               text primary key,              -- also the header webhook-id: the same for every attempt
  webhook_id       text not null references webhook (id) on delete cascade,
  job_id           text references job (id),      -- null for a test
  type             text not null,
  state            text not null default 'pending',
  created_at       timestamptz not null default now(),
  due_at           timestamptz,                   -- of the next attempt; while one is under way, when it counts as lost
  leased_until     timestamptz,                   -- an attempt is under way
  attempts         int not null default 0,        -- the fencing number of the one under way
  attempts_before  int not null default 0,        -- of earlier rounds: a replay begins the schedule anew
  constraint webhook_delivery_types check
    (type in ('job.finished', 'job.cancelled', 'job.failed', 'job.interrupted', 'webhook.test')),
  constraint webhook_delivery_states check (state in ('pending', 'delivered', 'failed')),
  constraint webhook_delivery_job check ((type = 'webhook.test') = (job_id is null)),
  constraint webhook_delivery_due check ((state = 'pending') = (due_at is not null)),
  constraint webhook_delivery_lease check (state = 'pending' or leased_until is null)
) with (fillfactor = 80);
create unique index webhook_delivery_job on webhook_delivery (webhook_id, job_id) where job_id is not null;
create index webhook_delivery_due on webhook_delivery (webhook_id, due_at) where state = 'pending'; -- findDue, claim
create index webhook_delivery_log on webhook_delivery (webhook_id, created_at desc, id desc);        -- listDeliveries
create index webhook_delivery_age on webhook_delivery (created_at);                                  -- the sweep

create table webhook_attempt (
  delivery_id  text not null references webhook_delivery (id) on delete cascade,
  number       int not null,
  started_at   timestamptz not null,
  duration_ms  int not null,
  url          text not null,
  outcome      text not null,
  status       int,                               -- of the reply; null where there was none
  error        text,                              -- a sentence where there was none
  reply        text,                              -- how it began
  primary key (delivery_id, number),
  constraint webhook_attempt_outcomes check (outcome in ('delivered', 'gone', 'refused', 'unreachable', 'forbidden', 'timed_out'))
);
