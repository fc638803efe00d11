-- The day from which on the backlog of a subscription is taken, where a day was asked for: it is compared with days by
-- the platform's clock (docs/decisions/0023-the-library.md). Old releases go on by `published_after` alone.

alter table subscription add column if not exists published_after_day text;
