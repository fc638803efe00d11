/**
 * Brings the database to this code's schema: plain SQL files, applied in order, each once, under a lock, so that
 * processes which start together apply each file once. A newer database is accepted where its migrations say so, since
 * a process of the release before may be started again (docs/decisions/0029-upgrades.md).
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Migration, migrationOf, statementsOf } from '../kit/postgres/migration-file.ts'
import { hasOldTexts, isDatabaseBefore2, TOO_OLD } from './too-old.ts'

/**
 * How long a migration waits for a table while other statements queue behind it; then it lets them pass and tries
 * again.
 */
export const MIGRATION_LOCK_MS = 200
const MIGRATION_RETRY_MS = 500
const MIGRATION_TRIES = 600
/** How often a process checks whether another one's migrations are done. */
const MIGRATION_TURN_MS = 100

const FOLDER = path.join(import.meta.dirname, 'migrations')
/** The key of the advisory lock: any number that every process shares. It also keeps two versions of the code apart. */
export const MIGRATION_LOCK = 7_311_848

export type AppliedMigration = { name: string; sha256: string }

/**
 * Applies the missing migrations. May be repeated, and run by many processes at the same time. Throws one sentence
 * where an applied file has changed since, or where the database is too old or too new for this code. `tell` hears of
 * how many are missing before the first is applied.
 */
export async function migrate(
  pool: pg.Pool,
  read: () => Promise<Migration[]> = readMigrations,
  tell: (missing: number) => void = () => undefined,
): Promise<void> {
  const files = await read()
  const client = await pool.connect()
  try {
    // A migration of a large table takes long; the pool's deadlines are meant for customers' requests.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await waitForTurn(client)
    await applyMissing(client, files, tell)
  } finally {
    await client
      .query('select pg_advisory_unlock_all(); reset statement_timeout; reset lock_timeout')
      .then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
  }
}

/** The migrations that this code knows, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await fs.readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) =>
      migrationOf(name, await fs.readFile(path.join(FOLDER, name), 'utf8')),
    ),
  )
}

/** Returns the migrations that were applied to the database, in order. */
export async function readApplied(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256 from migration where sha256 <> '' union all select name, sha256 from schema_change order by name`,
  )
  return rows
}

/** Polls for the lock: `create index concurrently` would wait for a statement that itself waits for the lock. */
async function waitForTurn(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [MIGRATION_LOCK],
    )
    if (rows[0]?.mine === true) return
    await sleep(MIGRATION_TURN_MS)
  }
}

async function applyMissing(
  client: pg.PoolClient,
  files: Migration[],
  tell: (missing: number) => void,
): Promise<void> {
  const found = await inTransaction(client, () => openBooks(client, files))
  const applied = new Map(found.map((row) => [row.name, row.sha256]))
  const missing = files.filter(({ name }) => !applied.has(name)).length
  if (missing > 0) tell(missing)
  for (const file of files) {
    const before = applied.get(file.name)
    if (before === undefined) await apply(client, file)
    else if (file.formerly.includes(before)) await bookAnew(client, file)
    else if (before !== file.sha256) {
      throw new Error(
        `migration ${file.name} has changed since it was applied; restore the file and add a new one`,
      )
    }
  }
}

/**
 * Makes the two tables that name applied migrations, of which the first is no longer written: it has those of 1.0.0 in
 * databases of its time, and a row without a hash, for which that release refuses the database. Returns what was
 * applied. Throws, and changes nothing, where the database is not for this code.
 */
async function openBooks(client: pg.PoolClient, files: Migration[]): Promise<AppliedMigration[]> {
  await client.query(`
    create table if not exists migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now());
    create table if not exists schema_change (
      name text primary key, sha256 text not null, needs text, applied_at timestamptz not null default now())`)
  const applied = await readApplied(client)
  if ((await isDatabaseBefore2(client, applied)) || (await hasOldTexts(client, applied)))
    throw new Error(TOO_OLD)
  await refuseTooNew(client, files)
  return applied
}

async function refuseTooNew(client: pg.PoolClient, files: Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string; needs: string | null }>(
    `select name, null as needs from migration union all select name, needs from schema_change order by name`,
  )
  const known = new Set(files.map(({ name }) => name))
  const tooNew = rows.filter(
    ({ name, needs }) => !known.has(name) && needs !== null && !known.has(`${needs}.sql`),
  )
  if (tooNew.length === 0) return
  const names = tooNew.map(({ name }) => name).join(', ')
  throw new Error(
    `the database is too new for this program (${names} took away what it needs); start a newer version`,
  )
}

/**
 * Never waits long for a table, since every later statement would queue behind. A migration that does not get its locks
 * in time is undone, lets the others pass and is tried again.
 */
async function apply(client: pg.PoolClient, file: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (file.isTransaction ? applyAtOnce(client, file) : applyOneByOne(client, file))
    } catch (cause) {
      const isBusy = cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE
      if (!isBusy || tries >= MIGRATION_TRIES)
        throw new Error(`while applying migration ${file.name}`, { cause })
      await sleep(MIGRATION_RETRY_MS)
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

async function applyAtOnce(client: pg.PoolClient, file: Migration): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${MIGRATION_LOCK_MS}`)
    await client.query(file.text)
    await book(client, file)
  })
}

/** Works in a transaction: all is done, or nothing. */
async function inTransaction<Result>(
  client: pg.PoolClient,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Applies a migration inside the caller's transaction, for a restore, where no other statement waits. The caller
 * records what was applied.
 */
export async function applyIn(client: pg.ClientBase, file: Migration): Promise<void> {
  const statements = file.isTransaction ? [file.text] : statementsOf(file)
  for (const statement of statements)
    await client.query(file.isTransaction ? statement : statement.replace(/ concurrently\b/gi, ''))
}

/** Runs each statement in its own transaction. A retry begins with the first one again, so each must be repeatable. */
async function applyOneByOne(client: pg.PoolClient, file: Migration): Promise<void> {
  for (const statement of statementsOf(file)) {
    // A concurrent statement waits for transactions, but no other statement queues behind it.
    const waits = /\bconcurrently\b/i.test(statement) ? 0 : MIGRATION_LOCK_MS
    await client.query(`set lock_timeout = ${waits}`)
    await client.query(statement)
  }
  await client.query('set lock_timeout = 0')
  await book(client, file)
}

/** Records a migration as applied. */
async function book(client: pg.ClientBase, { name, sha256, needs }: Migration): Promise<void> {
  const statement = 'insert into schema_change (name, sha256, needs) values ($1, $2, $3)'
  await client.query(statement, [name, sha256, needs])
}

/** Records the present hash of a migration that was applied in an earlier wording. */
async function bookAnew(client: pg.ClientBase, { name, sha256 }: Migration): Promise<void> {
  await client.query('update schema_change set sha256 = $2 where name = $1', [name, sha256])
}
