/** Reads what the metrics show for all processes: jobs and queue each time, the ledger's sums now and then. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { observeTopShares, type TopShares } from '../../store/account-usage.ts'
import { type JobsObserved, observeJobs, observeLedger } from '../../store/observations.ts'
import { observeSubscriptions, type SubscriptionsObserved } from '../../store/subscriptions.ts'
import { type DeliveriesObserved, observeDeliveries } from '../../store/webhook-log.ts'

export type Observations = {
  jobs: JobsObserved
  deliveries: DeliveriesObserved
  subscriptions: SubscriptionsObserved
  /** Null where the sums were not asked for. */
  sums: { balancesMicros: bigint; entriesMicros: bigint; topShares: TopShares } | null
}

/** The sums read every balance and entry: `withSums` is for callers who wait between two of them. */
export async function readObservations(
  db: Db,
  { withSums }: { withSums: boolean },
): Promise<Observations> {
  const jobs = await observeJobs(db)
  const deliveries = await observeDeliveries(db, { perWebhook: LIMITS.deliveriesPerWebhook })
  const subscriptions = await observeSubscriptions(db)
  const observed = { jobs, deliveries, subscriptions }
  if (!withSums) return { ...observed, sums: null }
  const ledger = await observeLedger(db)
  return { ...observed, sums: { ...ledger, topShares: await observeTopShares(db) } }
}
