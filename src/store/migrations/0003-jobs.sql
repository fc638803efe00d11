-- Jobs and their sources. A job is settled exactly when it is final: state, charge and finishing
-- time change in one statement. Counters stand on the job, so that reading progress costs no count.

create table job (
  id                    text primary key,      -- a UUID of version 7, also the id of its queue task
  account_id            text not null references account (id),
  state                 text not null,
  created_at            timestamptz not null,
  finished_at           timestamptz,
  error                 text,
  urls                  text[] not null,       -- split, trimmed, de-duplicated, in the order given
  url_set_hash          text not null,         -- url-set.ts: SHA-256 in hex
  language              text not null,
  formats               text[] not null,
  max_videos            int not null,
  requested_max_videos  int not null,
  published_after       text,                  -- as sent
  published_before      text,
  after_at              timestamptz,           -- the same bounds as instants, both inclusive
  before_at             timestamptz,
  notices               text[] not null,
  idempotency_key       text,
  body_hash             text,                  -- SHA-256 in hex of the canonical body, with a key
  reserved_micros       bigint not null,
  charged_micros        bigint,
  attempt               int not null default 0, -- the fencing number: the hold on it that may write
  is_held               boolean not null default false,
  lost_attempts         int not null default 0, -- attempts that ended without handing back
  started_at            timestamptz,
  is_planned            boolean not null default false, -- listing and planning are over
  plan                  jsonb,                 -- selection.ts: where planning goes on; null before it began
  slots_used            int not null default 0, -- videos taken up so far
  discovered            int not null default 0,
  processed             int not null default 0,
  success               int not null default 0,
  no_captions           int not null default 0,
  language_not_available int not null default 0,
  private               int not null default 0,
  unavailable           int not null default 0,
  blocked_suspect       int not null default 0,
  invalid_url           int not null default 0,
  failed                int not null default 0,
  truncated             int not null default 0,
  skipped               int not null default 0,
  unchanged             int not null default 0,
  constraint job_states check (state in
    ('queued', 'running', 'cancelling', 'finished', 'cancelled', 'failed', 'interrupted')),
  constraint job_settled_when_final check (
    (state in ('finished', 'cancelled', 'failed', 'interrupted')) = (charged_micros is not null)
    and (charged_micros is null) = (finished_at is null)),
  constraint job_charge check (charged_micros = success * 8000::bigint),
  constraint job_reserve check (reserved_micros = max_videos * 8000::bigint),
  constraint job_videos check (max_videos between 1 and 500 and requested_max_videos between max_videos and 500),
  constraint job_idempotency_pair check ((idempotency_key is null) = (body_hash is null)),
  constraint job_slots check (slots_used between 0 and max_videos and success <= slots_used),
  constraint job_counts check (processed = success + no_captions + language_not_available + private
    + unavailable + blocked_suspect + invalid_url + failed + truncated + skipped + unchanged)
) with (fillfactor = 70);                      -- counters change often; leave room to do it in place
create unique index job_idempotency on job (account_id, idempotency_key) where idempotency_key is not null;
create unique index job_open_url_set on job (account_id, url_set_hash)
  where state in ('queued', 'running', 'cancelling');              -- at most one at a time; findOpenTwin
create index job_url_set on job (account_id, url_set_hash);        -- earlier deliveries in another language
create index job_of_account on job (account_id, created_at desc, id desc);  -- listJobs
create index job_open on job (account_id) where state in ('queued', 'running', 'cancelling'); -- admission, rescue
create index job_finished on job (finished_at desc) where finished_at is not null; -- Retry-After of server_busy

create table job_source (
  job_id      text not null references job (id),
  position    int not null,                    -- 1-based, in the order given
  line        text not null,
  state       text not null default 'waiting', -- waiting, listing, listed
  cursor      text,                            -- the next page's, while listing
  listed      int not null default 0,          -- videos seen so far, duplicates included
  primary key (job_id, position),
  constraint job_source_states check (state in ('waiting', 'listing', 'listed'))
);
