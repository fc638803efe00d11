/**
 * How long people wait while the migrations since 1.0.0 are applied to a filled database. The schema of 1.0.0 gets
 * as many rows in each table that a migration has touched; then each migration is applied by itself, while one
 * session reads every table and another one writes to it.
 *
 *     longest wait    for a lock, of either session, as PostgreSQL says: `pg_locks.waitstart`, asked every few ms;
 *                     the shortest of three rounds, each on a copy of the same filled database
 *     at 10^7 rows    the same if it goes on growing as it did between two sizes; the goal is 200 ms
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { migrate, readMigrations, MIGRATION_LOCK_MS } from '../src/store/migrate.ts'
import { testDatabase, type TestScope } from '../test/support/database.ts'
import type { BenchOptions } from './bench.ts'
import { closing } from './stage/closing.ts'
import { longestWait, readPid } from './stage/lock-waits.ts'
import { table, verdict } from './table.ts'

type MigrationWaits = { name: string; ms: number; waitMs: number }

/** `statements` are those of both sessions; 0 would say that nobody was at work. */
type Busy = { waits: MigrationWaits[]; statements: number }

type MigrationsResult = {
  rows: number
  waits: (MigrationWaits & { waitMsOfFew: number; waitMsOfTenMillion: number })[]
  statements: number
}

export const LAST_OF_FIRST_RELEASE = '0015-brakes.sql'
const FEW = 10
const ROUNDS = 3
const TEN_MILLION = 10_000_000
/** Differences below this, in milliseconds, are the cost of asking, or the scheduler's turns. */
const NOISE_MS = 20
/**
 * Factor that shows a dependence on rows. Ten times as many rows cost ten times as long; chance on a busy machine makes
 * it four.
 */
const GROWN = 6

export async function run({ smoke, long }: BenchOptions): Promise<MigrationsResult> {
  const rows = smoke ? 1_000 : long ? 1_000_000 : 100_000
  const few = await closing((scope) => measure(rows / FEW, scope))
  const many = await closing((scope) => measure(rows, scope))
  const waits = many.waits.map((one, at) => {
    const waitMsOfFew = few.waits[at]?.waitMs ?? 0
    return { ...one, waitMsOfFew, waitMsOfTenMillion: extend(one.waitMs, waitMsOfFew, rows) }
  })
  const worst = Math.max(...waits.map(({ waitMsOfTenMillion }) => waitMsOfTenMillion))
  console.log(
    table([
      ['migration', 'takes ms', `longest wait, ${rows / FEW} rows`, `${rows} rows`, 'at 10^7 rows'],
      ...waits.map(({ name, ms, waitMs, waitMsOfFew, waitMsOfTenMillion }) =>
        [name, ms, waitMsOfFew, waitMs, waitMsOfTenMillion].map((cell) =>
          typeof cell === 'number' ? cell.toFixed(0) : cell,
        ),
      ),
    ]),
  )
  console.log(
    `nobody waits longer than ${MIGRATION_LOCK_MS} ms at 10^7 rows, extended from two sizes: ` +
      `${worst.toFixed(0)} ms, ${verdict(worst <= MIGRATION_LOCK_MS)}`,
  )
  return { rows, waits, statements: few.statements + many.statements }
}

function extend(waitMs: number, waitMsOfFew: number, rows: number): number {
  const grown = waitMs - waitMsOfFew
  if (grown < NOISE_MS || waitMs < GROWN * waitMsOfFew) return waitMs
  return waitMs + (grown * (TEN_MILLION - rows)) / (rows - rows / FEW)
}

/**
 * Measures on several copies of a filled database and takes the least of each: the cost of rows is in every copy,
 * chance is not.
 */
async function measure(rows: number, scope: TestScope): Promise<Busy> {
  const { url, close, pool, connect } = await testDatabase(scope)
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, upTo(LAST_OF_FIRST_RELEASE))
  const client = await connect()
  for (const statement of FILLING) await client.query(statement.replaceAll(':rows', String(rows)))
  await client.query('analyze')
  await Promise.all([client.end(), close()]) // only a database without connections can be copied
  const rounds: Busy[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await onCopy(url, migrateBusy))
  return rounds.reduce((best, { waits, statements }) => ({
    waits: best.waits.map((one, at) => leastOf(one, waits[at] ?? one)),
    statements: best.statements + statements,
  }))
}

function leastOf(one: MigrationWaits, other: MigrationWaits): MigrationWaits {
  const [ms, waitMs] = [Math.min(one.ms, other.ms), Math.min(one.waitMs, other.waitMs)]
  return { name: one.name, ms, waitMs }
}

async function onCopy<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const [here, there] = [new URL(url), new URL(url)]
  const name = here.pathname.slice(1)
  there.pathname = `/${name}_copy`
  here.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: here.href }).on('error', () => undefined)
  await admin.connect()
  try {
    await admin.query(`create database ${name}_copy template ${name} strategy file_copy`)
    return await work(there.href)
  } finally {
    await admin.query(`drop database if exists ${name}_copy with (force)`)
    await admin.end()
  }
}

/** Applies each migration since 1.0.0 by itself, while one session reads every table and another one writes. */
async function migrateBusy(url: string): Promise<Busy> {
  const pool = new pg.Pool({ connectionString: url, max: 2 }).on('error', () => undefined)
  const [client, ...people] = [0, 1, 2].map(() =>
    new pg.Client({ connectionString: url }).on('error', () => undefined),
  )
  const [reader, writer] = people
  assert(client !== undefined && reader !== undefined && writer !== undefined)
  try {
    await Promise.all([client, reader, writer].map((one) => one.connect()))
    const pids = await Promise.all([reader, writer].map(readPid))
    const stopping = new AbortController()
    const work = atWork([reader, writer], stopping.signal)
    const waits: MigrationWaits[] = []
    for (const { name } of await readMigrations()) {
      if (name <= LAST_OF_FIRST_RELEASE) continue
      const startedAt = performance.now()
      const waitMs = await longestWait(client, pids, () => migrate(pool, upTo(name)))
      waits.push({ name, ms: performance.now() - startedAt, waitMs })
    }
    stopping.abort()
    return { waits, statements: await work }
  } finally {
    await Promise.all([pool.end(), client.end(), reader.end(), writer.end()])
  }
}

function upTo(last: string): typeof readMigrations {
  return async () => (await readMigrations()).filter(({ name }) => name <= last)
}

/**
 * Runs a reader and a writer, table after table, each statement a transaction; returns how many statements there were.
 */
async function atWork([reader, writer]: readonly [pg.Client, pg.Client], signal: AbortSignal) {
  let statements = 0
  const repeat = async (client: pg.Client, all: string[]): Promise<void> => {
    while (!signal.aborted)
      for (const statement of all) {
        await client.query(statement)
        statements += 1
      }
  }
  const tables = Object.entries(TOUCHED)
  await Promise.all([
    repeat(
      reader,
      tables.map(([name, column]) => `select ${column} from ${name} limit 1`),
    ),
    repeat(
      writer,
      tables.map(
        ([name, column]) =>
          `update ${name} set ${column} = ${column} where ctid = (select ctid from ${name} limit 1)`,
      ),
    ),
  ])
  return statements
}

/** Tables of 1.0.0 that later migrations change, or that a new table refers to; with a column to write. */
export const TOUCHED = {
  account: 'jobs',
  balance: 'entries',
  api_key: 'name',
  history: 'tries',
  free_calls: 'listing',
  job: 'attempt',
  job_source: 'listed',
  video_row: 'title',
  rate_bucket: 'tokens',
  egress_route: 'blocks',
  operator_act: 'reason',
  transcript: 'words',
  sign_in_user: 'name',
  sign_in_session: 'ip_address',
  sign_in_verification: 'value',
}

const FILLING = [
  'set session_replication_role = replica', // no reference is looked up: every row that is referred to is inserted here
  `insert into account (id, email) select 'a' || n, 'a' || n || '@example.org' from generate_series(1, :rows) n`,
  `insert into balance (account_id) select 'a' || n from generate_series(1, :rows) n`,
  `insert into api_key (id, account_id, name, prefix, secret_hash, bucket, bucket_size, refill)
    select 'k' || n, 'a' || n, 'key', 'sk_', sha256(n::text::bytea), 'k' || n, 60, 1 from generate_series(1, :rows) n`,
  `insert into rate_bucket (id, tokens, is_refused, updated_at)
    select 'k' || n, 60, false, now() from generate_series(1, :rows) n`,
  // A hundred are open, as many as a service has at once.
  `insert into job (id, account_id, state, created_at, finished_at, charged_micros, urls, url_set_hash, language, formats,
      max_videos, requested_max_videos, notices, reserved_micros, processed, failed)
    select 'j' || n, 'a' || n, case when n <= 100 then 'queued' else 'finished' end, now() - n * interval '1 second',
      case when n > 100 then now() end, case when n > 100 then 0 end, array['x'], md5(n::text), 'original',
      array['txt'], 1, 1, '{}', 8000, 1, 1
    from generate_series(1, :rows) n`,
  `insert into free_calls (account_id, day, listing) select 'a' || n, current_date, 1 from generate_series(1, :rows) n`,
  `insert into job_source (job_id, position, line) select 'j' || n, 1, 'x' from generate_series(1, :rows) n`,
  `insert into video_row (job_id, index, source, status, label, done, finished_at)
    select 'j' || n, 1, 1, 'failed', 'failed', 1, now() from generate_series(1, :rows) n`,
  `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    select 'a' || n, md5(n::text), 'v' || n, 'delivered', 0, 'j' || n, now() from generate_series(1, :rows) n`,
  `insert into operator_act (account_id, act, actor, reason)
    select 'a' || n, 'suspend_account', 'bench', 'filled' from generate_series(1, :rows) n`,
  `insert into transcript (job_id, index, text_hash, words)
    select 'j' || n, 1, md5(n::text), 1 from generate_series(1, :rows) n`,
  `insert into sign_in_user (id, name, email, email_verified, account_id)
    select 'u' || n, 'u', 'a' || n || '@example.org', true, 'a' || n from generate_series(1, :rows) n`,
  `insert into sign_in_session (id, expires_at, token, user_id, updated_at)
    select 's' || n, now(), left(encode(sha256(n::text::bytea), 'hex'), 43), 'u' || n, now() from generate_series(1, :rows) n`,
  `insert into sign_in_verification (id, identifier, value, expires_at)
    select 'v' || n, md5(n::text), md5(n::text), now() from generate_series(1, :rows) n`,
  'set session_replication_role = origin',
]
