/** Whether this process can serve, and what is missing, in words for an operator. */
import { sql } from 'kysely'
import { READ_ONLY, transact } from '../kit/postgres/database.ts'
import { UnfitServersError } from '../kit/postgres/fence.ts'
import { type Db, query } from './database.ts'
import { readMigrations } from './migrate.ts'

/** How long one look answers all requests to /readyz. */
export const READINESS_KEPT_MS = 1_000

export type Readiness = ReturnType<typeof openReadiness>

/**
 * Shares looks: anybody may ask whether a process is ready, and each look writes to the database's disk, so one look
 * answers every request while it lasts and within READINESS_KEPT_MS of its start. `clock` counts milliseconds.
 */
export function openReadiness(find: () => Promise<string[]>, clock: () => number) {
  let found: Promise<string[]> = Promise.resolve([])
  let keptUntil = -Infinity
  let isLooking = false
  return {
    /** Returns what is missing; empty when everything is there. Never throws. */
    look(): Promise<string[]> {
      if (isLooking || clock() < keptUntil) return found
      keptUntil = clock() + READINESS_KEPT_MS
      isLooking = true
      found = find().finally(() => {
        isLooking = false
      })
      return found
    },
  }
}

/**
 * Returns what is missing; empty when everything is there. Never throws: a database that does not answer is reported as
 * missing.
 */
export async function findMissing(db: Db): Promise<string[]> {
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
    await tryToWrite(db)
    return []
  } catch (error) {
    return [`database: ${whyAway(error)}`]
  }
}

/** Whether the database takes writes. Never throws. */
export function isWritable(db: Db): Promise<boolean> {
  return tryToWrite(db).then(
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
async function tryToWrite(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    await sql`select name from migration where false for update`.execute(tx) // fails on a read-only server
    await sql`select set_config('work_mem', ${PROBE_MEMORY}, true)`.execute(tx)
    await sql`select count(*) from generate_series(1, ${PROBE_NUMBERS}::int)`.execute(tx)
  })
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
