/** No migration keeps people out of a large table; the rules find what would. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RELEASES } from '../../test/support/releases.ts'
import { readMigrations } from '../../src/store/migrate.ts'
import { type Migration, migrationOf } from '../../src/kit/postgres/migration-file.ts'
import { findLongLocks, tablesMadeBy } from './migration-locks.ts'

/** The migrations since each release that can be upgraded from, up to the next one. */
async function migrationsByRelease(): Promise<Migration[][]> {
  const files = await readMigrations()
  const ends = RELEASES.map(({ lastMigration }) => lastMigration)
  return ends.map((after, at) => {
    const upTo = ends[at + 1]
    return files.filter(({ name }) => name > after && (upTo === undefined || name <= upTo))
  })
}

test('no migration holds a lock that keeps people out of a large table', async () => {
  const releases = await migrationsByRelease()
  assert.ok(releases.flat().length > 0)
  for (const files of releases) {
    const unreleased = await tablesMadeBy(files)
    for (const file of files) assert.deepEqual(await findLongLocks(file, unreleased), [], file.name)
  }
})

test('what a migration takes away, the last release does without', async () => {
  const [last = ''] = RELEASES.map(({ lastMigration }) => lastMigration).slice(-1)
  const since = (await migrationsByRelease()).at(-1) ?? []
  for (const { name, needs } of since)
    assert.ok(
      needs === null || `${needs}.sql` <= last,
      `${name}: the last release does not know ${needs}`,
    )
})

const BAD: Record<string, string> = {
  'create index i on job (state)': 'concurrently',
  'create index concurrently i on job (state)': 'no transaction',
  'drop index job_open': 'concurrently',
  'alter table job alter column state type varchar': 'whole table anew',
  'alter table job alter column error set not null': 'not valid',
  'alter table job add constraint c check (processed > 0)': 'not valid',
  'alter table job add constraint f foreign key (account_id) references account (id)': 'not valid',
  'alter table job add constraint u unique (id, state)': 'using index',
  'alter table job add column x uuid default gen_random_uuid()': 'written anew',
  'alter table job add column x int generated always as identity': 'written anew',
  'alter table job add column x int generated always as (processed + 1) stored': 'written anew',
  'alter table job add column x int check (x > 0)': 'not valid',
  'alter table job drop column error': 'contract',
  'alter table job rename column error to fault': 'contract',
  'drop table history': 'contract',
  'update job set error = null': 'batches',
  'alter table job add column x int; update job set x = 1 where id = $$a$$': 'later file',
  'alter table job add column x int; create table t (id int); insert into t select 1 from job':
    'later file',
  'alter table job add constraint c check (processed > 0) not valid; alter table job validate constraint c':
    'later file',
  'truncate history': 'keeps everybody out',
  'lock table job': 'keeps everybody out',
}

test('each statement that would is named, and says what to do instead', async () => {
  for (const [text, says] of Object.entries(BAD)) {
    const faults = await findLongLocks(migrationOf('9001.sql', `${text};`))
    assert.equal(faults.length, 1, text)
    assert.ok(faults[0]?.includes(says), `${text}: ${faults[0]}`)
  }
})

test('a table that was never released may be dropped, and no other with it', async () => {
  const unreleased = await tablesMadeBy([migrationOf('9000.sql', 'create table young (id int);')])
  const faultsOf = (text: string): Promise<string[]> =>
    findLongLocks(migrationOf('9001.sql', text), unreleased)
  assert.deepEqual(await faultsOf('drop table young;'), [])
  assert.match(String(await faultsOf('drop table young, history;')), /contract/)
  assert.match(String(await faultsOf('alter table young drop column id;')), /contract/)
})

test('what is quick at any size passes, and so does what a contract takes away', async () => {
  for (const text of [
    'alter table job add column x timestamptz, add column y int not null default 0',
    'alter table job add column x timestamptz not null default now()',
    'alter table job add constraint c check (processed > 0) not valid',
    'alter table job validate constraint job_counts',
    'create table t (id int primary key references job (id)); create index i on t (id)',
    'alter table job add column x int; create table t (id int); insert into t values (1)',
    'update job set error = null where id = $$a$$; alter table job add column x int',
    '-- no transaction\ncreate index concurrently i on job (state)',
    '-- contract: 9000-other\nalter table job drop column error',
  ])
    assert.deepEqual(await findLongLocks(migrationOf('9001.sql', `${text};`)), [], text)
})
