-- no transaction
-- What the database server says of itself, and what a failover lost (src/store/timelines.ts). Old releases do without.

create table if not exists database_timeline (
  system_id      text not null,
  timeline       int not null,
  seen_at        timestamptz not null default now(),
  began_at       pg_lsn,                           -- null: not known
  told_position  pg_lsn,                           -- the highest that was confirmed before; null: not known
  entries_lost   int not null default 0,           -- those of lost_entry
  is_lossy       boolean generated always as (entries_lost > 0 or coalesce(told_position >= began_at, false)) stored,
  accepted_at    timestamptz,
  accepted_by    text,
  accept_reason  text,
  primary key (system_id, timeline)
);

-- Entries whose commit was told, and which the timeline has not. Their accounts may be lost, too.
create table if not exists lost_entry (
  account_id  text not null,
  number      bigint not null,
  hash        text not null,
  reference   text not null,
  system_id   text not null,
  timeline    int not null,
  primary key (account_id, number, hash),
  foreign key (system_id, timeline) references database_timeline (system_id, timeline)
);
create index if not exists lost_entry_timeline on lost_entry (system_id, timeline); -- listGaps

alter table incident drop constraint if exists incident_kinds;
alter table incident add constraint incident_kinds
  check (kind in ('slow_queue', 'routes_resting', 'platform_changed', 'not_running', 'commits_lost')) not valid;
alter table incident validate constraint incident_kinds;

alter table operator_act drop constraint if exists operator_act_names;
alter table operator_act add constraint operator_act_names
  check (act in ('suspend_account', 'resume_account', 'cancel_job', 'delete_account', 'add_credit', 'grant_operator',
    'revoke_operator', 'enrol_factor', 'prove_factor', 'clear_factor', 'verify_ledger', 'run_doctor',
    'accept_failover')) not valid;
alter table operator_act validate constraint operator_act_names;
alter table operator_act drop constraint if exists operator_act_account;
alter table operator_act add constraint operator_act_account
  check ((account_id is null) = (act in ('verify_ledger', 'run_doctor', 'accept_failover'))) not valid;
alter table operator_act validate constraint operator_act_account;
alter table operator_act drop constraint if exists operator_act_reason;
alter table operator_act add constraint operator_act_reason
  check (reason is not null
    or act not in ('suspend_account', 'cancel_job', 'delete_account', 'add_credit', 'accept_failover')) not valid;
alter table operator_act validate constraint operator_act_reason;
