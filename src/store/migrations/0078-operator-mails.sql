-- Which alerts operators were mailed, each once a day, and what the canary found when it last asked the platform.

create table operator_mail (
  cause text not null,      -- an alert's name
  day   date not null,      -- UTC; swept after some days
  primary key (cause, day)
);

create table canary (
  id            int primary key check (id = 1),  -- there is one row
  run           bigint not null,                 -- counts runs; the end of an earlier one changes nothing
  leased_until  timestamptz,                     -- until when a worker has the run; null: none has one
  every_seconds double precision not null,
  verdict       text check (verdict in ('healthy', 'degraded', 'down', 'not_asked')),  -- null before the first end
  since         timestamptz,                     -- when the verdict was first this one
  checked_at    timestamptz,
  failing       jsonb not null default '[]',     -- [{ name, sentence }]
  detail        text                             -- null where there is nothing more to say
);
