/** Rows of an account as its export shows them, of any table for which the register says so. */
import { sql } from 'kysely'
import { type Db, query } from './database.ts'
import { hiddenColumns, REGISTER, rowsOfAccount } from './register.ts'
import type { Path } from './register/entry.ts'

/** A table as the database's catalogue has it: the columns that are no secret, and those of its primary key. */
export type ExportedTable = { table: string; columns: string[]; key: string[] }

/** Rows whose column holds an owner's id, after the place of the last one that was read. */
type ExportedPage = ExportedTable & {
  column: string
  ownerId: string
  after: string[] | null
  limit: number
}

/** `line` is the row as JSON, with names as the API spells them and instants in UTC; `place` is its key. */
export type ExportedRow = { place: string[]; line: string }

/** Returns the tables' columns that may be shown, and their keys; a column that is added later is one of them. */
export async function describeExported(db: Db, tables: string[]): Promise<ExportedTable[]> {
  const described = await query<ExportedTable>`
    select c.relname::text as table,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum
      ) as columns,
      array(
        select a.attname::text from pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.place
      ) as key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables})
  `.rows(db)
  return described.map(({ table, columns, key }) => {
    const hidden = hiddenColumns(REGISTER, table)
    return { table, columns: columns.filter((column) => !hidden.includes(column)), key }
  })
}

/** Returns what a table's column holds where its rows are of the account: ids of few rows, as the register says. */
export async function listOwnerIds(
  db: Db,
  { of, key = 'id' }: Path,
  accountId: string,
): Promise<string[]> {
  const [before = '', after = ''] = rowsOfAccount(REGISTER, of).split('$1')
  const rows = await query<{ id: string | null }>`
    select (${sql.raw(key)})::text as id from ${sql.table(of)}
    where ${sql.raw(before)}${accountId}${sql.raw(after)} order by 1
  `.rows(db)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** Returns up to `limit` rows, in the order of the primary key. */
export async function listExportedRows(
  db: Db,
  { table, columns, key, column, ownerId, after, limit }: ExportedPage,
): Promise<ExportedRow[]> {
  const shown = columns.map((name) => sql`t.${sql.ref(name)} as ${sql.ref(inCamelCase(name))}`)
  const keys = key.map((name) => sql`t.${sql.ref(name)}`)
  const place = keys.map((name) => sql`${name}::text`)
  const later = after === null ? sql`` : sql`and (${sql.join(keys)}) > (${sql.join(after)})`
  // JSON has instants in the zone of the session, which is the server's own.
  return query<ExportedRow>`
    select array[${sql.join(place)}] as place, (select to_json(s)::text from (select ${sql.join(shown)}) s) as line
    from (select set_config('TimeZone', 'UTC', true)) utc cross join ${sql.table(table)} t
    where t.${sql.ref(column)} = ${ownerId} ${later}
    order by ${sql.join(keys)} limit ${limit}
  `.rows(db)
}

function inCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
