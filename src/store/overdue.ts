/** Expired rows: the ones that a sweep deletes next. */
import { type RawBuilder, type SelectType, sql } from 'kysely'
import type { Tables } from './tables.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

/**
 * SQL, in parentheses, for the keys of up to `rowsMax` rows whose instant in the column `endsAt` has passed, the oldest
 * first. Rows that another sweep is deleting are skipped.
 */
export function overdue<Table extends keyof Tables, Key extends Column<Table>>(
  { table, key, endsAt }: { table: Table; key: Key; endsAt: Column<Table> },
  rowsMax: number,
): RawBuilder<SelectType<Tables[Table][Key]>> {
  return sql`(select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(endsAt)} < now()
    order by ${sql.ref(endsAt)} limit ${rowsMax} for update skip locked)`
}
