/** Contents of a backup, read from the database's own catalogue: tables in order, columns, sequences. */
import type pg from 'pg'
import { type BackupHeader, BackupError } from './format.ts'
import { kindOf, type Register, undecidedColumns } from '../../store/register.ts'

type TableRow = { name: string; columns: string[]; refers_to: string[] }

/** Whether backups hold a table that is logged; an earlier release may have had one that is not named any more. */
export function isBackedUp(register: Register, table: string): boolean {
  const { backup } = register[table] ?? {}
  return backup === undefined || !('none' in backup)
}

/** Whether backups hold a column of a table that they hold. */
export function isColumnBackedUp(register: Register, table: string, column: string): boolean {
  const kind = kindOf(register, table, column)
  return kind !== 'secret' && kind !== 'left_out'
}

/**
 * Returns the tables that backups hold; a table stands before those that refer to it. Unlogged tables, which a crash of
 * the database empties, and generated columns are always left out. Throws a `BackupError` that names tables which the
 * register does not know, and columns that sound like a secret of which it says nothing: a backup that silently lacks
 * something, or holds a secret that was not considered, is worse than none.
 */
export async function readTables(
  client: pg.PoolClient,
  register: Register,
): Promise<BackupHeader['tables']> {
  const { rows } = await client.query<TableRow>(
    `select t.relname::text as name,
      (select coalesce(array_agg(a.attname::text order by a.attnum), '{}')
        from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns,
      (select coalesce(array_agg(distinct r.relname::text), '{}')
        from pg_constraint c
        join pg_class r on r.oid = c.confrelid
        where c.conrelid = t.oid and c.contype = 'f' and r.oid <> t.oid
      ) as refers_to
    from pg_class t
    where t.relnamespace = 'public'::regnamespace
      and t.relkind = 'r' and t.relpersistence = 'p'
    order by t.relname`,
  )
  const unknown = rows.flatMap(({ name, columns }) => {
    if (!(name in register)) return [name]
    return isBackedUp(register, name) ? undecidedColumns(register, name, columns) : []
  })
  if (unknown.length > 0)
    throw new BackupError(
      `nobody has decided whether backups hold ${unknown.join(', ')}: decide in src/store/register.ts, or move tables of your own to another schema`,
    )
  return inOrder(rows.filter(({ name }) => isBackedUp(register, name))).map((table) => {
    const isKept = (column: string): boolean => isColumnBackedUp(register, table.name, column)
    return { name: table.name, columns: table.columns.filter(isKept) }
  })
}

/** Returns where the sequences stand; to be read inside the snapshot, so that no row is ahead of them. */
export async function readSequences(client: pg.PoolClient): Promise<BackupHeader['sequences']> {
  const { rows } = await client.query<{ name: string; start: string; last: string | null }>(
    `select sequencename::text as name, start_value::text as start, last_value::text as last
    from pg_sequences
    where schemaname = 'public'
    order by sequencename`,
  )
  return rows.map(({ name, start, last }) => ({
    name,
    lastValue: last ?? start,
    isCalled: last !== null,
  }))
}

/**
 * Returns the tables ordered by what they refer to, else by name. A circle of references would need deferred
 * constraints.
 */
function inOrder(tables: TableRow[]): TableRow[] {
  const names = new Set(tables.map(({ name }) => name))
  const placed = new Set<string>()
  const ordered: TableRow[] = []
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, refers_to: others }) =>
        !placed.has(name) && others.every((other) => placed.has(other) || !names.has(other)),
    )
    if (next.length === 0) throw new BackupError('tables refer to each other in a circle')
    for (const table of next) placed.add(table.name)
    ordered.push(...next)
  }
  return ordered
}
