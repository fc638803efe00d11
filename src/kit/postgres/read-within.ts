/** Reads that may take only so long in a transaction, which goes on without their answer. */
import { type QueryExecutorProvider, sql } from 'kysely'
import pg from 'pg'

/** PostgreSQL's code of a statement that was cancelled, here for its time. */
const CANCELLED = '57014'

/**
 * Returns what `read` returns, or null where one of its statements took longer than `ms`. It must not write: all that
 * it did is undone.
 */
export async function readWithin<T>(
  tx: QueryExecutorProvider,
  ms: number,
  read: () => Promise<T>,
): Promise<T | null> {
  await sql`savepoint read_within`.execute(tx)
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx)
  const answer = await read().catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === CANCELLED) return null
    throw error
  })
  await sql`rollback to savepoint read_within`.execute(tx) // the usual time again, too
  await sql`release savepoint read_within`.execute(tx)
  return answer
}
