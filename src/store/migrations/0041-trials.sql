-- Trials: the first minutes of a video, read for visitors without an account (docs/decisions/0044-trials.md). A
-- row holds nothing of the visitor. It is the answer for whoever asks for the video again, and as long as it is
-- kept it counts against the bounds of the hour and the day: the table is its own tally, so it is logged.

create table trial (
  id          text primary key,
  video_id    text not null,
  attempt     int not null default 0,             -- the fencing number of the worker that reads
  finding     jsonb,                              -- a TrialFinding; null before there is one
  asked_at    timestamptz not null default now(),
  ends_at     timestamptz not null,               -- by then it is told as it is
  good_until  timestamptz not null,               -- whoever asks for the video before gets this answer
  expires_at  timestamptz not null
);
create index trial_of_video on trial (video_id, good_until); -- findTrialOf
create index trial_expires on trial (expires_at);            -- sweeping
