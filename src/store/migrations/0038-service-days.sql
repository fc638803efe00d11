-- no transaction
-- What the public status page shows, a row for each day and one for each incident, and the checks of 0037.

alter table operator_act validate constraint operator_act_names;
alter table operator_act validate constraint operator_act_reason;
alter table operator_act validate constraint operator_act_account;

drop index concurrently if exists operator_act_of_checks;
create index concurrently operator_act_of_checks on operator_act (act, id) where account_id is null; -- findLatestCheck

-- Jobs that became final on a day (UTC), of all accounts together; counted again while the day lasts.
create table if not exists service_day (
  day          date primary key,
  delivered    bigint not null,
  blocked      bigint not null,                 -- rows that say blocked_suspect
  failed       bigint not null,                 -- rows that say failed
  answered     bigint not null,                 -- rows that say what the platform said: no captions, private and so on
  wait_ms      bigint,                          -- median from order to start; null where no job started
  video_ms     bigint,                          -- median time of a job for each of its rows; null where there is none
  recorded_at  timestamptz not null default now()
);

-- When something was wrong for everybody. An open one is seen again and again by whoever meets it.
create table if not exists incident (
  id        bigint generated always as identity primary key,
  kind      text not null,
  began_at  timestamptz not null default now(),
  seen_at   timestamptz not null default now(),
  ended_at  timestamptz,
  constraint incident_kinds check (kind in ('slow_queue', 'routes_resting', 'platform_changed', 'not_running'))
);

drop index concurrently if exists incident_open;
create unique index concurrently incident_open on incident (kind) where ended_at is null; -- reportIncidents
