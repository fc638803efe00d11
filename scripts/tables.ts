/**
 * `npm run tables`: writes `src/store/tables.ts`, the types of all tables, from a database that the
 * migrations have just made. A test compares the file with them.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { format, resolveConfig } from 'prettier'
import { testDatabase } from '../test/support/database.ts'

export const TABLES_FILE = path.resolve(import.meta.dirname, '../src/store/tables.ts')

/** Types that the pool's parsers return (see `TYPES` in database.ts), and that a statement is given. */
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
  json: 'Json',
  jsonb: 'Json',
  _float8: 'number[]',
  _text: 'string[]',
  _timestamptz: 'Date[]',
}

const HEAD = `/** What the migrations made: every table with its columns. Written by \`npm run tables\`, not by hand. */
/* oxlint-disable max-lines -- as long as the schema is */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Read as what was parsed, written as text. */
type Json = ColumnType<unknown, string, string>
`

type Column = {
  table: string
  name: string
  type: string
  isNullable: boolean
  hasDefault: boolean
  isIdentity: boolean
  /** The CHECK constraints of the table that name this column alone. */
  checks: string[]
}

/**
 * Returns the text of `tables.ts` for this database. Throws where a column has a type that is not in
 * `TYPESCRIPT_TYPES`.
 */
export async function describeTables(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(COLUMNS)
  const tables = Map.groupBy(rows, ({ table }) => table)
  const members = [...tables].map(
    ([table, columns]) => `${table}: { ${columns.map(memberOf).join('; ')} }`,
  )
  const text = `${HEAD}\nexport type Tables = {\n${members.join('\n')}\n}`
  return format(text, { ...(await resolveConfig(TABLES_FILE)), parser: 'typescript' })
}

const COLUMNS = `
  select c.relname::text as table, a.attname::text as name, t.typname::text as type,
    not a.attnotnull as "isNullable", a.atthasdef as "hasDefault", a.attidentity = 'a' as "isIdentity",
    coalesce((select array_agg(pg_get_constraintdef(k.oid) order by k.conname) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]), '{}') as checks
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attnum`

function memberOf(column: Column): string {
  const { name, isNullable, hasDefault, isIdentity } = column
  const type = `${valueOf(column)}${isNullable ? ' | null' : ''}`
  if (isIdentity) return `${name}: GeneratedAlways<${type}>`
  return `${name}: ${hasDefault ? `Generated<${type}>` : type}`
}

function valueOf({ table, name, type, checks }: Column): string {
  const words = checks.flatMap((check) => wordsOf(name, check) ?? [])
  if (words.length > 0) return words.map((word) => `'${word}'`).join(' | ')
  const found = TYPESCRIPT_TYPES[type]
  if (found === undefined)
    throw new Error(`no TypeScript type is known for ${table}.${name}: ${type}`)
  return found
}

/** Returns the words of `check (column in ('one', 'other'))`, as PostgreSQL writes it back, or null. */
function wordsOf(column: string, check: string): string[] | null {
  const found = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(check)
  if (found?.[1] !== column) return null
  return [...(found[2] ?? '').matchAll(/'([^']*)'::text/g)].map(([, word]) => word ?? '')
}

// run.mjs may have imported this file: then the process began with another one, and argv names this one.
if (process.argv[1] === import.meta.filename) {
  const ends: (() => Promise<void>)[] = []
  const { pool } = await testDatabase({ after: (end) => ends.push(end) })
  try {
    await fs.writeFile(TABLES_FILE, await describeTables(pool))
  } finally {
    for (const end of ends) await end()
  }
}
