-- no transaction
-- Whose key started a job, for the money page and for the monthly cap of a key, and what a key may do
-- (docs/decisions/0037-money-that-one-can-check.md).

alter table job add column if not exists key_id text;            -- null: the website, an app or a followed channel; outlives the key

-- Null: may do everything, and spend the whole balance.
alter table api_key add column if not exists monthly_cap_micros bigint;
alter table api_key drop constraint if exists api_key_app;
alter table api_key add constraint api_key_app check (
  (kind = 'app') = (connection_id is not null) and (kind = 'app') = (grant_id is not null)
  and (kind = 'app') = (audience is not null) and (kind <> 'app' or scopes is not null)
  and (kind <> 'session' or scopes is null)) not valid;
alter table api_key validate constraint api_key_app;
alter table api_key drop constraint if exists api_key_cap;
alter table api_key add constraint api_key_cap
  check (monthly_cap_micros is null or (kind = 'key' and monthly_cap_micros >= 0)) not valid;
alter table api_key validate constraint api_key_cap;

drop index concurrently if exists job_charged;
create index concurrently job_charged on job (account_id, finished_at desc, id desc)
  where finished_at is not null;                                  -- listChargedJobs
drop index concurrently if exists job_of_key;
create index concurrently job_of_key on job (key_id, created_at) where key_id is not null; -- readKeySpending
