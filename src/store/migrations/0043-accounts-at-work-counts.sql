-- no transaction
-- What 0031 left for later: it counted in the same transaction that had changed `balance`, which kept everybody from
-- their money for as long as that took, a quarter of a minute at ten million accounts. Counting again is always right.

update balance b set open_jobs = o.jobs
from (select account_id, count(*)::int as jobs from job
  where state in ('queued', 'running', 'cancelling') group by account_id) o
where o.account_id = b.account_id and b.open_jobs <> o.jobs;

insert into accounts_at_work (shard, accounts)
select get_byte(sha256(convert_to(account_id, 'UTF8')), 0) % 16, count(distinct account_id)::int from job
where state in ('queued', 'running', 'cancelling') group by 1
on conflict (shard) do update set accounts = excluded.accounts;
