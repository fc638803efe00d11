/** The product's database: a pool whose statements know the tables of this schema. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { type DatabaseOptions, openPooledDatabase, type Sends } from '../kit/postgres/database.ts'
import { openSignals, type Signal, type Signals } from './signals.ts'
import type { Tables } from './tables.ts'

/** Anything that runs statements and sends signals: the pool or a transaction. */
export type Db = Kysely<Tables> & Sends<Signal>
/** A running transaction; its caller owns commit and rollback. */
export type Tx = Transaction<Tables> & Sends<Signal>
export type Database = { db: Db; pool: pg.Pool; signals: Signals; close(): Promise<void> }

/** Opens a pool; connects with the first statement. Broken idle connections are replaced silently. */
export function openDatabase(options: DatabaseOptions): Database {
  const { db, pool, close } = openPooledDatabase<Tables>(options)
  const signals = openSignals(pool)
  return {
    db: Object.assign(db, { send: signals.send }),
    pool,
    signals,
    close: () => close(signals.close),
  }
}

/** Returns the database's time, which instants that processes compare are taken from. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database did not tell the time')
  return row.now
}
