/** Upgrades: databases that are older or newer than the program, and migrations while others use the database. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { BackupError } from '../../src/features/backup/format.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { migrate, readApplied, readMigrations } from '../../src/store/migrate.ts'
import { migrationOf } from '../../src/kit/postgres/migration-file.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { openAccount, wholeJob, videoLine } from '../support/money-fixtures.ts'
import { type Release, RELEASES } from '../support/releases.ts'
import { until } from '../support/until.ts'

const LAST = RELEASES.at(-1)!
/** The release before all that can be brought forward, which had one table of applied migrations. */
const FIRST: Release = { version: '1.0.0', lastMigration: '0015-brakes.sql' }
const ONE_TABLE = `with moved as (delete from schema_change returning *)
  insert into migration (name, sha256, applied_at) select name, sha256, applied_at from moved`

/** Makes an empty database one of that release. */
async function asOf({ lastMigration }: Release, { pool }: TestDatabase): Promise<void> {
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, async () =>
    (await readMigrations()).filter(({ name }) => name <= lastMigration),
  )
}

/** Makes a database of that release, in which a job delivered one text. */
async function filledAsOf(release: Release, t: TestContext): Promise<TestDatabase> {
  const [made, from] = [await testDatabase(t), await testDatabase(t)]
  await asOf(release, from)
  const accountId = await openAccount(made.db, 80_000n)
  const key = 'follow:sub_1:3'
  await wholeJob(made.db, { accountId, line: videoLine(1), maxVideos: 2, delivered: 1, key })
  await copyRows(made, from, ['account', 'balance', 'ledger_entry', 'job', 'job_source'])
  await copyRows(made, from, ['video_row', 'transcript'])
  return from
}

for (const release of RELEASES)
  test(`a backup of ${release.version} is restored and brought to the schema of today`, async (t) => {
    const file = path.join(temporaryFolder(t), 'release.backup')
    const [from, to] = [await filledAsOf(release, t), await testDatabase(t)]
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

const REFUSED =
  /a release before 2\.0\.0 wrote this.*: start release 2\.0\.0 first .*, wait until .*transcript_form empty.*; texts that cannot be read .* delete their rows/

/** Asserts that neither the database nor a backup of it is brought forward, and that both targets stay as they are. */
async function assertRefused(t: TestContext, from: TestDatabase): Promise<void> {
  const file = path.join(temporaryFolder(t), 'old.backup')
  await backup(from.pool, file)
  const to = await testDatabase(t)
  const before = [await schemaOf(from), await schemaOf(to)]
  await assert.rejects(migrate(from.pool), REFUSED)
  await assert.rejects(restore(to.pool, file), (error) => {
    return (
      error instanceof BackupError && error.message.startsWith(file) && REFUSED.test(error.message)
    )
  })
  assert.deepEqual([await schemaOf(from), await schemaOf(to)], before)
  assert.equal((await to.pool.query('select from job')).rowCount, 0)
}

test('a database of the release before 2.0.0 is refused unchanged, and so is a backup of it', async (t) => {
  const from = await filledAsOf(FIRST, t)
  await from.pool.query(ONE_TABLE)
  await assertRefused(t, from)
  await from.pool.query('drop table schema_change')
  const before = await schemaOf(from)
  await assert.rejects(migrate(from.pool), REFUSED)
  assert.deepEqual(await schemaOf(from), before)
})

test('a first start goes on where it was interrupted', async (t) => {
  const files = await readMigrations()
  for (const count of [1, 30, files.length - 1]) {
    const begun = await testDatabase(t)
    await begun.pool.query('drop schema public cascade; create schema public')
    await migrate(begun.pool, async () => files.slice(0, count))
    await migrate(begun.pool)
    assert.deepEqual(await schemaOf(begun), await schemaOf(await testDatabase(t)))
  }
})

test('the table that 1.0.0 reads names one migration, for which that release refuses the database', async (t) => {
  const { pool } = await testDatabase(t)
  const { rows } = await pool.query('select name, sha256 from migration')
  assert.deepEqual(rows, [{ name: '0014-texts-are-stored-as-words.sql', sha256: '' }])
})

test('a database of 2.0.0 with a text of 1.0.0 is refused unchanged, and so is a backup of it, until the text is gone', async (t) => {
  const from = await filledAsOf(LAST, t)
  await from.pool
    .query(`insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
    select job_id, index, 'json', '', 0, 0, '' from transcript`)
  await assertRefused(t, from)
  await from.pool.query('delete from transcript_form')
  await migrate(from.pool)
  assert.deepEqual(await schemaOf(from), await schemaOf(await testDatabase(t)))
  await assert.rejects(
    from.pool
      .query(`insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
    select job_id, index, 'json', '', 0, 0, '' from transcript`),
    /transcript_form_empty/,
  )
})

/** Returns what the schema is, and which migrations the database says that it has. */
async function schemaOf(database: TestDatabase): Promise<unknown[]> {
  const columns = await columnsOf(database)
  const { rows } = await database.pool.query(
    `select conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace order by conname, 2`,
  )
  return [columns, rows, await indexesOf(database)]
}

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
