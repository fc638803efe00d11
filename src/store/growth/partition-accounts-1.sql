-- New tables beside the old ones, in sixteen parts by account, and what keeps them as the old ones are.
set local lock_timeout = '200ms';

create table history_by_account (like history including defaults including constraints including storage,
  constraint history_by_account_pkey primary key (account_id, url_set_hash, video_id)
) partition by hash (account_id);

create table ledger_entry_by_account (like ledger_entry including defaults including constraints including storage,
  constraint ledger_entry_by_account_pkey primary key (account_id, number),
  constraint ledger_entry_by_account_reference unique (account_id, reference)
) partition by hash (account_id);
create index ledger_entry_by_account_of_reference on ledger_entry_by_account (reference);
create index ledger_entry_by_account_of_job on ledger_entry_by_account (job_id) where job_id is not null;
create index ledger_entry_by_account_deposits on ledger_entry_by_account (account_id) include (posted_micros)
  where kind in ('top_up', 'adjust');

do $$
begin
  for part in 0..15 loop
    execute format('create table %I partition of history_by_account for values with (modulus 16, remainder %s)',
      'history_' || part, part);
    execute format('create table %I partition of ledger_entry_by_account for values with (modulus 16, remainder %s)',
      'ledger_entry_' || part, part);
  end loop;
end
$$;

-- A job's reference has its id in it, and a job is of one account. All others are unique over all accounts by this table,
-- since a partitioned one cannot say so.
create table ledger_reference (
  reference text constraint ledger_reference_pkey primary key
);
create function note_ledger_reference() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ledger_reference (reference) values (new.reference);
  else
    delete from ledger_reference where reference = old.reference;
  end if;
  return null;
end
$$;
create trigger ledger_reference_in after insert on ledger_entry_by_account
  for each row when (new.job_id is null) execute function note_ledger_reference();
create trigger ledger_reference_out after delete on ledger_entry_by_account
  for each row when (old.job_id is null) execute function note_ledger_reference();

-- What is written to an old table is written to the new one in the same transaction.
create function write_by_account() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    if tg_table_name = 'history' then
      delete from history_by_account
      where account_id = old.account_id and url_set_hash = old.url_set_hash and video_id = old.video_id;
    else
      delete from ledger_entry_by_account where account_id = old.account_id and number = old.number;
    end if;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    if tg_table_name = 'history' then
      insert into history_by_account select (new).*;
    else
      insert into ledger_entry_by_account select (new).*;
    end if;
  end if;
  return null;
end
$$;
create trigger history_by_account after insert or update or delete on history
  for each row execute function write_by_account();
create trigger ledger_entry_by_account after insert or update or delete on ledger_entry
  for each row execute function write_by_account();

-- Copies what was there before, a thousand rows in each transaction, since whoever changes one of them waits for it; in
-- one where the caller began one, as a restore does, where nobody waits. May be repeated.
create procedure copy_by_account() language plpgsql as $$
declare
  from_account text := '';
  from_set text := '';
  from_video text := '';
  from_number bigint := -1;
  copied int;
  is_alone constant boolean := pg_current_xact_id_if_assigned() is null;
begin
  loop
    with batch as (
      select * from history where (account_id, url_set_hash, video_id) > (from_account, from_set, from_video)
      order by account_id, url_set_hash, video_id limit 1000 for share
    ), written as (
      insert into history_by_account select * from batch on conflict do nothing
    )
    select b.account_id, b.url_set_hash, b.video_id, count(*) over () into from_account, from_set, from_video, copied
    from batch b order by account_id desc, url_set_hash desc, video_id desc limit 1;
    exit when copied is null;
    if is_alone then
      commit;
    end if;
  end loop;
  from_account := '';
  loop
    with batch as (
      select * from ledger_entry where (account_id, number) > (from_account, from_number)
      order by account_id, number limit 1000 for share
    ), written as (
      insert into ledger_entry_by_account select * from batch on conflict do nothing
    )
    select b.account_id, b.number, count(*) over () into from_account, from_number, copied
    from batch b order by account_id desc, number desc limit 1;
    exit when copied is null;
    if is_alone then
      commit;
    end if;
  end loop;
end
$$;
