-- The library: what an account has of each channel and playlist, whichever jobs brought it. Both tables are
-- written by the statement that writes the row they follow from, so that they never disagree with it: counting
-- 100,000 rows whenever somebody looks would take longer than they wait (docs/decisions/0023-the-library.md).

create table collection (
  account_id   text not null references account (id),
  id           text not null,                  -- the platform's: of the channel, or of the playlist
  kind         text not null,
  title        text,                           -- the channel's name, or the playlist's title
  is_ordered   boolean not null default false, -- the account named it, or a video of it; else a list led there
  video_count  int,                            -- as its list says itself; null: nobody looked at all of it
  looked_at    timestamptz,                    -- when its list was read last
  order_job_id text references job (id),       -- by whose URLs it goes on: those that brought most; null: no list's
  changed_at   timestamptz not null default now(),
  videos       int not null default 0,         -- videos of it that the account knows
  delivered    int not null default 0,         -- those whose text it has
  deliveries   int not null default 0,         -- texts of them that it paid for: more, where URL sets overlap
  no_captions  int not null default 0,
  failed       int not null default 0,         -- attempted, and neither of these
  languages    text[] not null default '{}',
  newest_at    timestamptz,                    -- publish dates of what was attempted
  oldest_at    timestamptz,
  primary key (account_id, id),
  constraint collection_kinds check (kind in ('channel', 'playlist'))
) with (fillfactor = 70); -- counters change often; no CHECK on them: what is proposed for them are differences
create index collection_list on collection (account_id, changed_at desc, id) where is_ordered; -- listCollections

-- The videos of a collection, and the row that says what became of each: of several the one with its text, the
-- latest first. Without a foreign key to the collection, which would be locked and unlocked for each row.
create table collection_video (
  account_id     text not null references account (id),
  collection_id  text not null,
  video_id       text not null,
  status         text,                         -- of the row, if captions were attempted; null: not yet
  status_before  text,                         -- before the last change, for the statement that counts it
  job_id         text not null,
  index          int not null,
  published_at   timestamptz,
  primary key (account_id, collection_id, video_id),
  foreign key (job_id, index) references video_row (job_id, index),
  constraint collection_video_statuses check (status in ('success', 'no_captions', 'language_not_available',
    'private', 'unavailable', 'blocked_suspect', 'failed'))
);
create index collection_video_order on collection_video (account_id, collection_id, published_at desc nulls last, video_id);
create index collection_video_of_video on collection_video (account_id, video_id); -- wherever else a video stands

alter table job_source add column collection_id text; -- which collection its list is; null: a video, or not read yet
