-- Looks through what the rows refer to, while everybody works.
do $$
begin
  for part in 0..15 loop
    execute format('alter table %I validate constraint history_account_id_fkey', 'history_' || part);
    execute format('alter table %I validate constraint history_job_id_fkey', 'history_' || part);
    execute format('alter table %I validate constraint ledger_entry_account_id_fkey', 'ledger_entry_' || part);
  end loop;
end
$$;
