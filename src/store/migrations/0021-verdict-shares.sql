-- How often the platform gave each verdict in the last days, so that the drift watch knows what is usual after
-- a restart, and in a new process. Every worker adds what it saw, rarely; nothing here belongs to an account.

create table verdict_share (
  day      date not null,                      -- in UTC; older days are swept
  part     text not null,                      -- what the answers are of: 'captions client VISIONOS'
  verdict  text not null,                      -- '' counts all answers of the part
  answers  bigint not null,
  primary key (day, part, verdict),
  constraint verdict_share_answers check (answers >= 0)
);
