/** The table `canary`: one row with the run that is under way, and what the last one found. */
import { sql } from 'kysely'
import type { CanaryResult, CanaryState, CanaryVerdict } from '../model/operator/canary.ts'
import { type Db, query, type Tx } from './database.ts'

/** A canary that has not run for its interval and so long belongs to a service that no longer keeps one. */
const FORGOTTEN_AFTER_SECONDS = 24 * 3600

/**
 * Claims the next run for one of all processes. Returns its number; null where none is due or another process has it. A
 * process that is gone loses its claim after `leaseSeconds`.
 */
export async function claimCanary(
  db: Db,
  { everySeconds, leaseSeconds }: { everySeconds: number; leaseSeconds: number },
): Promise<bigint | null> {
  const claimed = await query<{ run: bigint }>`
    insert into canary as c (id, run, leased_until, every_seconds)
    values (1, 1, now() + make_interval(secs => ${leaseSeconds}), ${everySeconds})
    on conflict (id) do update
    set run = c.run + 1, leased_until = excluded.leased_until, every_seconds = excluded.every_seconds
    where (c.leased_until is null or c.leased_until <= now() or c.leased_until > excluded.leased_until)
      and (c.checked_at is null or c.checked_at > now()
        or c.checked_at <= now() - make_interval(secs => ${everySeconds}))
    returning c.run
  `.firstRow(db)
  return claimed?.run ?? null
}

/** Gives a run back, so that any process may claim it at once. */
export async function releaseCanary(db: Db, run: bigint): Promise<void> {
  await sql`update canary set leased_until = null where run = ${run}`.execute(db)
}

/**
 * Records what a run found. Returns the verdict before it, null where there was none; or `lost` where another process
 * has claimed the next run meanwhile, and nothing was changed.
 */
export async function endCanary(
  tx: Tx,
  { run, verdict, failing, detail }: CanaryResult & { run: bigint },
): Promise<CanaryVerdict | 'lost' | null> {
  const ended = await query<{ before: CanaryVerdict | null }>`
    update canary c set verdict = ${verdict}, failing = ${JSON.stringify(failing)}::jsonb, detail = ${detail},
      since = case when b.verdict = ${verdict} then c.since else now() end, checked_at = now(), leased_until = null
    from (select id, verdict from canary where run = ${run} for update) b
    where c.id = b.id returning b.verdict as before
  `.firstRow(tx)
  return ended === null ? 'lost' : ended.before
}

/** Returns what the last run found; null where no canary is kept, or no run has ended. */
export async function readCanary(db: Db): Promise<CanaryState | null> {
  const row = await query<{
    verdict: CanaryVerdict | null
    since: Date | null
    checkedAt: Date | null
    failing: CanaryState['failing']
    detail: string | null
  }>`
    select verdict, since, checked_at as "checkedAt", failing, detail from canary
    where checked_at > now() - make_interval(secs => every_seconds + ${FORGOTTEN_AFTER_SECONDS})
  `.firstRow(db)
  if (row === null) return null
  const { verdict, since, checkedAt, ...found } = row
  return verdict === null || since === null || checkedAt === null
    ? null
    : { verdict, since, checkedAt, ...found }
}
