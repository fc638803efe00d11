/** One attempt's work on a job: planning and fetching side by side, until it ends in one of a closed list of ways. */
import { isDatabaseAway } from '../kit/postgres/database.ts'
import { fetchRows, openPlanned } from './fetch-rows.ts'
import { type JobRun, WriteRefused } from './job-run.ts'
import { planJob } from './plan-job.ts'
import type { Stop, StopKind } from '../kit/stop.ts'

export type Ending =
  /** Everything that the job takes up is planned and recorded. */
  | { kind: 'complete' }
  /** The attempt was stopped from outside, or hands the job back. */
  | { kind: StopKind }
  /** A write was refused; only the database knows why. */
  | { kind: 'refused' }
  | { kind: 'database_lost' }
  /** A fault in our code. */
  | { kind: 'failed'; error: unknown }

/** Returns how the attempt ended. Never throws. */
export async function attemptJob(run: JobRun): Promise<Ending> {
  const { stop } = run
  const timer = setTimeout(() => stop.because('out_of_time'), msLeft(run))
  try {
    await planAndFetch(run)
    return { kind: 'complete' }
  } catch (error) {
    return endingOf(error, run)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns what a failure means. A stop wins over every other failure, since it cuts work short. So does draining,
 * except over a refused write: then the job may have been cancelled or taken by another attempt.
 */
export function endingOf(
  error: unknown,
  { stop, draining }: { stop: Stop; draining: AbortSignal },
): Ending {
  if (stop.kind !== null) return { kind: stop.kind }
  if (error instanceof WriteRefused) return { kind: 'refused' }
  if (draining.aborted) return { kind: 'handed_back' }
  return isDatabaseAway(error) ? { kind: 'database_lost' } : { kind: 'failed', error }
}

/** Plans and fetches side by side; the first failure of one stops the other. */
async function planAndFetch(run: JobRun): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([run.signal, failed.signal])
  const both = { ...run, signal }
  const planned = openPlanned(run.ctx.db, run.begun)
  const fetching = fetchRows(both, planned)
  const planning = planJob(both, planned.add).then(() => planned.add([], true))
  const parts = [planning, fetching].map((part) =>
    part.catch((error: unknown) => failed.abort(error)),
  )
  await Promise.all(parts)
  signal.throwIfAborted()
}

/** The longest delay that a timer can hold, some 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

function msLeft({ endsAtMs }: JobRun): number {
  return Math.min(Math.max(0, endsAtMs - performance.now()), TIMER_MS_MAX)
}
