-- no transaction
-- What a line names, and by which name a channel was ordered, so that an order finds by an index what it asks for
-- again. Old releases neither read nor write either: what they order is found by its id.

alter table job_source add column if not exists subject text;    -- subjectOf; null: ordered before there was the column
alter table collection add column if not exists order_name text; -- a channel's page, in lower case; null: not by a name

update collection c set order_name = '/' || lower(substring(s.line from '@[^][/?#&<>()"''[:space:]]+'))
from job_source s where s.job_id = c.order_job_id and s.collection_id = c.id and c.kind = 'channel'
  and c.order_name is null and s.line ~ '@[^][/?#&<>()"''[:space:]]';

drop index concurrently if exists collection_order_name;
create index concurrently collection_order_name on collection (account_id, order_name)
  where order_name is not null;                                  -- findReadCollections
