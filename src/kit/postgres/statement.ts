/**
 * Statements written as text, for those sent so often that building them each time would cost too much:
 * each is prepared under its name, once per connection.
 */
import assert from 'node:assert/strict'
import type pg from 'pg'

/** `Row`: what it returns. A test compares it with what PostgreSQL says of the statement. */
export type Statement<Row> = { name: string; text: string; row?: Row }

/** Every one that a loaded module wrote, by name: a second text under one name would never be sent. */
export const STATEMENTS = new Map<string, string>()

export function statement<Row>(name: string, text: string): Statement<Row> {
  assert(!STATEMENTS.has(name), `one statement is called ${name}`)
  STATEMENTS.set(name, text)
  return { name, text }
}

/** Runs it on any connection of the pool. */
export async function run<Row>(
  pool: pg.Pool,
  { name, text }: Statement<Row>,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row & pg.QueryResultRow>({ name, text, values })
  return rows
}
