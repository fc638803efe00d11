/** What a backup holds, read from the database's own catalogue: tables in order, columns, sequences. */
import type pg from 'pg'
import { type BackupHeader, BackupError } from './backup-format.ts'

/**
 * Tables that no backup holds: the target has its own migrations, and sessions of the website would
 * outlive a sign-out. The queue is in a schema of its own; buckets are unlogged and left out as such.
 */
const LEFT_OUT = ['migration', 'session']

type TableRow = { name: string; columns: string[]; refers_to: string[] }

/** The ordinary tables of schema public, those that others refer to first; generated columns left out. */
export async function readTables(client: pg.PoolClient): Promise<BackupHeader['tables']> {
  const { rows } = await client.query<TableRow>(
    `select t.relname as name,
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
      and t.relkind = 'r' and t.relpersistence = 'p' and t.relname <> all ($1)
    order by t.relname`,
    [LEFT_OUT],
  )
  return inOrder(rows).map(({ name, columns }) => ({ name, columns }))
}

/** Where the sequences stand; to be read inside the snapshot, so that no row is ahead of them. */
export async function readSequences(client: pg.PoolClient): Promise<BackupHeader['sequences']> {
  const { rows } = await client.query<{ name: string; start: string; last: string | null }>(
    `select sequencename::text as name, start_value::text as start, last_value::text as last
    from pg_sequences
    where schemaname = 'public'
    order by sequencename`,
  )
  return rows.map(({ name, start, last }) => ({ name, lastValue: last ?? start, isCalled: last !== null }))
}

export async function readAppliedMigrations(client: pg.PoolClient): Promise<BackupHeader['migrations']> {
  const { rows } = await client.query('select name, sha256 from migration order by name')
  return rows
}

/** By what they refer to, else by name. A circle of references would need deferred constraints. */
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
