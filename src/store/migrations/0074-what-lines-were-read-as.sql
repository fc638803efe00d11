-- no transaction
-- What each line of an order was read as when it came in, so that it is never read again, and of which body a batch is.
-- Old releases neither read nor write them: what they order is read from its lines.

alter table job_source add column if not exists source jsonb;   -- Source (source.ts); null: of an old release
alter table subscription add column if not exists source jsonb; -- the same
alter table preview add column if not exists sources jsonb;     -- a Source for each line; null: of an old release
alter table batch add column if not exists sources jsonb;       -- the same
alter table batch add column if not exists body_hash text;      -- SHA-256 of the body that ordered it; null: an old release
