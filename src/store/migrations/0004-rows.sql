-- One row per video (or failed source) of a job, and the transcripts. A row exists from the moment
-- it is planned and is seen by customers once it has a status; a success and its transcript are one
-- commit. Transcripts are kept as the gzip members that files and archives are made of.

create table video_row (
  job_id         text not null references job (id),
  index          int not null,
  source         int not null,                 -- position of its source
  video_id       text,                         -- null for a source's own row
  title          text,
  url            text,
  channel_name   text,
  published_at   text,                         -- ISO 8601 as the platform spells it
  status         text,                         -- null while planned
  label          text,
  error_message  text,
  language_code  text,
  track_kind     text,
  done           int,                          -- 1, 2, 3 … in order of completion
  finished_at    timestamptz,
  primary key (job_id, index),
  constraint video_row_statuses check (status in ('success', 'no_captions', 'language_not_available', 'private',
    'unavailable', 'blocked_suspect', 'invalid_url', 'failed', 'truncated', 'skipped', 'unchanged')),
  constraint video_row_done check ((status is null) = (done is null) and (status is null) = (label is null)
    and (status is null) = (finished_at is null)),
  constraint video_row_delivered check (status <> 'success'
    or (video_id is not null and language_code is not null and track_kind in ('manual', 'asr'))),
  constraint video_row_index check (index >= 1)
);
create unique index video_row_video on video_row (job_id, video_id) where video_id is not null; -- one row per video
create unique index video_row_completion on video_row (job_id, done) where done is not null;    -- pages while it runs
create index video_row_planned on video_row (job_id, index) where status is null;               -- what is left to fetch

create table transcript (
  job_id       text not null,
  index        int not null,
  text_hash    text not null,                  -- SHA-256 in hex of the wire's text, for receipts
  words        int not null,
  primary key (job_id, index),
  foreign key (job_id, index) references video_row (job_id, index)
);

-- The stored forms of one transcript: txt, srt, vtt and json as files, text as the JSON string of
-- results pages. `gzip` is one member without name or time; size, CRC and hash are the content's.
create table transcript_form (
  job_id    text not null,
  index     int not null,
  form      text not null,
  gzip      bytea not null,
  size_bytes int not null,
  crc32     bigint not null,
  sha256    text not null,                     -- in hex
  primary key (job_id, index, form),
  foreign key (job_id, index) references transcript (job_id, index),
  constraint transcript_form_names check (form in ('txt', 'srt', 'vtt', 'json', 'text')),
  constraint transcript_form_numbers check (size_bytes >= 0 and crc32 between 0 and 4294967295)
);
alter table transcript_form alter column gzip set storage external; -- compressed already
