/**
 * Statements written as whole texts, which psql takes behind `prepare … as`: each stands in one file, is prepared under its
 * name once per connection, and is described by PostgreSQL in a test.
 */
import { CompiledQuery } from 'kysely'
import assert from 'node:assert/strict'
import pg from 'pg'

/** `Row`: what it returns. A test compares it with what PostgreSQL says of the statement. */
export type Statement<Row> = { name: string; text: string; row?: Row }

/** The names of all statements that loaded modules wrote, by text. */
export const STATEMENTS = new Map<string, string>()

/** Names a text, whose parameters are `$1`, `$2` …; a name has one text, and a text one name. */
export function statement<Row>(name: string, text: string): Statement<Row> {
  assert(!STATEMENTS.has(text), `${name} is written twice`)
  assert(![...STATEMENTS.values()].includes(name), `two statements are called ${name}`)
  STATEMENTS.set(text, name)
  return { name, text }
}

/** A pool, a kysely database or a transaction of one. */
export type Executor =
  pg.Pool | { executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }> }

/** Runs a statement with the values of its parameters in order; returns its rows. */
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

/** Prepares the texts of STATEMENTS by their names, for callers that can hand on no name: kysely. */
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
 * A row for `json_populate_record`, or any number of rows for `json_to_recordset`, as one parameter. Texts become
 * well-formed Unicode, as they do in any other parameter; bytes do not belong here.
 */
export function asJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString()
    return typeof part === 'string' ? part.toWellFormed() : part
  })
}

/**
 * A condition that always holds and lets the commit of its transaction not wait for the disk: only for what is simply
 * done again where a crash of the server undoes it. What is committed afterwards is on disk only together with it.
 */
export const WITHOUT_FLUSH = `(select set_config('synchronous_commit', 'off', true)) = 'off'`
