-- no transaction
-- Webhooks that ask for it are told of subscriptions, too. A subscription changes, so a delivery keeps it as the API
-- showed it when the event happened: every attempt sends the same bytes (docs/decisions/0042-events-of-subscriptions.md).

alter table webhook_delivery add column if not exists subscription json; -- null: of a job, or a test
alter table webhook_delivery
  drop constraint if exists webhook_delivery_types,
  add constraint webhook_delivery_types check (type in ('job.finished', 'job.cancelled', 'job.failed', 'job.interrupted',
    'subscription.found', 'subscription.active', 'subscription.paused', 'subscription.out_of_money', 'subscription.cap_reached',
    'subscription.gone', 'webhook.test')) not valid;
alter table webhook_delivery validate constraint webhook_delivery_types;
alter table webhook_delivery
  drop constraint if exists webhook_delivery_job,
  add constraint webhook_delivery_job check ((type like 'job.%') = (job_id is not null)) not valid;
alter table webhook_delivery validate constraint webhook_delivery_job;
alter table webhook_delivery
  drop constraint if exists webhook_delivery_subscription,
  add constraint webhook_delivery_subscription check ((type like 'subscription.%') = (subscription is not null)) not valid;
alter table webhook_delivery validate constraint webhook_delivery_subscription;
