/** Upgrades: databases that are older or newer than the program, and migrations while others use the database. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { migrate, readApplied, readMigrations } from '../../src/store/migrate.ts'
import { migrationOf } from '../../src/kit/postgres/migration-file.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { openAccount, wholeJob, videoLine } from '../support/money-fixtures.ts'
import { type Release, RELEASES } from '../support/releases.ts'
import { until } from '../support/until.ts'

const LAST_OF_FIRST = RELEASES[0]?.lastMigration

/** Makes an empty database one of that release. */
async function asOf({ lastMigration }: Release, { pool }: TestDatabase): Promise<void> {
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, async () =>
    (await readMigrations()).filter(({ name }) => name <= lastMigration),
  )
}

for (const release of RELEASES)
  test(`a backup of ${release.version} is restored and brought to the schema of today`, async (t) => {
    const file = path.join(temporaryFolder(t), 'release.backup')
    const [made, from, to] = [await testDatabase(t), await testDatabase(t), await testDatabase(t)]
    await asOf(release, from)
    const accountId = await openAccount(made.db, 80_000n)
    const key = 'follow:sub_1:3'
    await wholeJob(made.db, { accountId, line: videoLine(1), maxVideos: 2, delivered: 1, key })
    await copyRows(made, from, ['account', 'balance', 'ledger_entry', 'job', 'job_source'])
    await copyRows(made, from, ['video_row', 'transcript', 'transcript_form'])
    const summary = await backup(from.pool, file)

    const { rows } = await restore(to.pool, file)
    assert.deepEqual(rows, summary.rows)
    const fresh = await testDatabase(t)
    assert.deepEqual(await columnsOf(to), await columnsOf(fresh))
    assert.deepEqual(await indexesOf(to), await indexesOf(fresh))
    const report = await verifyLedger(to.db)
    assert.deepEqual([report.jobs, report.differences], [1, 0])
    await migrate(to.pool)
    await migrate(from.pool)
    const start = { started_by: 'subscription', starter_id: 'sub_1', start_slot: 3 }
    assert.deepEqual([await startOf(to), await startOf(from)], [start, start])
  })

async function startOf({ pool }: TestDatabase): Promise<unknown> {
  return (await pool.query('select started_by, starter_id, start_slot from job')).rows[0]
}

async function copyRows(from: TestDatabase, to: TestDatabase, tables: string[]): Promise<void> {
  for (const table of tables) {
    const { rows: columns } = await to.pool.query<{ name: string }>(
      `select column_name::text as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    )
    const names = columns.map(({ name }) => name).join(', ')
    const { rows } = await from.pool.query(
      `select to_jsonb(t) as row from (select ${names} from ${table}) t`,
    )
    for (const { row } of rows)
      await to.pool.query(
        `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`,
        [JSON.stringify(row)],
      )
  }
}

/** Returns every column with its type, what it may be and what it is by itself. */
async function columnsOf({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select table_name, column_name, udt_name, is_nullable, column_default, is_identity, generation_expression
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`,
  )
  return rows
}

async function indexesOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where schemaname = 'public' order by indexdef`,
  )
  return rows.map(({ indexdef }) => indexdef)
}

test('a program starts on a newer database, unless a migration says that it took away what the program needs', async (t) => {
  const { pool } = await testDatabase(t)
  const files = await readMigrations()
  const expanding = migrationOf('9001-expand.sql', '-- One more.\ncreate table one_more (id int);')
  const contracting = migrationOf(
    '9002-contract.sql',
    '-- contract: 9001-expand\n-- Nobody needs it.\ndrop table one_more;',
  )
  await migrate(pool, async () => [...files, expanding])
  await migrate(pool)
  await migrate(pool, async () => [...files, expanding, contracting])
  await assert.rejects(
    migrate(pool),
    /too new for this program \(9002-contract\.sql took away what it needs\); start a newer version/,
  )
  await migrate(pool, async () => [...files, expanding])
})

test('what the first release reads names its own migrations, and one for which it refuses the database', async (t) => {
  const { pool } = await testDatabase(t)
  const { rows } = await pool.query<{ name: string }>('select name from migration order by name')
  assert.equal(rows.at(-1)?.name, LAST_OF_FIRST)
  const files = (await readMigrations()).map(({ name }) => name)
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !files.includes(name)),
    ['0014-texts-are-stored-as-words.sql'],
  )
  // A database from between two releases had all migrations in one table.
  await pool.query(`with later as (delete from schema_change returning *)
    insert into migration (name, sha256) select name, sha256 from later`)
  await migrate(pool)
  const again = await pool.query<{ name: string }>('select name from migration order by name')
  assert.deepEqual(again.rows, rows)
  const client = await pool.connect()
  assert.equal((await readApplied(client)).length, (await readMigrations()).length)
  client.release()
})

test('a migration that was mended before a release had it is known as it was', async (t) => {
  const { pool } = await testDatabase(t)
  const before = migrationOf(
    '9001-one.sql',
    'create table one (id int); create index i on one (id);',
  )
  const mended = migrationOf(
    before.name,
    `-- One.\n-- formerly: ${before.sha256}\ncreate table one (id int);`,
  )
  const later = migrationOf('9002-index.sql', 'drop index if exists i; create index i on one (id);')
  const files = await readMigrations()
  await migrate(pool, async () => [...files, before])
  for (let times = 0; times < 2; times += 1)
    await migrate(pool, async () => [...files, mended, later])
  const client = await pool.connect()
  const shas = (await readApplied(client)).slice(-2).map(({ sha256 }) => sha256)
  client.release()
  assert.deepEqual(shas, [mended.sha256, later.sha256])
})

test('a migration that does not get its table at once lets others pass, and tries again', async (t) => {
  const { pool, connect } = await testDatabase(t)
  const files = await readMigrations()
  const change = migrationOf('9001-change.sql', 'alter table account add column nickname text;')
  const holder = await connect()
  await holder.query('begin; select from account')
  let isDone = false
  const migrating = migrate(pool, async () => [...files, change]).then(() => (isDone = true))
  await until('it gave up its turn once', async () => {
    const { rows: locks } = await pool.query(
      `select from pg_stat_activity where query = 'rollback' and datname = current_database()`,
    )
    return locks.length > 0
  })
  await pool.query('select from account') // no lock request is ahead of this one any more
  assert.equal(isDone, false)
  await holder.query('commit')
  await migrating
  await pool.query('select nickname from account')
})

test('indexes are made while many processes start together and others write', async (t) => {
  const { pool, connect } = await testDatabase(t)
  const files = await readMigrations()
  const index = migrationOf(
    '9001-index.sql',
    `-- no transaction\ndrop index concurrently if exists later;\ncreate index concurrently later on account (created_at);`,
  )
  const writer = await connect()
  await writer.query('begin')
  await writer.query(`insert into account (id, email) values ('a', 'a@example.org')`)
  const starts = [1, 2, 3].map(() => migrate(pool, async () => [...files, index]))
  await until('it waits for the writer', async () => {
    const { rows } = await pool.query(`select from pg_stat_progress_create_index`)
    return rows.length > 0
  })
  await writer.query(`insert into account (id, email) values ('b', 'b@example.org')`)
  await writer.query('commit')
  await Promise.all(starts)
  const { rows } = await pool.query(
    `select indisvalid from pg_index where indexrelid = 'later'::regclass`,
  )
  assert.deepEqual(rows, [{ indisvalid: true }])
})
