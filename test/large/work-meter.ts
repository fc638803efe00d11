/**
 * How much work a request causes, in counts that no machine changes: rows and index entries that the database read or
 * wrote for it, and bytes that it sent to the service, which runs in this process.
 */
import pg from 'pg'
import { connectTo } from '../support/connection.ts'
import type { TestScope } from '../support/database.ts'

/** `rows` are read and written ones of each table and index, those of large values too. */
export type DatabaseWork = { rows: Map<string, number>; bytes: number }

export type WorkMeter = {
  measure<T>(act: () => Promise<T>): Promise<{ work: DatabaseWork; value: T }>
}

/** Returns how many rows of all tables and indexes together. */
export function rowsOf({ rows }: DatabaseWork): number {
  return [...rows.values()].reduce((all, some) => all + some, 0)
}

const OURS = `schemaname not in ('pg_catalog', 'information_schema')`
const COUNT = `select relname as name, seq_tup_read + n_tup_ins + n_tup_upd + n_tup_del as rows
    from pg_stat_all_tables where ${OURS}
  union all select indexrelname, idx_tup_read from pg_stat_all_indexes where ${OURS}`

/** Watches all connections of this process to a database. */
export async function openWorkMeter(scope: TestScope, url: string): Promise<WorkMeter> {
  const own = await connectTo(url)
  const clients = new Set<pg.Client>()
  let bytes = 0
  const { database } = own as unknown as { database: string }
  const prototype = pg.Client.prototype as unknown as {
    query: (this: pg.Client & { database: string }, ...given: unknown[]) => unknown
  }
  const { query } = prototype
  prototype.query = function watching(...given) {
    if (this !== own && this.database === database && !clients.has(this)) {
      clients.add(this)
      this.once('end', () => clients.delete(this))
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
      connection.on('dataRow', ({ length }: { length: number }) => (bytes += length))
      // Nearly all rows belong to one account here, so a scan of everybody's would look as good as one by its index.
      void Promise.resolve(query.call(this, 'set enable_seqscan = off')).catch(() => undefined)
    }
    return query.apply(this, given)
  }
  scope.after(async () => {
    prototype.query = query
    await own.end()
  })

  async function count(): Promise<DatabaseWork> {
    const before = bytes
    // A connection reports what it did at most once a second, unless it is told to; one that ends reports by itself.
    const flush = 'select pg_stat_force_next_flush()'
    await Promise.allSettled([...clients].map((one) => query.call(one as never, flush)))
    bytes = before // without the answers to these
    const { rows } = await own.query<{ name: string; rows: string }>(COUNT)
    return { rows: new Map(rows.map((one) => [one.name, Number(one.rows)])), bytes }
  }

  return {
    async measure(act) {
      const before = await count()
      const value = await act()
      const after = await count()
      const rows = [...after.rows].map(
        ([name, now]) => [name, now - (before.rows.get(name) ?? 0)] as const,
      )
      return { value, work: { rows: new Map(rows), bytes: after.bytes - before.bytes } }
    },
  }
}
