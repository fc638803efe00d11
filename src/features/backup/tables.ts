/** What a backup holds, read from the database's own catalogue: tables in order, columns, sequences. */
import type pg from 'pg'
import { type BackupHeader, BackupError } from './format.ts'
import { type BackupPlan, namesIn } from './plan.ts'

type TableRow = { name: string; columns: string[]; refers_to: string[] }

/**
 * Returns the tables that a plan keeps; a table stands before those that refer to it. Unlogged tables and generated
 * columns are always left out. Throws a `BackupError` that names what the plan does not know.
 */
export async function readTables(
  client: pg.PoolClient,
  plan: BackupPlan,
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
  requirePlanned(rows, plan)
  const kept = rows.filter(({ name }) => name in plan.kept)
  return inOrder(kept).map(({ name, columns }) => {
    const wanted = namesIn(plan.kept[name]?.keep)
    return { name, columns: columns.filter((column) => wanted.includes(column)) }
  })
}

/**
 * Throws for a table or column that the plan does not name: a backup that silently lacks something, or holds a secret
 * that was not considered, is worse than none.
 */
function requirePlanned(tables: TableRow[], { kept, leftOut }: BackupPlan): void {
  const unplanned = tables.flatMap(({ name, columns }) => {
    if (name in leftOut) return []
    const table = kept[name]
    if (table === undefined) return [name]
    const known = [...namesIn(table.keep), ...namesIn(table.leaveOut)]
    return columns.filter((column) => !known.includes(column)).map((column) => `${name}.${column}`)
  })
  const existing = new Map(tables.map(({ name, columns }) => [name, columns]))
  const gone = Object.entries(kept).flatMap(([name, { keep }]) =>
    namesIn(keep)
      .filter((column) => !(existing.get(name) ?? []).includes(column))
      .map((column) => `${name}.${column}`),
  )
  if (unplanned.length === 0 && gone.length === 0) return
  throw new BackupError(
    unplanned.length > 0
      ? `nobody has decided whether backups hold ${unplanned.join(', ')}: decide in src/features/backup/plan.ts, or move tables of your own to another schema`
      : `the database lacks ${gone.join(', ')}, which src/features/backup/plan.ts names`,
  )
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
