/** Weathers of the chaos's database: no room, no writes, an hour back or forward. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { until } from '../../support/until.ts'
import type { SmallDisk } from './small-disk.ts'

const BACK_MS_MAX = 60_000
/** Statement that the server cannot write without room. */
const PROBE = `create table no_room as select repeat(md5(n::text), 100) as text from generate_series(1, 2000) n`
/** Longest connect on a busy machine, in milliseconds; a server that is down refuses at once. */
const CONNECT_MS_MAX = 10_000

/**
 * Tables whose instants are compared with the clock: what waits, rests, leases and refills. Instants of other tables
 * record the past, and the ledger's hashes and the receipts' signatures cover them.
 */
const TIMED = ['egress_route', 'rate_bucket', 'webhook_delivery']

export type DatabaseUnderWeather = {
  url: string
  disk: SmallDisk | null
  /** Has the supervisor start the server where it is down; rejects while it cannot be started. */
  ensureRunning(): Promise<void>
}

/** Returns whether the server reported to a statement that it had no room, or went down because of it. */
export async function fillDisk(
  { url, disk, ensureRunning }: DatabaseUnderWeather,
  ms: number,
): Promise<boolean> {
  if (disk === null) return false
  const full = disk.isFullFor(ms)
  let isTold = false
  let isOver = false
  void full.finally(() => (isOver = true))
  while (!isOver) {
    isTold ||= await isRefused(elsewhere(url))
    await sleep(200)
  }
  await full
  await back(url, ensureRunning)
  const tidy = 'drop table if exists no_room'
  await until('the room is tidy', () => isDone(elsewhere(url), tidy), BACK_MS_MAX)
  return isTold
}

/**
 * Returns whether the server refuses a write for want of room, or is down: without room for its log it goes down as a
 * whole.
 */
async function isRefused(url: string): Promise<boolean> {
  try {
    await ask(url, PROBE)
    await ask(url, 'drop table no_room')
    return false
  } catch (error) {
    const code = String(error instanceof Error && 'code' in error ? error.code : '')
    return code.startsWith('53') || /^(57P|E|08)/.test(code)
  }
}

/** Makes new sessions read-only and ends old ones, as a failover to a standby does. */
export async function forbidWrites(
  { url, ensureRunning }: DatabaseUnderWeather,
  ms: number,
): Promise<boolean> {
  await back(url, ensureRunning)
  const name = new URL(url).pathname.slice(1)
  await ask(elsewhere(url), `alter database ${name} set default_transaction_read_only = on`)
  try {
    await ask(
      elsewhere(url),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
    const { rows } = await ask(url, 'show transaction_read_only')
    await sleep(ms)
    return rows[0]?.['transaction_read_only'] === 'on'
  } finally {
    // The weather must end with the test's own hand: nothing else would end it.
    const reset = `alter database ${name} reset default_transaction_read_only`
    await until('writes are allowed again', () => isDone(elsewhere(url), reset), BACK_MS_MAX)
  }
}

/**
 * Makes what a step of the database's clock leaves behind: every instant that it is compared with is an hour off the
 * other way. The clock itself is the machine's, and not the test's to set.
 */
export async function stepDatabaseClock(
  { url, ensureRunning }: DatabaseUnderWeather,
  direction: 'back' | 'forward',
): Promise<boolean> {
  await back(url, ensureRunning)
  const sign = direction === 'back' ? '+' : '-'
  const client = await connect(url)
  try {
    let moved = 0
    for (const table of TIMED) {
      const [schema, name] = table.includes('.') ? table.split('.') : ['public', table]
      const { rows } = await client.query<{ name: string }>(
        `select quote_ident(column_name) as name from information_schema.columns where table_schema = $1
        and table_name = $2 and data_type = 'timestamp with time zone' and is_generated = 'NEVER'`,
        [schema, name],
      )
      const moves = rows.map(
        (column) => `${column.name} = ${column.name} ${sign} interval '1 hour'`,
      )
      // Other writers are kept out, since updates row by row could end in a deadlock.
      await client.query(`begin; lock table ${table} in share row exclusive mode`)
      moved += (await client.query(`update ${table} set ${moves.join(', ')}`)).rowCount ?? 0
      await client.query('commit')
    }
    return moved > 0
  } finally {
    await client.end()
  }
}

/** Waits until the server answers, whatever ended it or is about to start it. */
async function back(url: string, ensureRunning: () => Promise<void>): Promise<void> {
  await until(
    'the database is back',
    () =>
      ensureRunning().then(
        () => isDone(elsewhere(url), 'select'),
        () => false,
      ),
    BACK_MS_MAX,
  )
}

/** Runs a statement that may be repeated; returns false where the server did not run it, or that is unknown. */
function isDone(url: string, text: string): Promise<boolean> {
  return ask(url, text).then(
    () => true,
    () => false,
  )
}

async function ask(url: string, text: string): Promise<pg.QueryResult> {
  const client = await connect(url)
  try {
    return await client.query(text)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: BACK_MS_MAX,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Returns the address of another database of the same server, which the weather leaves alone. */
function elsewhere(url: string): string {
  const address = new URL(url)
  address.pathname = '/postgres'
  return address.href
}
