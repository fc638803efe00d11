/** The product's database: a pool whose statements know the tables of this schema. */
import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type DatabaseOptions,
  openPooledDatabase,
  type PooledDatabase,
} from '../kit/postgres/database.ts'
import type { Tables } from './tables.ts'

/** Anything that runs statements: the pool or a transaction. */
export type Db = Kysely<Tables>
/** A running transaction; its caller owns commit and rollback. */
export type Tx = Transaction<Tables>
export type Database = PooledDatabase<Tables>

/** Opens a pool; connects with the first statement. Broken idle connections are replaced silently. */
export function openDatabase(options: DatabaseOptions): Database {
  return openPooledDatabase<Tables>(options)
}

/** The database's clock: what instants compared across processes are taken from. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database did not tell the time')
  return row.now
}
