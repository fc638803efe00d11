-- no transaction
-- What 0028 left for later: while this runs, everybody reads and writes the tables.

alter table api_key validate constraint api_key_kinds;
alter table api_key validate constraint api_key_app;

drop index concurrently if exists api_key_of_grant;
create index concurrently api_key_of_grant on api_key (grant_id)
  where grant_id is not null;                                     -- the cascade

drop index concurrently if exists api_key_of_connection;
create index concurrently api_key_of_connection on api_key (connection_id)
  where connection_id is not null;                                -- listApps

drop index concurrently if exists api_key_app_expiry;
create index concurrently api_key_app_expiry on api_key (expires_at)
  where kind = 'app';                                             -- the sweep

drop index concurrently if exists job_of_connection;
create index concurrently job_of_connection on job (connection_id, created_at)
  where connection_id is not null;                                -- readSpending
