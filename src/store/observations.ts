/** What the metrics read: small queries over open jobs, and sums over the ledger. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export type JobsObserved = {
  states: { state: string; count: number }[]
  /** The age of the oldest queued job; 0 where none is queued. */
  oldestQueuedSeconds: number
  restingRoutes: number
  suspendedAccounts: number
}

export async function observeJobs(db: Db): Promise<JobsObserved> {
  const { rows } = await sql<{ state: string; count: number; oldest: number | null }>`
    select s.state, count(j.id)::int as count,
      max(extract(epoch from now() - j.created_at))::double precision as oldest
    from unnest(array['queued', 'running', 'cancelling']) as s (state)
    left join job j on j.state = s.state and j.state in ('queued', 'running', 'cancelling')
    group by s.state
  `.execute(db)
  const routes = await sql<{ resting: number }>`
    select count(*)::int as resting from egress_route where rest_until > now()
  `.execute(db)
  const suspended = await sql<{ accounts: number }>`
    select count(*)::int as accounts from account where suspended_at is not null
  `.execute(db)
  return {
    suspendedAccounts: suspended.rows[0]?.accounts ?? 0,
    states: rows.map(({ state, count }) => ({ state, count })),
    oldestQueuedSeconds: rows.find(({ state }) => state === 'queued')?.oldest ?? 0,
    restingRoutes: routes.rows[0]?.resting ?? 0,
  }
}

/** Returns the sum of all balances and the sum of all entries, from one snapshot. */
export async function observeLedger(
  db: Db,
): Promise<{ balancesMicros: bigint; entriesMicros: bigint }> {
  const { rows } = await sql<{ balancesMicros: bigint; entriesMicros: bigint }>`
    select (select coalesce(sum(posted_micros), 0)::bigint from balance) as "balancesMicros",
      (select coalesce(sum(posted_micros), 0)::bigint from ledger_entry) as "entriesMicros"
  `.execute(db)
  return rows[0] ?? { balancesMicros: 0n, entriesMicros: 0n }
}
