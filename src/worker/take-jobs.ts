/** Claims waiting jobs while the worker has places, and parks one for the next in line where it has none. */
import { claimJob, readLine } from '../store/job-queue.ts'
import type { Db } from '../store/database.ts'
import type { Attempt } from '../model/jobs/attempt.ts'
import type { HeldJob, HeldJobs } from './held-jobs.ts'

export type Taking = {
  db: Db
  jobs: HeldJobs
  /** Number of jobs that the worker runs at once. */
  places: number
  /** Aborted when no more are to be claimed. */
  signal: AbortSignal
  start(attempt: Attempt): void
  /** Called with a job that is to give up its place. */
  onParking(held: HeldJob): void
}

/**
 * Claims jobs until no place is free or no job waits. One job is parked at a time; its place is claimed when it has
 * left.
 */
export async function takeJobs(taking: Taking): Promise<void> {
  const { db, jobs, places, signal, start, onParking } = taking
  while (jobs.size < places && !signal.aborted) {
    const attempt = await claimJob(db, jobs.fullAccounts(places))
    if (attempt === null) return
    start(attempt)
  }
  if (signal.aborted || jobs.all.some(({ place }) => place.isParking)) return
  const { accountId, places: held } = await readLine(db)
  if (accountId === null) return
  const isFull = jobs.fullAccounts(places).includes(accountId)
  const parked = jobs.park({ accountId, isFull, places: held })
  if (parked !== null) onParking(parked)
}
