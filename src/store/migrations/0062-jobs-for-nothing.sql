-- Jobs that delivered nothing are counted with the account's free work of the day: their rows are kept for ever
-- (docs/decisions/0013-what-free-work-costs.md).

alter table free_calls add column jobs int not null default 0; -- that ended without a transcript; long lines count as more
