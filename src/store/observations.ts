/** Observations of the whole database for metrics and operators: open jobs, sums over the ledger, sizes on disk. */
import { type Db, query } from './database.ts'

export async function observeJobs(db: Db) {
  const rows = await query<{ state: string; count: number; oldest: number | null }>`
    select s.state, count(j.id)::int as count,
      max(extract(epoch from now() - j.created_at))::double precision as oldest
    from unnest(array['queued', 'running', 'cancelling']) as s (state)
    left join job j on j.state = s.state and j.state in ('queued', 'running', 'cancelling')
    group by s.state
  `.rows(db)
  const restingRoutes = await query<{ resting: number }>`
    select count(*)::int as resting from egress_route where rest_until > now()
  `.value(db)
  const suspendedAccounts = await query<{ accounts: number }>`
    select count(*)::int as accounts from account where suspended_at is not null
  `.value(db)
  return {
    states: rows.map(({ state, count }) => ({ state, count })),
    /** The age of the oldest queued job; 0 where none is queued. */
    oldestQueuedSeconds: rows.find(({ state }) => state === 'queued')?.oldest ?? 0,
    restingRoutes,
    suspendedAccounts,
  }
}

/** Returns the sum of all balances and the sum of all entries, from one snapshot. */
export async function observeLedger(db: Db) {
  return query<{ balancesMicros: bigint; entriesMicros: bigint }>`
    select (select coalesce(sum(posted_micros), 0)::bigint from balance) as "balancesMicros",
      (select coalesce(sum(posted_micros), 0)::bigint from ledger_entry) as "entriesMicros"
  `.onlyRow(db)
}

// The database's size on disk, and how it grows.

type TableSize = {
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
  return query<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes
  `.value(db)
}

/** Returns the largest tables first. No table is read: PostgreSQL asks the file system for the sizes. */
export async function listTableSizes(db: Db, limit: number): Promise<TableSize[]> {
  return query<TableSize>`
    select c.relname::text as name, pg_total_relation_size(c.oid)::float8 as bytes,
      pg_indexes_size(c.oid)::float8 as "indexBytes",
      case when c.reltoastrelid = 0 then 0 else pg_total_relation_size(c.reltoastrelid) end::float8 as "toastBytes",
      greatest(0, c.reltuples)::float8 as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema()
    order by bytes desc, name limit ${limit}
  `.rows(db)
}

/** Bytes of transcripts that each of the last `days` (UTC) added, oldest first, including days without any. */
export async function listStoredBytes(db: Db, days: number) {
  return query<{ day: string; storedBytes: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(u.stored_bytes), 0)::float8 as "storedBytes"
    from generate_series((now() at time zone 'utc')::date - ${days - 1}::int, (now() at time zone 'utc')::date, interval '1 day')
      as d (day) left join account_usage u on u.day = d.day
    group by d.day order by d.day
  `.rows(db)
}

type ServerFacts = {
  connectionsUsed: number
  connectionsMax: number
  slotBytes: number
  /** Null without the role pg_monitor, as what they have not applied, which is null without one, too. */
  standbys: number | null
  lagBytes: number | null
}

/** A logical subscriber, and a program that only collects WAL or copies the server, are no standbys. */
export async function observeServer(db: Db): Promise<ServerFacts> {
  return query<ServerFacts>`
    with here as materialized (select case when not pg_is_in_recovery() then pg_current_wal_lsn() end as lsn),
    standby as materialized (
      select r.state is null as is_hidden, pg_wal_lsn_diff(lsn, replay_lsn)::float8 as bytes
      from pg_stat_replication r, here where (r.state is null or replay_lsn is not null)
        and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
    )
    select (select count(*)::int from pg_stat_activity where datid is not null and usesysid is not null
        and coalesce(backend_type, 'client backend') = 'client backend') as "connectionsUsed",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as "connectionsMax",
      (select coalesce(max(pg_wal_lsn_diff(lsn, restart_lsn)), 0)::float8 from pg_replication_slots) as "slotBytes",
      (select count(*)::int from standby having bool_or(is_hidden) is not true) as standbys,
      (select max(bytes) from standby) as "lagBytes"
    from here
  `.onlyRow(db)
}
