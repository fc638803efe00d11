/** The product's database: a pool, its transactions and signals, and the way in which statements are written. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { type DatabaseOptions, openPooledDatabase, type Sends } from '../kit/postgres/database.ts'
import { columnOf } from '../kit/text/column-name.ts'
import { openSignals, type Signal, type Signals } from './signals.ts'
import type { ToldMemory, ToldEntry } from './told.ts'

/** Follows a commit: a signal, or entries that it told. */
type Message = Signal | { told: readonly ToldEntry[] }
/** Anything that runs statements and sends signals: the pool or a transaction. Kysely's builder knows no table. */
export type Db = Kysely<unknown> & Sends<Message>
/** A running transaction; its caller owns commit and rollback. */
export type Tx = Transaction<unknown> & Sends<Message>
export type Database = { db: Db; pool: pg.Pool; signals: Signals; close(): Promise<void> }

/**
 * Opens a pool; connects with the first statement. Broken idle connections are replaced silently. `told` remembers what
 * is told as committed.
 */
export function openDatabase({
  told,
  ...options
}: DatabaseOptions & { told?: ToldMemory | null }): Database {
  const { db, pool, close } = openPooledDatabase(options)
  const signals = openSignals(pool)
  const send = (message: Message): void =>
    'told' in message ? told?.note(message.told) : signals.send(message)
  return {
    db: Object.assign(db, { send }),
    pool,
    signals,
    close: () => close(signals.close),
  }
}

/**
 * Writes a statement like kysely's `sql`, with values and pieces in their places; `Row` is the type of its rows. It is
 * run by asking for its answer, in the shape in which the caller needs it.
 */
export function query<Row extends object = object>(
  text: TemplateStringsArray,
  ...values: unknown[]
) {
  const run = (db: Db) => sql<Row>(text, ...values).execute(db)
  const rows = async (db: Db): Promise<Row[]> => (await run(db)).rows
  const columnIn = async (db: Db): Promise<Row[keyof Row][]> =>
    (await rows(db)).map((row) => Object.values(row)[0] as Row[keyof Row])
  return {
    rows,
    /** Returns null where the statement has no row. */
    firstRow: async (db: Db): Promise<Row | null> => (await rows(db))[0] ?? null,
    /** Returns the row of a statement that always has one, such as a sum. */
    async onlyRow(db: Db): Promise<Row> {
      const [row] = await rows(db)
      assert(row !== undefined, 'the statement has one row')
      return row
    },
    /** Returns the only column of all rows. */
    values: columnIn,
    /** Returns the only column of the first row; null where there is no row. */
    firstValue: async (db: Db): Promise<Row[keyof Row] | null> => (await columnIn(db))[0] ?? null,
    /** Returns the only column of the only row. */
    async value(db: Db): Promise<Row[keyof Row]> {
      const [value] = await columnIn(db)
      assert(value !== undefined, 'the statement has one row')
      return value
    },
    /** Whether the statement returned or wrote any row. */
    async anyRow(db: Db): Promise<boolean> {
      const { rows, numAffectedRows = 0n } = await run(db)
      return rows.length > 0 || numAffectedRows > 0n
    },
    /** Returns how many rows were written. */
    rowCount: async (db: Db): Promise<number> => Number((await run(db)).numAffectedRows ?? 0n),
  }
}

/** Returns SQL that locks the rows that are read until the transaction ends, where that is asked for. */
export function lockedIf(lock: 'locked' | undefined) {
  return sql.raw(lock === 'locked' ? 'for no key update' : '')
}

/**
 * Returns a key of fixed length for a text that may be of any length, such as a customer's line; the null cursor of a
 * list's first page has an empty one.
 */
export function hashedKey(text: string | null): Buffer {
  return text === null ? Buffer.alloc(0) : createHash('sha256').update(text).digest()
}

/** Returns the values by the names of their columns, as a row for `json_populate_record`. */
export function toColumns(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [columnOf(name), value]))
}

/** Returns the database's time, which instants that processes compare are taken from. */
export async function readClock(db: Db): Promise<Date> {
  return query<{ now: Date }>`select clock_timestamp() as now`.value(db)
}
