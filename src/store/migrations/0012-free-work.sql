-- What work that nobody pays for may cost: how much of it an account had today, where a list that was
-- not read to its end goes on, and what lists said within the hour, so that nobody asks for it again.
-- What can be asked for again is unlogged: a crash empties it, and no backup holds it.

create table free_calls (
  account_id  text not null references account (id),
  day         date not null,                   -- in UTC
  listing     int not null default 0,          -- platform calls for lists, names and dates
  refused     int not null default 0,          -- videos asked for in vain, by the platform's final no
  primary key (account_id, day),
  constraint free_calls_counts check (listing >= 0 and refused >= 0)
);
create index free_calls_day on free_calls (day); -- sweeping

-- What an account ever brought, without reading its charges: the allowance grows with it.
create index ledger_entry_deposits on ledger_entry (account_id) include (posted_micros)
  where kind in ('top_up', 'adjust');

create table list_bookmark (
  account_id    text not null references account (id),
  url_set_hash  text not null,
  line_hash     bytea not null,                -- SHA-256 of the source's line
  after_at      timestamptz,                   -- bounds of the job that left it: others see other videos
  before_at     timestamptz,
  heads         text[] not null,               -- the list's first videos when it was begun
  cursor        text not null,                 -- the first page that was not read
  listed        int not null,                  -- videos before that
  kept_at       timestamptz not null default now(),
  primary key (account_id, url_set_hash, line_hash)
);
create index list_bookmark_kept on list_bookmark (kept_at); -- sweeping

alter table job_source
  add column copy_id uuid,                     -- the list's copy that it reads and adds to
  add column heads text[];                     -- the list's first videos, for a bookmark

create unlogged table list_copy (
  id        uuid primary key,
  list_key  text not null,                     -- channel id and tab, or playlist id: whatever the spelling
  begun_at  timestamptz not null default now()
);
create index list_copy_key on list_copy (list_key, begun_at desc); -- the newest copy of a list
create index list_copy_begun on list_copy (begun_at);              -- sweeping

create unlogged table list_page (
  copy_id   uuid not null references list_copy (id) on delete cascade,
  place     bytea not null,                    -- SHA-256 of the cursor; empty for the first page
  asked_at  timestamptz not null,              -- "5 hours ago" is read against this
  body      bytea not null,                    -- what Platform.listPage answered: JSON, gzip
  primary key (copy_id, place)
);
alter table list_page alter column body set storage external; -- compressed already

create unlogged table channel_name (
  path_hash   bytea primary key,               -- SHA-256 of the path of the channel's page
  channel_id  text,                            -- null: there is no channel
  asked_at    timestamptz not null default now()
);
create index channel_name_asked on channel_name (asked_at); -- sweeping

create unlogged table publish_date (
  account_id    text not null,
  video_id      text not null,
  published_at  text not null,                 -- ISO 8601 as the platform spells it
  asked_at      timestamptz not null default now(),
  primary key (account_id, video_id)
);
create index publish_date_asked on publish_date (asked_at); -- sweeping
