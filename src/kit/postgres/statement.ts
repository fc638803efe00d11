/**
 * Statements written as whole texts, which psql accepts behind `prepare … as`. Each stands in one file, is prepared
 * under its name once per connection, and is described by PostgreSQL in a test.
 */
import { CompiledQuery } from 'kysely'
import assert from 'node:assert/strict'
import pg from 'pg'

/** A statement; `Row` is the type of its rows, which a test compares with PostgreSQL's description. */
export type Statement<Row> = { name: string; text: string; row?: Row }

/** The names of all statements that loaded modules declare, by text. */
export const STATEMENTS = new Map<string, string>()

/** Declares a statement, whose parameters are `$1`, `$2` …; a name has one text, and a text one name. */
export function statement<Row>(name: string, text: string): Statement<Row> {
  assert(!STATEMENTS.has(text), `${name} is written twice`)
  assert(![...STATEMENTS.values()].includes(name), `two statements are called ${name}`)
  STATEMENTS.set(text, name)
  return { name, text }
}

/** A pool, a client of one, a kysely database or a transaction of one. */
export type Executor =
  | pg.Pool
  | pg.PoolClient
  | { executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }> }

/** Runs a statement with the values of its parameters, in order, and returns its rows. */
export async function run<Row>(
  on: Executor,
  { name, text }: Statement<Row>,
  values: unknown[],
): Promise<Row[]> {
  if ('executeQuery' in on)
    return (await on.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Row>)).rows
  const { rows } = await on.query<Row & pg.QueryResultRow>({ name, text, values })
  return rows
}

/** A client that prepares the texts of STATEMENTS under their names, for callers that cannot pass a name: kysely. */
export class NamingClient extends pg.Client {
  // eslint-disable-next-line typescript/no-explicit-any -- one of the many overloads of the library
  override query(...given: any[]): any {
    const [text, ...rest] = given as unknown[]
    const name = typeof text === 'string' ? STATEMENTS.get(text) : undefined
    const query = super.query as (...all: unknown[]) => unknown
    return query.apply(this, name === undefined ? given : [{ name, text }, ...rest])
  }
}

/**
 * Returns a row for `json_populate_record`, or rows for `json_to_recordset`, as one parameter. Texts become well-formed
 * Unicode, as in any other parameter; bytes are not supported.
 */
export function asJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString()
    return typeof part === 'string' ? part.toWellFormed() : part
  })
}

/**
 * SQL for a condition that always holds and lets the commit not wait for the disk, for work that is done again where a
 * crash of the server undoes it. A later commit is on disk only together with this one.
 */
export const WITHOUT_FLUSH = `(select set_config('synchronous_commit', 'off', true)) = 'off'`
