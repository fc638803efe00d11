-- How often the platform gave each verdict in each of the last hours, which the console draws. Workers add to it
-- what they add to verdict_share, whose days are too long to see when something began.

create table verdict_hour (
  hour     timestamptz not null,               -- its beginning, in UTC; older hours than a day are swept
  part     text not null,                      -- as in verdict_share
  verdict  text not null,
  answers  bigint not null,
  primary key (hour, part, verdict),
  constraint verdict_hour_answers check (answers >= 0)
);
