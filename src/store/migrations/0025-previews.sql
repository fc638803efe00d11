-- Previews: what a job would take up, told before it is started (docs/decisions/0025-previews.md). A preview
-- is kept for an hour; its lists' pages are the account's own, so that a job started from it, a corrected
-- line or another attempt asks for none of them again.

create table preview (
  id                    text primary key,
  account_id            text not null references account (id),
  request_hash          text not null,            -- SHA-256: equal requests within the hour are one preview
  url_set_hash          text not null,
  urls                  text[] not null,
  language              text not null,
  formats               text[] not null,
  max_videos            int not null,             -- after the balance cap
  requested_max_videos  int not null,
  published_after       text,
  published_before      text,
  after_at              timestamptz,
  before_at             timestamptz,
  notices               text[] not null,
  state                 text not null default 'listing',
  attempt               int not null default 0,   -- the fencing number of the worker that lists
  findings              jsonb,                    -- Findings as they are; null before an attempt told any
  created_at            timestamptz not null default now(),
  ends_at               timestamptz not null,     -- by then it is told as it is
  expires_at            timestamptz not null,
  counted_at            timestamptz,              -- against which history it was counted; null while listing
  constraint preview_states check (state in ('listing', 'ready')),
  constraint preview_counted check ((state = 'ready') = (counted_at is not null)),
  constraint preview_videos check (max_videos > 0)
);
create unique index preview_request on preview (account_id, request_hash); -- insertPreview
create index preview_expires on preview (expires_at);                      -- sweeping

create unlogged table preview_page (
  account_id  text not null,
  list_key    text not null,                   -- the list as the line names it
  place       bytea not null,                  -- SHA-256 of the cursor; empty for the first page
  asked_at    timestamptz not null default now(),
  body        bytea not null,                  -- a SharedPage: JSON, gzip
  primary key (account_id, list_key, place)
);
alter table preview_page alter column body set storage external; -- compressed already
create index preview_page_asked on preview_page (asked_at);      -- sweeping

alter table job_source
  add column is_previewed boolean not null default false; -- its first pages may be read from preview_page
