-- The exchange: the new tables have every row, and take the names. The old ones stay until somebody drops them.
set local lock_timeout = '200ms';

lock table history, ledger_entry in access exclusive mode;
drop trigger history_by_account on history;
drop trigger ledger_entry_by_account on ledger_entry;
drop procedure copy_by_account;
drop function write_by_account;

alter table history rename to history_before;
alter table ledger_entry rename to ledger_entry_before;
alter table history_by_account rename to history;
alter table ledger_entry_by_account rename to ledger_entry;
alter index history_pkey rename to history_before_pkey;
alter index history_by_account_pkey rename to history_pkey;
alter index ledger_entry_pkey rename to ledger_entry_before_pkey;
alter index ledger_entry_reference rename to ledger_entry_before_reference;
alter index ledger_entry_by_account_pkey rename to ledger_entry_pkey;
alter index ledger_entry_by_account_reference rename to ledger_entry_reference;

-- What the rows refer to: of those that come it is checked from here on, of those that are there it is looked through afterwards.
do $$
begin
  for part in 0..15 loop
    execute format('alter table %I add constraint %I foreign key (account_id) references account (id) not valid',
      'history_' || part, 'history_account_id_fkey');
    execute format('alter table %I add constraint %I foreign key (job_id) references job (id) not valid',
      'history_' || part, 'history_job_id_fkey');
    execute format('alter table %I add constraint %I foreign key (account_id) references account (id) not valid',
      'ledger_entry_' || part, 'ledger_entry_account_id_fkey');
  end loop;
end
$$;
