/**
 * A database that runs nothing: it has PostgreSQL prepare each statement, remembers the described columns of the
 * result, and answers with made-up rows (or none), so that the caller goes on.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/store/database.ts'

/** Types that the pool's parsers return (see `TYPES` in kit/postgres/database.ts). */
export const TYPESCRIPT_TYPES: Record<string, string> = {
  text: 'string',
  uuid: 'string',
  bool: 'boolean',
  int4: 'number',
  float8: 'number',
  int8: 'bigint',
  numeric: 'string',
  bytea: 'Buffer',
  timestamptz: 'Date',
  date: 'Date',
  pg_lsn: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  _float8: 'number[]',
  _text: 'string[]',
  _timestamptz: 'Date[]',
}

/** A column as TypeScript sees it; `canBeNull` is whether its table's column allows it. */
export type ResultColumn = { name: string; type: string; canBeNull: boolean }

/** `error` is why PostgreSQL does not prepare it, or null. */
export type Described = {
  name: string | null
  text: string
  columns: ResultColumn[]
  error: string | null
}

export type Describer = {
  /** Described statements by text. */
  seen: ReadonlyMap<string, Described>
  /** Returns a database whose statements are described; each gets one row, or none. */
  answering(isFound: boolean): Db
  describe(text: string, name?: string | null): Promise<Described>
}

/** Most statements of a call, more than any verb's; a verb that loops until it finds something would never end. */
const STATEMENTS_MAX = 8

export async function openDescriber(client: pg.Client): Promise<Describer> {
  const types = await readTypes(client)
  const seen = new Map<string, Described>()

  const describe = async (text: string, name: string | null = null): Promise<Described> => {
    const known = seen.get(text)
    if (known !== undefined) return known
    const { fields, error } = await prepare(client, text)
    const columns = await Promise.all(
      fields.map(async (field) => ({
        name: field.name,
        type: TYPESCRIPT_TYPES[types.get(field.dataTypeID) ?? ''] ?? 'never',
        canBeNull: await isNullable(client, field),
      })),
    )
    const described = { name, text, columns, error }
    seen.set(text, described)
    return described
  }

  const answering = (isFound: boolean): Db => {
    let left = STATEMENTS_MAX
    return describingDb(async (text) => {
      if (left-- === 0) throw new Error('it asks on and on')
      const { columns, error } = await describe(text)
      if (error !== null) throw new Error(error)
      const row = Object.fromEntries(columns.map((column) => [column.name, SAMPLES[column.type]]))
      return { rows: isFound ? [row] : [], numAffectedRows: isFound ? 1n : 0n }
    })
  }
  return { seen, describe, answering }
}

/** Sample values for each type; the verbs' results do not matter here. */
const SAMPLES: Record<string, unknown> = {
  string: 'text',
  number: 1,
  bigint: 1n,
  boolean: true,
  Date: new Date(0),
  Buffer: Buffer.alloc(1),
  'string[]': [],
  unknown: {},
}

function describingDb(answer: (text: string) => Promise<{ rows: unknown[] }>): Db {
  const connection = {
    executeQuery: ({ sql }: { sql: string }) => answer(sql),
    async *streamQuery() {},
  }
  const driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: async () => undefined,
    commitTransaction: async () => undefined,
    rollbackTransaction: async () => undefined,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver as never,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return Object.assign(db, { send: () => undefined })
}

async function readTypes(client: pg.Client): Promise<Map<number, string>> {
  const { rows } = await client.query('select oid::int4 as oid, typname::text as name from pg_type')
  return new Map(rows.map(({ oid, name }) => [oid, name]))
}

async function isNullable(client: pg.Client, { tableID, columnID }: pg.FieldDef): Promise<boolean> {
  if (tableID === 0) return false
  const { rows } = await client.query(
    'select from pg_attribute where attrelid = $1 and attnum = $2 and not attnotnull',
    [tableID, columnID],
  )
  return rows.length > 0
}

type Wire = {
  parse(given: { name: string; text: string; types: number[] }): void
  describe(given: { type: 'S'; name: string }): void
  sync(): void
}

/** Sends Parse and Describe alone: no plan is made and nothing is run. */
function prepare(
  client: pg.Client,
  text: string,
): Promise<{ fields: pg.FieldDef[]; error: string | null }> {
  return new Promise((resolve) => {
    let fields: pg.FieldDef[] = []
    client.query({
      submit(connection: Wire) {
        connection.parse({ name: '', text, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => (fields = message.fields),
      handleError: ({ message }: Error) => resolve({ fields: [], error: message }),
      handleReadyForQuery: () => resolve({ fields, error: null }),
    } as unknown as pg.Submittable)
  })
}
