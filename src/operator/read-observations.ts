/** Reads what the metrics show for all processes: jobs and queue each time, the ledger's sums now and then. */
import type { Db } from '../postgres/database.ts'
import { observeTopShares, type TopShares } from '../store/account-usage.ts'
import { type JobsObserved, observeJobs, observeLedger } from '../store/observations.ts'

export type Observations = {
  jobs: JobsObserved
  /** Null where the sums were not asked for. */
  sums: { balancesMicros: bigint; entriesMicros: bigint; topShares: TopShares } | null
}

/** The sums read every balance and entry: `withSums` is for callers who wait between two of them. */
export async function readObservations(
  db: Db,
  { withSums }: { withSums: boolean },
): Promise<Observations> {
  const jobs = await observeJobs(db)
  if (!withSums) return { jobs, sums: null }
  const ledger = await observeLedger(db)
  return { jobs, sums: { ...ledger, topShares: await observeTopShares(db) } }
}
