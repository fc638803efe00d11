-- A start counts the accounts at work in the statement that counts its own (docs/decisions/0031-admission-without-a-lock.md).

-- A statement sees what was committed when it began; each one within such a function, what was when that began.
create or replace function count_accounts_at_work() returns int language plpgsql volatile as $$
begin
  return (select coalesce(sum(accounts), 0)::int from accounts_at_work);
end
$$;
