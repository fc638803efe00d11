/**
 * Indexes and foreign keys, which cost least where all rows are there: a restore takes them off the empty tables, and
 * makes them again as PostgreSQL itself writes them. Triggers stay, and see each row as they always do.
 */
import pg from 'pg'

/** Memory for making an index or comparing the tables of a foreign key, unless the server gives more. */
const MAKING_MB = 256

const FOREIGN_KEYS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as undo,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as redo
  from pg_constraint
  where contype = 'f' and conrelid = any($1::regclass[])
  order by oid`
/** Indexes and the constraints made of them, but those that others depend on or of which no definition says all. */
const INDEXES = `
  select case when c.oid is null then format('drop index %s', indexrelid::regclass)
      else format('alter table %s drop constraint %I', indrelid::regclass, conname) end as undo,
    case when c.oid is null then pg_get_indexdef(indexrelid)
      else format('alter table %s add constraint %I %s', indrelid::regclass, conname, pg_get_constraintdef(c.oid)) end as redo
  from pg_index
  join pg_class i on i.oid = indexrelid
  left join pg_constraint c on conindid = indexrelid and conrelid = indrelid and contype <> 'f'
  where indrelid = any($1::regclass[]) and indisvalid and not indisreplident and not indisclustered
    and reltablespace = 0 and (c.oid is null or reloptions is null)
    and not exists (select from pg_depend where refobjid in (indexrelid, c.oid) and deptype = 'n')
  order by indexrelid`

/** Takes indexes and foreign keys off these tables for the rest of a transaction; returns what makes them again. */
export async function takeOff(
  client: pg.PoolClient,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const tables = names.map((name) => `public.${pg.escapeIdentifier(name)}`)
  const keys = await takeOffEach(client, FOREIGN_KEYS, tables)
  const indexes = await takeOffEach(client, INDEXES, tables) // no foreign key of these tables depends on them any more
  return async () => {
    await client.query(
      `select set_config(name, greatest(setting::bigint, $1)::text, true)
      from pg_settings where name = 'maintenance_work_mem'`,
      [MAKING_MB * 1024],
    )
    for (const statement of [...indexes, ...keys]) await client.query(statement)
  }
}

async function takeOffEach(
  client: pg.PoolClient,
  list: string,
  tables: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ undo: string; redo: string }>(list, [tables])
  for (const { undo } of rows) await client.query(undo)
  return rows.map(({ redo }) => redo)
}
