/**
 * Rows of an account in each table where it has none, made from the database's own catalogue: every text says of which
 * column it is. So a new table is deleted and exported in tests without a word about it.
 */
import type pg from 'pg'
import { REGISTER, rowsOfAccount } from '../../src/store/register.ts'

type Column = {
  name: string
  type: string
  isNeeded: boolean
  /** The first of the words that a CHECK allows, or null. */
  word: string | null
}
type Reference = { table: string; columns: string[]; to: string; keys: string[] }

const EMAIL = '(select email from account where id = $1)'
/** Values that keep a CHECK of several columns, or by which rows are found, as SQL; a null leaves a column out. */
const GIVEN: Record<string, Record<string, string | null>> = {
  address_change: { undo_hash: null },
  batch: { state: `'stopped'`, due_at: 'null' },
  mail: { to_address: EMAIL },
  oauth_client: { id: `'app'`, name: `'An app'`, kind: `'registered'`, redirect_uris: `'{}'` },
  preview: { ends_at: 'now()' },
  sign_in_session: { token: `substr(md5('a') || md5('b'), 1, 43)` },
  sign_in_user: { email_verified: 'true' },
  sign_in_verification: { value: '(select id from sign_in_user where account_id = $1)' },
  sign_up: { email: EMAIL },
  subscription: { state: `'paused'`, next_look_at: 'null' },
}

/** Beginning of each text that this file makes, where no other is given. */
export const SEEDED = 'seeded-'

const COLUMNS = `
  select c.relname::text as table, a.attname::text as name, t.typname::text as type,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as "isNeeded",
    (select substring(pg_get_constraintdef(k.oid) from 'ARRAY\\[''([^'']*)''') from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as word
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by a.attnum`
const REFERENCES = `
  select conrelid::regclass::text as table, confrelid::regclass::text as to,
    array(select attname::text from unnest(conkey) with ordinality k (n, place)
      join pg_attribute on attrelid = conrelid and attnum = n order by place) as columns,
    array(select attname::text from unnest(confkey) with ordinality k (n, place)
      join pg_attribute on attrelid = confrelid and attnum = n order by place) as keys
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

/** Seeds all tables whose rows go with their account, those that others refer to first. */
export async function seedRows(
  pool: pg.Pool,
  accountId: string,
  beginning = SEEDED,
): Promise<void> {
  const columns = (await pool.query<Column & { table: string }>(COLUMNS)).rows
  const references = (await pool.query<Reference>(REFERENCES)).rows
  const tables = new Set(
    Object.entries(REGISTER).flatMap(([table, { erased }]) =>
      typeof erased === 'object' && 'kept' in erased && table !== 'oauth_client' ? [] : [table],
    ),
  )
  while (tables.size > 0) {
    const before = tables.size
    for (const table of tables) {
      const of = references.filter((reference) => reference.table === table)
      if (of.some(({ to }) => to !== table && tables.has(to))) continue
      tables.delete(table)
      if (await hasRows(pool, table, accountId)) continue
      const own = columns.filter((column) => column.table === table)
      await insertRow(pool, { table, columns: own, references: of, accountId, beginning })
    }
    if (tables.size === before) throw new Error(`${[...tables].join(', ')} refer to each other`)
  }
}

async function hasRows(pool: pg.Pool, table: string, accountId: string): Promise<boolean> {
  const where = rowsOfAccount(REGISTER, table)
  const values = where.includes('$1') ? [accountId] : []
  return (await pool.query(`select from ${table} where ${where} limit 1`, values)).rowCount === 1
}

async function insertRow(
  pool: pg.Pool,
  given: {
    table: string
    columns: Column[]
    references: Reference[]
    accountId: string
    beginning: string
  },
): Promise<void> {
  const { table, columns, references, accountId, beginning } = given
  const values: Record<string, string | null> = {}
  for (const { name, type, isNeeded, word } of columns)
    if (isNeeded || /^_?text$|^bytea$/.test(type))
      values[name] = valueOf(`${beginning}${table}-${name}`, { type, word })
  if (columns.some(({ name }) => name === 'account_id')) values['account_id'] = '$1'
  for (const { to, columns: from, keys } of references) {
    if (to === 'account') continue
    const where = rowsOfAccount(REGISTER, to)
    const owned = where === 'false' ? 'true' : where
    from.forEach((name, at) => {
      values[name] =
        `(select ${keys[at]} from ${to} where ${owned} order by ${keys.join(', ')} limit 1)`
    })
  }
  Object.assign(values, GIVEN[table])
  const named = Object.entries(values).filter(([, value]) => value !== null)
  const statement = `insert into ${table} (${named.map(([name]) => `"${name}"`).join(', ')})
    values (${named.map(([, value]) => value).join(', ')}) on conflict do nothing`
  await pool
    .query(statement, statement.includes('$1') ? [accountId] : [])
    .catch((error: unknown) => {
      throw new Error(`${table} is not seeded: say its values in GIVEN\n${statement}`, {
        cause: error,
      })
    })
}

function valueOf(own: string, { type, word }: Pick<Column, 'type' | 'word'>): string {
  const text = word ?? own
  if (type === '_text') return `array['${text}']`
  if (type === 'bytea') return `convert_to('${text}', 'UTF8')`
  if (type === '_float8') return `'{1}'`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (/^timestamptz|^date/.test(type)) return `now() + interval '1 hour'`
  if (/^int|^float|^numeric/.test(type)) return '1'
  if (type === 'bool') return 'false'
  if (type.startsWith('json')) return `to_jsonb('${text}'::text)`
  return `'${text}'`
}
