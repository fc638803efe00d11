/** What a restore leaves of the schema: each definition as it was, whether the file is good or not. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import * as backups from '../../src/features/backup/backup.ts'
import { REGISTER } from '../../src/store/register.ts'
import { bounded } from '../../src/store/register/entry.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

const OF_TEST = { writers: '', erased: { kept: 'a test' }, grows: bounded('a test') }
const ROWS = `
  insert into z_parent (above, name, micros, list, is_on)
    values (null, 'a', 7, '{a,b}', true), (1, '', -1, '{}', false), (2, null, null, null, null);
  insert into a_child select 1 + n % 3, 'text ' || n from generate_series(1, 2000) n`

/** Tables with each kind of index, key and trigger that a restore may meet, and others of the host's that need them. */
const DEFINED = `
  create table z_parent (id int generated always as identity primary key, above int references z_parent (id),
    name text, micros bigint, list text[], is_on boolean);
  create table a_child (parent int not null references z_parent (id), note text);
  alter table z_parent add column "Key" int, add column other int generated always as identity;
  create unique index "Odd index" on z_parent ("Key") include (name) with (fillfactor = 70);
  create index on z_parent (lower(name) desc nulls last) where is_on;
  create index on z_parent using gin (list);
  alter table z_parent add unique (name) deferrable;
  create unique index z_replica on z_parent (other);
  alter table z_parent replica identity using index z_replica;
  alter table a_child add column "Key" int references z_parent ("Key") on update cascade on delete set null
      deferrable initially deferred,
    add constraint "late one" foreign key (parent) references z_parent (id) match full not valid,
    add check (parent < 1000) not valid;
  create schema theirs; create unique index on z_parent (micros);
  create table theirs.note (micros bigint references z_parent (micros));
  create view theirs.names as select a.id, a.email, count(*) from account a, job where account_id = a.id group by a.id;
  create table seen (what text);
  create function see() returns trigger language plpgsql as $$ begin
    insert into seen select tg_op || ' ' || (select count(*) from pg_constraint where conrelid = tg_relid and contype = 'f')
      || ' ' || (select count(*) from pg_index where indrelid = tg_relid and not indisprimary);
    return new;
  end $$;
  create trigger sees before insert on a_child for each statement execute function see();
  create trigger sleeps before insert on a_child for each row execute function see();
  alter table a_child disable trigger sleeps;
  create index on a_child (note)`

/** Returns what PostgreSQL says of all columns, indexes, constraints and triggers. */
async function definitionsOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ said: string }>(`
    select concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attnotnull, attidentity, attgenerated) as said
      from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
    union all select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisready, indisprimary, indisreplident)
      from pg_index join pg_class c on c.oid = indexrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), conindid::regclass)
      from pg_constraint where connamespace in ('public'::regnamespace, to_regnamespace('theirs'))
    union all select concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
      from pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal
    union all select concat_ws(' ', tgrelid::regclass, tgfoid::regproc, tgtype, tgenabled, tgdeferrable)
      from pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace = 'public'::regnamespace and tgisinternal
    order by said`)
  return rows.map(({ said }) => said)
}

test('a restore loads rows before indexes and foreign keys, and leaves every definition as it was', async (t) => {
  const folder = temporaryFolder(t)
  const [from, to] = [await testDatabase(t), await testDatabase(t)]
  for (const { pool } of [from, to]) await pool.query(DEFINED)
  const register = {
    ...REGISTER,
    z_parent: OF_TEST,
    a_child: OF_TEST,
    seen: { ...OF_TEST, backup: { none: 'a test' } },
  }
  await from.pool.query(ROWS)
  const before = await definitionsOf(to)
  assert.ok(before.length > 1_000)

  const file = path.join(folder, 'good.backup')
  await backups.backup(from.pool, file, { register })
  const loose = [
    ['drop index "Odd index" cascade; update z_parent set "Key" = 1', /damaged.*unique index/],
    [
      `alter table a_child drop constraint "late one", drop constraint a_child_parent_fkey,
        add foreign key ("Key") references z_parent (id);
      update z_parent set "Key" = null; insert into a_child values (9, 'nobody')`,
      /damaged.*foreign key/,
    ],
  ] as const
  for (const [spoil, message] of loose) {
    const bad = path.join(folder, 'bad')
    await from.pool.query(spoil)
    await backups.backup(from.pool, bad, { register })
    await assert.rejects(backups.restore(to.pool, bad, register), message)
    fs.rmSync(bad)
    assert.deepEqual(await definitionsOf(to), before)
    assert.equal((await to.pool.query('select from z_parent')).rowCount, 0)
  }

  await backups.restore(to.pool, file, register)
  assert.deepEqual(await definitionsOf(to), before)
  assert.deepEqual((await to.pool.query('select what from seen')).rows, [{ what: 'INSERT 0 0' }])
  await assert.rejects(to.pool.query(`insert into a_child values (9, 'nobody')`), /foreign key/)
})
