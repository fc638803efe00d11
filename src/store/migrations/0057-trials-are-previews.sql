-- contract: 0054-jobs-are-their-tasks
-- A visitor's trial is a preview of one video, of no account (docs/decisions/0044-trials.md). Trials of the last day
-- go, and with them the count of them.

alter table preview alter column account_id drop not null; -- null: a visitor's
drop table trial;
