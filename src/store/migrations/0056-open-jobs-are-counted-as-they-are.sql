-- contract: 0054-jobs-are-their-tasks
-- A start counts open jobs where they are (docs/decisions/0031-admission-without-a-lock.md); nothing is counted beside them.

drop function count_accounts_at_work();
drop table accounts_at_work;
alter table balance drop column open_jobs;
