/**
 * The register of tables: each is named once, with its writers, how its rows belong to an account, and what becomes of
 * them in backups, exports and erasures, by themselves and in time. A table that is not named stops a backup and fails
 * a test, so that no decision is forgotten; a new one is a row of a file in `store/register`.
 */
import {
  type ColumnKind,
  type Erasure,
  type LatestRows,
  NUMBER_FILES,
  type NumberName,
  type TableEntry,
} from './register/entry.ts'
import { TABLES_OF_ORDERS } from './register/orders.ts'
import { TABLES_OF_PEOPLE } from './register/people.ts'
import { TABLES_OF_SERVICE } from './register/service.ts'
import { TABLES_OF_WATCHING } from './register/watching.ts'

export type Register = Readonly<Record<string, TableEntry>>

const TABLES = {
  ...TABLES_OF_PEOPLE,
  ...TABLES_OF_ORDERS,
  ...TABLES_OF_WATCHING,
  ...TABLES_OF_SERVICE,
}

/** All tables. Of those that are erased alike, each stands behind the ones that its rows refer to. */
export const REGISTER: Register = TABLES

type Tables = typeof TABLES
/** A table of which a sweep deletes the rows that are due. */
export type SweptTable = {
  [Name in keyof Tables]: Tables[Name] extends { swept: string } ? Name : never
}[keyof Tables]

/** Returns the column with the instant by which a sweep deletes rows. */
export function sweptBy(table: SweptTable): string {
  return TABLES[table].swept
}

/** A table of which an owner keeps the latest rows. */
export type TableOfLatest = {
  [Name in keyof Tables]: Tables[Name] extends { latest: object } ? Name : never
}[keyof Tables]

/** Returns the order in which an owner's rows are kept. */
export function latestOf(table: TableOfLatest): LatestRows {
  return TABLES[table].latest
}

/** Returns the table's row. Throws where the register does not name it. */
export function entryOf(register: Register, table: string): TableEntry {
  const entry = register[table]
  if (entry === undefined) throw new Error(`src/store/register.ts does not name ${table}`)
  return entry
}

/** Returns what kind of column the register says that it is; null where it says nothing, which is as the others. */
export function kindOf(register: Register, table: string, column: string): ColumnKind | null {
  const kinds = Object.entries(register[table]?.columns ?? {}) as [ColumnKind, string][]
  return kinds.find(([, names]) => names.split(' ').includes(column))?.[0] ?? null
}

/** Returns the columns that are secrets, which no export shows. */
export function hiddenColumns(register: Register, table: string): string[] {
  const { secret, kept_secret: kept } = register[table]?.columns ?? {}
  return [secret, kept].flatMap((names) => names?.split(' ') ?? [])
}

const SOUNDS_SECRET =
  /secret|hash|token|password|private_|sealed|challenge|credential|cookie|nonce|(?:^|_)(?:key|value)$|(?<!language_)code$/

/** Returns the columns that sound like a secret and of which the register does not say whether they are one. */
export function undecidedColumns(
  register: Register,
  table: string,
  columns: readonly string[],
): string[] {
  return columns
    .filter((column) => SOUNDS_SECRET.test(column) && kindOf(register, table, column) === null)
    .map((column) => `${table}.${column}`)
}

/** Returns the names of the tables that are erased so, each before those that its rows refer to. */
export function tablesErased(register: Register, how: Extract<Erasure, string>): string[] {
  return Object.keys(register)
    .filter((table) => register[table]?.erased === how)
    .toReversed()
}

/** Returns SQL that is true for the table's rows of the account `$1`; false where no id leads to one. */
export function rowsOfAccount(register: Register, table: string): string {
  const { path } = entryOf(register, table)
  if (path == null) return 'false'
  const { column, of, key } = path
  if (of === 'account' && key === undefined) return `${column} = $1`
  return `${column} in (select ${key ?? 'id'} from ${of} where ${rowsOfAccount(register, of)})`
}

/** Returns the file and the constant behind the name of a number. */
export function placeOfNumber(name: NumberName): { file: string; constant: string } {
  const dot = name.indexOf('.')
  const file = NUMBER_FILES[name.slice(0, dot) as keyof typeof NUMBER_FILES]
  return { file, constant: name.slice(dot + 1) }
}
