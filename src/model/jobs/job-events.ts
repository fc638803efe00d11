/**
 * Job events: what followers of a job are told, as a stream.
 *
 *     job    the job as it is now: first of all, when its state or the number of videos found changes,
 *            and at the latest after JOB_EVERY_ROWS rows
 *     video  a finished row; its id is the row's number in order of completion: 1, 2, 3 …
 *     end    the job is final and every row was told; its id is that of the last row
 *
 * Where the database lost rows in a failover, the same numbers are given out again. So an id also says the epoch in
 * which it was given, the number of such failovers: a follower that names one of an earlier epoch begins again.
 *
 * Rows are numbered once and without gaps, so an id says all that a follower has had: a follower that
 * names one gets what comes behind it, from any process. Where nothing does, there is no stream.
 */
import { isFinal, JOB_STATES, type JobState } from './job.ts'

/** Number of rows between two `job` events, which followers count themselves: a `job` is as long as three rows. */
export const JOB_EVERY_ROWS = 50

/** How far a job is. Each of the three only ever grows. */
export type JobProgress = { state: JobState; processed: number; discovered: number }

/** Returns whether `job` is a later look at a job than `than`: looks may overtake each other. */
export function isLater(job: JobProgress, than: JobProgress): boolean {
  return progressOf(job) > progressOf(than)
}

/**
 * Returns a number that grows with each of the three. Final states are one rank: a job never goes from one to another.
 */
function progressOf({ state, processed, discovered }: JobProgress): number {
  const rank = isFinal(state) ? JOB_STATES.length : JOB_STATES.indexOf(state)
  return rank + processed + discovered
}

/** Returns whether it is time for a `job` event. `told` is the job of the last one, null where there was none. */
export function isJobDue(job: JobProgress, told: JobProgress | null): boolean {
  return (
    told === null ||
    job.state !== told.state ||
    job.discovered !== told.discovered ||
    job.processed - told.processed >= JOB_EVERY_ROWS
  )
}

/** Ids of an epoch follow those of the one before; no job has as many rows. The first epoch is 0. */
const IDS_OF_EPOCH = 1_000_000_000
const WHOLE = /^\d{1,15}$/

/** Returns the id of the event that tells a row, by its number in order of completion. */
export function eventIdOf(row: number, epoch: number): number {
  return epoch * IDS_OF_EPOCH + row
}

/**
 * Returns the number of the last row that a follower has had, by its Last-Event-ID: 0 where that is of an earlier
 * epoch; null for an id of another job.
 */
export function lastRowOf(
  id: string | undefined,
  { processed }: JobProgress,
  epoch: number,
): number | null {
  if (id === undefined || id === '') return 0
  if (!WHOLE.test(id)) return null
  const row = Number(id) - eventIdOf(0, epoch)
  return row > processed ? null : Math.max(0, row)
}

/** Returns whether a follower that names the id of an event has had everything there will ever be. */
export function hasHadAll(id: string | undefined, job: JobProgress, epoch: number): boolean {
  if (id === undefined || !WHOLE.test(id)) return false
  return isFinal(job.state) && Number(id) === eventIdOf(job.processed, epoch)
}
