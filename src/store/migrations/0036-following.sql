-- no transaction
-- How often an owner has a subscription looked at.

alter table subscription add column if not exists every_hours int; -- null: as often as its source publishes
alter table subscription
  drop constraint if exists subscription_every,
  add constraint subscription_every check (every_hours between 1 and 168) not valid;
alter table subscription validate constraint subscription_every;
