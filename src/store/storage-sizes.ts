/** The database's size on disk, and how it grows. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export type TableSize = {
  name: string
  /** Bytes on disk, the two parts below included. */
  bytes: number
  indexBytes: number
  /** Bytes of long values, mostly texts, which PostgreSQL stores apart. */
  toastBytes: number
  /** The planner's latest estimate. */
  rows: number
}

export async function readDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes
  `.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Returns the largest tables first. No table is read: PostgreSQL asks the file system for the sizes. */
export async function listTableSizes(db: Db, limit: number): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select c.relname::text as name, pg_total_relation_size(c.oid)::float8 as bytes,
      pg_indexes_size(c.oid)::float8 as "indexBytes",
      case when c.reltoastrelid = 0 then 0 else pg_total_relation_size(c.reltoastrelid) end::float8 as "toastBytes",
      greatest(0, c.reltuples)::float8 as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema()
    order by bytes desc, name limit ${limit}
  `.execute(db)
  return rows
}

/** Bytes of transcripts that each of the last `days` (UTC) added, oldest first, including days without any. */
export async function listStoredBytes(
  db: Db,
  days: number,
): Promise<{ day: string; storedBytes: number }[]> {
  const { rows } = await sql<{ day: string; storedBytes: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(u.stored_bytes), 0)::float8 as "storedBytes"
    from generate_series((now() at time zone 'utc')::date - ${days - 1}::int, (now() at time zone 'utc')::date, interval '1 day')
      as d (day) left join account_usage u on u.day = d.day
    group by d.day order by d.day
  `.execute(db)
  return rows
}
