/**
 * How long people wait while the migrations since the oldest release that can be upgraded from are applied to a filled
 * database. Its schema gets as many rows in each table that a migration has touched; then each migration is applied by
 * itself, while one session reads every table and another one writes to it.
 *
 *     longest wait    for a lock, of either session, as PostgreSQL says: `pg_locks.waitstart`, asked every few ms;
 *                     the shortest of three rounds, each on a copy of the same filled database
 *     at 10^7 rows    the same if it goes on growing as it did between two sizes; the goal is 200 ms
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { migrate, readMigrations, MIGRATION_LOCK_MS } from '../../src/store/migrate.ts'
import { testDatabase, type TestScope } from '../../test/support/database.ts'
import { RELEASES } from '../../test/support/releases.ts'
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

/** The last migration of the oldest release that can be upgraded from. */
export const LAST_OF_OLDEST = RELEASES[0]?.lastMigration ?? ''
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
  await migrate(pool, upTo(LAST_OF_OLDEST))
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

/** Applies each migration since that release by itself, while one session reads every table and another one writes. */
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
      if (name <= LAST_OF_OLDEST) continue
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

/** Tables of that release that later migrations change, or that a new table refers to; with a column to write. */
export const TOUCHED = {
  account: 'jobs',
  app_connection: 'monthly_cap_micros',
  batch: 'taken',
  collection: 'videos',
  egress_route: 'blocks', // has a row for each route of the settings
  history: 'tries',
  job: 'attempt',
  job_source: 'listed',
  operator_act: 'reason', // has no rows
  preview: 'attempt',
  subscription: 'look',
  subscription_video: 'tries',
  transcript_body: 'recorded',
  transcript_form: 'sha256', // has no rows
  video_row: 'done',
}

const FILLING = [
  'set session_replication_role = replica', // no reference is looked up: only the tables that are touched are filled
  `insert into account (id, email) select 'a' || n, n || '@example.org' from generate_series(1, :rows) n`,
  // A hundred are open, as many as a service has at once; a batch or a subscription started each tenth.
  `insert into job (id, account_id, state, created_at, finished_at, charged_micros, urls, url_set_hash, language, formats,
      max_videos, requested_max_videos, notices, reserved_micros, processed, failed,
      idempotency_key, body_hash)
    select 'j' || n, 'a' || n, case when n <= 100 then 'queued' else 'finished' end, now() - n * interval '1 second',
      case when n > 100 then now() end, case when n > 100 then 0 end, array['x'], md5(n::text), 'original',
      array['txt'], 1, 1, '{}', 8000, 1, 1,
      case n % 20 when 0 then 'follow:batch_' || n || ':1' when 10 then 'follow:sub_' || n || ':1' end,
      case when n % 10 = 0 then md5(n::text) end
    from generate_series(1, :rows) n`,
  `insert into job_source (job_id, position, line) select 'j' || n, 1, '@channel' || n from generate_series(1, :rows) n`,
  `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    select 'a' || n, md5(n::text), 'x', case n % 10 when 0 then 'negative' else 'delivered' end, 0, 'j' || n, now()
    from generate_series(1, :rows) n`,
  `insert into transcript_body (job_id, index, body, recorded) select 'j' || n, 1, 'x', 'x' from generate_series(1, :rows) n`,
  `insert into collection (account_id, id, kind, order_job_id)
    select 'a' || n, 'c' || n, 'channel', 'j' || n from generate_series(1, :rows) n`,
  `insert into preview (id, account_id, request_hash, url_set_hash, urls, language, formats, max_videos,
      requested_max_videos, notices, ends_at, expires_at)
    select 'p' || n, 'a' || n, md5(n::text), md5(n::text), array['x'], 'original', array['txt'], 1, 1, '{}', now(), now()
    from generate_series(1, :rows) n`,
  `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices)
    select 'b' || n, 'a' || n, array['x'], md5(n::text), 'original', array['txt'], 1, true, '{}'
    from generate_series(1, :rows) n`,
  `insert into subscription (id, account_id, line, url_set_hash, language, formats, backlog, cap_micros)
    select 's' || n, 'a' || n, 'x', md5(n::text), 'original', array['txt'], 0, 8000 from generate_series(1, :rows) n`,
  `insert into subscription_video (subscription_id, video_id, number, found_at, due_at, young_until)
    select 's' || n, 'x', 1, now(), now(), now() from generate_series(1, :rows) n`,
  `insert into app_connection (id, account_id, client_id, monthly_cap_micros)
    select 'k' || n, 'a' || n, 'x', 0 from generate_series(1, :rows) n`,
  `insert into egress_route (name, rate_per_minute, free_at, lease_starts_at, lease_permits)
    select 'r' || n, 20, now(), now(), 0 from generate_series(1, 200) n`,
  'set session_replication_role = origin',
]
