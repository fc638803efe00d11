-- Who is at work, counted as jobs start and end, so that admission counts no jobs and takes no lock of all:
-- an account's open jobs beside its balance, whose lock every start and end holds, and the accounts that have
-- any in a few shards. A process of an earlier version counts nothing; workers recount every minute.
-- What is open already is counted in 0043, while nobody is kept from `balance`.
-- formerly: 7162328fedc791f2e7db57fd9327718feb0db0a3f4706c4c58f4934eff9323a5

alter table balance add column open_jobs int not null default 0; -- jobs that are not final

create table accounts_at_work (
  shard     int primary key,                   -- of the account's id; one row each, so that starts seldom meet
  accounts  int not null,                      -- with open jobs
  constraint accounts_at_work_shards check (shard between 0 and 15)
) with (fillfactor = 10);                      -- sixteen rows that change all day: room for their versions
