/** Whether this process can serve, and what is missing, in words for an operator. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Deadlines } from '../config/config.ts'
import { READ_ONLY, transact } from '../kit/postgres/database.ts'
import { UnfitServersError } from '../kit/postgres/servers.ts'
import { timelineAt } from '../kit/postgres/scouts.ts'
import { type Database, type Db, query, type Tx } from './database.ts'
import { readMigrations } from './migrate.ts'

/** How long one look answers all requests to /readyz. */
export const READINESS_KEPT_MS = 1_000

/** A transaction's last write: its session, and the position in the WAL behind it, with its timeline. */
type Written = { pid: number; position: string; timeline: number }

/**
 * Returns what is missing; empty when everything is there and a commit was confirmed. Never throws: a database that
 * does not answer is reported as missing. `onWritten` is told before the commit.
 */
export async function findMissing(
  db: Db,
  onWritten: (written: Written) => void = () => undefined,
): Promise<string[]> {
  try {
    const rows = await query<{ name: string }>`
      select name from migration union all select name from schema_change
    `.rows(db)
    const applied = new Set(rows.map((row) => row.name))
    const missing = (await readMigrations()).filter(({ name }) => !applied.has(name))
    if (missing.length > 0)
      return missing.map(
        ({ name }) => `migration ${name}: start a process of this version to apply it`,
      )
    await transact(db, async (tx) => {
      await tryToWrite(tx)
      onWritten(await writeRecord(tx))
    })
    return []
  } catch (error) {
    return [`database: ${whyAway(error)}`]
  }
}

/** Writes to the WAL, but to no table, so that the commit waits for all that a commit of money waits for. */
export async function writeRecord(tx: Tx): Promise<Written> {
  return query<Written>`
    select pg_backend_pid() as pid, at::text as position, ${sql.raw(timelineAt('at'))} as timeline
    from pg_logical_emit_message(true, 'scriptorium', '') at
  `.onlyRow(tx)
}

/** Whether a session named like this one still works on something. */
export async function isAtWork(db: Db, pid: number): Promise<boolean> {
  return query`
    select from pg_stat_activity
    where pid = ${pid}::int and state = 'active' and application_name = current_setting('application_name')
  `.anyRow(db)
}

type ReadinessOptions = {
  /** Opens connections of its own: one for its commit, and one to ask whether the server still has that. */
  open(): Database
  deadlines: Deadlines
  /** Told the position in the WAL behind which a commit was confirmed. */
  onConfirmed?(at: Written): void
  /** Counts milliseconds. */
  clock(): number
}

type Try = { written: Written | null; wasWarned: boolean; found: Promise<string[]> }

export type Readiness = ReturnType<typeof openReadiness>

/**
 * Looks by a commit whether the process can serve. Anybody may ask, and each look writes to the database's disk, so one
 * answers every request while it lasts and within READINESS_KEPT_MS of its start. A commit that hangs is waited for and
 * never repeated: PostgreSQL keeps the session of a commit that waits for a standby even when its client has gone, so
 * each would cost a connection.
 */
export function openReadiness({ open, deadlines, onConfirmed, clock }: ReadinessOptions) {
  let database: Database | null = null
  let underWay: Try | null = null
  let hangs = false
  let found: Promise<string[]> = Promise.resolve([])
  let keptUntil = -Infinity
  let isLooking = false

  function openOwn(): Database {
    const own = open()
    // Where an operator cancels the wait, PostgreSQL reports success and a warning, though nobody confirmed the commit.
    const warn = (): void => void (underWay !== null && (underWay.wasWarned = true))
    own.pool.on('connect', (client) => client.on('notice', warn))
    return own
  }

  function tryToCommit(db: Db): Try {
    const one: Try = { written: null, wasWarned: false, found: Promise.resolve([]) }
    one.found = findMissing(db, (written) => (one.written = written)).then((missing) => {
      if (underWay === one) [underWay, hangs] = [null, false]
      if (one.wasWarned) return [UNCONFIRMED]
      if (missing.length === 0 && one.written !== null) onConfirmed?.(one.written)
      return missing
    })
    return one
  }

  async function close(): Promise<void> {
    const left = database
    ;[database, underWay, hangs] = [null, null, false]
    await left?.close().catch(() => undefined)
  }

  async function find(): Promise<string[]> {
    const { db } = (database ??= openOwn())
    const one = (underWay ??= tryToCommit(db))
    const early = await Promise.race([one.found, within(hangs ? 0 : deadlines.commitMs)])
    if (early !== null) return early
    const isThere = one.written !== null && isAtWork(db, one.written.pid).catch(() => false)
    const late = await Promise.race([one.found, isThere, within(deadlines.connectMs)])
    if (Array.isArray(late)) return late
    hangs = late === true
    if (hangs) return [HANGING]
    void close()
    return [`database: ${whyAway(null)}`]
  }

  return {
    /** Returns what is missing; empty when everything is there. Never throws. */
    look(): Promise<string[]> {
      if (isLooking || clock() < keptUntil) return found
      keptUntil = clock() + READINESS_KEPT_MS
      isLooking = true
      found = find().finally(() => (isLooking = false))
      return found
    },
    /** Parts that do not work, in words for an operator, as who watches them says. */
    degraded: [] as string[],
    /** Whether a commit has hung for too long, and still does. */
    commitsHang: () => hangs,
    close,
  }
}

const within = (ms: number): Promise<null> => sleep(ms, null, { ref: false })

const UNCONFIRMED =
  'database: a commit was not confirmed, since its wait for a standby was cancelled; see synchronous_standby_names'
const HANGING =
  'database: commits do not return: the standby that must confirm is away, or the disk hangs; see pg_stat_replication, synchronous_standby_names and the log of the server'

/** Whether the database takes writes. Never throws. */
export function isWritable(db: Db): Promise<boolean> {
  return transact(db, tryToWrite).then(
    () => true,
    () => false,
  )
}

/** How many numbers a probe of the disk writes: some 350 KB, which the server removes at once. */
const PROBE_NUMBERS = 20_000
/**
 * The memory of the probe's statement: the least that PostgreSQL allows, so that the list does not fit and is spilled.
 */
const PROBE_MEMORY = '64kB'

/**
 * Throws where a write would fail. An ordinary write proves nothing on a full disk, since it finds room in an existing
 * page. So the server spills a list to a temporary file, which leaves nothing behind.
 */
async function tryToWrite(tx: Tx): Promise<void> {
  await sql`select name from migration where false for update`.execute(tx) // fails on a read-only server
  await sql`select set_config('work_mem', ${PROBE_MEMORY}, true)`.execute(tx)
  await sql`select count(*) from generate_series(1, ${PROBE_NUMBERS}::int)`.execute(tx)
}

/** Why the database is unavailable, in words for an operator. */
export function whyAway(error: unknown): string {
  if (error instanceof UnfitServersError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === READ_ONLY)
    return 'it is read-only; see whether it failed over or its storage is full'
  if (code.startsWith('53')) return 'it is out of disk, memory or connections; see its log'
  return 'it does not answer; see DATABASE_URL or the log of the embedded one'
}
