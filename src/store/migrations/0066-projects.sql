-- Projects: collections of an account's own, of any delivered videos of any of its orders, named, noted and tagged.
-- Old releases neither read nor write them.

create table project (
  id          text primary key,
  account_id  text not null references account (id),
  name        text not null,
  note        text,                            -- null: nothing is noted
  tags        text[] not null default '{}',
  videos      int not null default 0,          -- number of its rows in project_video
  created_at  timestamptz not null default now(),
  changed_at  timestamptz not null default now(),
  constraint project_names check (char_length(name) between 1 and 120),
  constraint project_notes check (char_length(note) between 1 and 2000),
  constraint project_tags check (cardinality(tags) <= 20)
);
create index project_list on project (account_id, changed_at desc, id); -- listProjects

-- The rows that hold the texts of a project. A video stands in it once for each language and kind of captions.
create table project_video (
  account_id     text not null references account (id),
  project_id     text not null references project (id),
  video_id       text not null,
  language_code  text not null,
  track_kind     text not null,
  job_id         text not null,
  index          int not null,
  published_at   timestamptz,                  -- of the video; null: unknown
  primary key (project_id, video_id, language_code, track_kind),
  foreign key (job_id, index) references video_row (job_id, index)
);
create index project_video_order on project_video (project_id, published_at desc nulls last, video_id);
create index project_video_of_row on project_video (job_id, index);     -- its reference, when rows go
create index project_video_of_account on project_video (account_id);    -- its erasure
