-- no transaction
-- A login waits for an app that has no row yet: that comes with the first consent (docs/decisions/0028-apps-by-oauth.md).

alter table device_login drop constraint if exists device_login_client_id_fkey;
drop index concurrently if exists device_login_of_client; -- the cascade
