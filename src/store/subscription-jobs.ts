/** The table `subscription_job`: the jobs that subscriptions started, and the month against which each counts. */
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

export async function insertSubscriptionJob(
  tx: Tx,
  line: { subscriptionId: string; slot: number; jobId: string; month: string },
): Promise<void> {
  const { subscriptionId, slot, jobId, month } = line
  await tx
    .insertInto('subscription_job')
    .values({ subscription_id: subscriptionId, slot, job_id: jobId, month })
    .execute()
}

/** What the month's jobs cost, in micros: the charges of final jobs and the reserves of open ones. */
export async function sumSpent(
  tx: Tx,
  { subscriptionId, month }: { subscriptionId: string; month: string },
): Promise<bigint> {
  const { rows } = await sql<{ micros: bigint }>`
    select coalesce(sum(coalesce(j.charged_micros, j.reserved_micros)), 0)::bigint as micros
    from subscription_job s join job j on j.id = s.job_id
    where s.subscription_id = ${subscriptionId} and s.month = ${month}
  `.execute(tx)
  return rows[0]?.micros ?? 0n
}

export type SubscriptionSpending = { id: string; spentMicros: bigint; jobIds: string[] }

/**
 * Returns, for each subscription, what this month's jobs cost (the month is the database's, in UTC) and its latest
 * jobs, newest first.
 */
export async function readSpendingOfMonth(
  db: Db,
  { subscriptionIds, jobsMax }: { subscriptionIds: string[]; jobsMax: number },
): Promise<SubscriptionSpending[]> {
  const { rows } = await sql<SubscriptionSpending>`
    select k.id, coalesce(m.micros, 0)::bigint as "spentMicros", coalesce(l.ids, '{}') as "jobIds"
    from unnest(${subscriptionIds}::text[]) as k (id)
    left join lateral (
      select sum(coalesce(j.charged_micros, j.reserved_micros)) as micros
      from subscription_job s join job j on j.id = s.job_id
      where s.subscription_id = k.id and s.month = to_char(now() at time zone 'utc', 'YYYY-MM')
    ) m on true
    left join lateral (
      select array_agg(job_id order by slot desc) as ids from (
        select job_id, slot from subscription_job where subscription_id = k.id order by slot desc limit ${jobsMax}
      ) latest
    ) l on true
  `.execute(db)
  return rows
}
