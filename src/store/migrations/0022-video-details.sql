-- What the platform says of a video beside its captions, in replies that are fetched anyway: one line per video,
-- whoever asked for it. It holds nothing of accounts. Null where the platform did not say.

create table video_details (
  video_id          text primary key,
  channel_id        text,
  duration_seconds  int,
  view_count        bigint,
  keywords          text[],
  description       text,                      -- chapters are read from it: src/library/chapters.ts
  category          text,
  learnt_at         timestamptz not null default now()
);
