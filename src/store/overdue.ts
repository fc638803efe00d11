/** Rows that are over: which of them a sweep deletes next. */
import { type RawBuilder, type SelectType, sql } from 'kysely'
import type { Tables } from './tables.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

/**
 * The keys of up to `rowsMax` rows whose instant in the column `endsAt` is past, the oldest first, in
 * parentheses; those that another sweep deletes are passed over.
 */
export function overdue<Table extends keyof Tables, Key extends Column<Table>>(
  { table, key, endsAt }: { table: Table; key: Key; endsAt: Column<Table> },
  rowsMax: number,
): RawBuilder<SelectType<Tables[Table][Key]>> {
  return sql`(select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(endsAt)} < now()
    order by ${sql.ref(endsAt)} limit ${rowsMax} for update skip locked)`
}
