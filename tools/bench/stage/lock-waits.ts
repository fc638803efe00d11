/** How long sessions wait for locks while something is done to the schema, as PostgreSQL says: `pg_locks.waitstart`. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const ASKED_EVERY_MS = 2

/** Returns the number of the session's server process. */
export async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Returns the longest wait of these sessions for a lock, in milliseconds, while `work` goes on. */
export async function longestWait(
  client: pg.Client,
  pids: number[],
  work: () => Promise<void>,
): Promise<number> {
  const over = new AbortController()
  const done = work().finally(() => over.abort())
  done.catch(() => undefined)
  let longest = 0
  while (!over.signal.aborted) {
    const { rows } = await client.query<{ ms: number }>(
      `select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)::float8 as ms
      from pg_locks where not granted and pid = any ($1)`,
      [pids],
    )
    longest = Math.max(longest, rows[0]?.ms ?? 0)
    await sleep(ASKED_EVERY_MS)
  }
  await done
  return longest
}
