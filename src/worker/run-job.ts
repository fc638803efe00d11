/** Runs one attempt at a job: begins it, lets it work, and settles how that ended. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Attempt, type AttemptBudget, timeUsedUp } from '../model/jobs/attempt.ts'
import { finishAttempt, releaseJob, takeUpJob } from '../features/jobs/attempt.ts'
import { type FinalState, isFinal, type JobEnding } from '../model/jobs/job.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Platform } from '../platform/platform.ts'
import { isDatabaseAway, transact } from '../kit/postgres/database.ts'
import { findJob, type JobRecord } from '../store/jobs.ts'
import { attemptJob, type BegunRun, type Ending, endingOf } from './attempt-job.ts'
import type { JobRun } from './job-run.ts'
import type { Stop } from '../kit/stop.ts'

const DATABASE_LOSS_PAUSE_MS = 200

export type RunDeps = Omit<
  JobRun,
  'attempt' | 'job' | 'start' | 'share' | 'platform' | 'signal' | 'isAfterLoss'
> & {
  platform: Pick<Platform, 'onBehalfOf'>
  budget: AttemptBudget
  log: Logger
  metrics: Metrics
  /** Resolves when the database may answer again, or when the signal aborts. */
  databaseBack(signal: AbortSignal): Promise<void>
}

const OUR_FAULT =
  'Something went wrong on our side; what was delivered is kept and charged. Send the same URLs again to go on.'

/**
 * Resolves when the attempt is over: its job ended, waits again, or is another attempt's. Never throws. A lost database
 * is waited for and the same attempt goes on: only a lost process costs an attempt.
 */
export async function runJob(parts: RunDeps, attempt: Attempt, stop: Stop): Promise<void> {
  let run: BegunRun | null = null
  for (;;) {
    let ending: Ending
    try {
      const next: BegunRun | null = await (run === null
        ? begin(parts, attempt)
        : resume(parts, run))
      if (next === null) return
      run = next
      ending = await attemptJob(run, stop)
    } catch (error) {
      ending = endingOf(error, { stop, draining: parts.draining })
    }
    const isOver = await settle({ parts, stop, attempt, isBegun: run !== null }, ending)
    // The grace of a stop is over and nothing can be written: the job is taken back, since its heartbeat stands still.
    if (isOver || stop.kind === 'handed_back') return
    await parts.databaseBack(stop.signal).catch(() => sleep(DATABASE_LOSS_PAUSE_MS))
  }
}

/** Null where the job has nothing to do any more. */
async function begin(parts: RunDeps, attempt: Attempt): Promise<BegunRun | null> {
  const begun = await takeUpJob(parts.db, attempt, parts.budget)
  if (begun === null) return null
  return begunRun(parts, { ...begun, attempt, endsAtMs: performance.now() + begun.leftMs })
}

/** After a lost database: the attempt is still ours unless another one began meanwhile. */
async function resume(
  parts: RunDeps,
  { attempt, isAfterLoss, endsAtMs }: BegunRun,
): Promise<BegunRun | null> {
  const job = await findJob(parts.db, attempt)
  if (job !== null && job.attempt === attempt.number)
    return begunRun(parts, { attempt, job, start: null, isAfterLoss, endsAtMs })
  logFencedOff(parts, attempt)
  return null
}

function begunRun(
  parts: RunDeps,
  begun: Pick<BegunRun, 'attempt' | 'job' | 'start' | 'isAfterLoss' | 'endsAtMs'>,
): BegunRun {
  const share = { accountId: begun.job.accountId, jobId: begun.job.id }
  return { ...parts, ...begun, share, platform: parts.platform.onBehalfOf(share) }
}

/** `isBegun`: false where it could not be begun. */
type Settling = { parts: RunDeps; stop: Stop; attempt: Attempt; isBegun: boolean }

/** Records the ending. False where the database was lost: then it is waited for. */
async function settle(settling: Settling, ending: Ending): Promise<boolean> {
  const { parts, stop, attempt } = settling
  try {
    return await endAttempt(settling, ending)
  } catch (error) {
    // To finish is part of the work: where it fails, the work has failed.
    if (ending.kind === 'complete')
      return settle(settling, endingOf(error, { stop, draining: parts.draining }))
    if (isDatabaseAway(error)) return false
    // The job is taken back, since its heartbeat stands still, and what failed here counts as a lost attempt.
    parts.log.error({ err: error, jobId: attempt.jobId }, 'a job could not be ended')
    return true
  }
}

/** What becomes of the job; false where the database was lost. */
async function endAttempt({ parts, attempt, isBegun }: Settling, ending: Ending): Promise<boolean> {
  switch (ending.kind) {
    case 'complete':
      await end(parts, attempt, 'finish', null)
      return true
    case 'cancelled':
      await end(parts, attempt, 'stop', null)
      return true
    case 'out_of_time':
      await end(parts, attempt, 'interrupt', timeUsedUp(parts.budget.timeLimitMs))
      return true
    case 'failed':
      logFailed(parts, attempt, ending.error)
      if (isBegun) await end(parts, attempt, 'fail', OUR_FAULT)
      return true
    case 'ended':
      logEnded(parts, attempt)
      return true
    case 'fenced_off':
      logFencedOff(parts, attempt)
      return true
    case 'refused':
      await endRefused(parts, attempt)
      return true
    case 'handed_back':
      await releaseJob(parts.db, attempt)
      return true
    case 'database_lost':
      return false
    default:
      return ending satisfies never
  }
}

/** A write was refused: the job is being cancelled under this attempt, or it is another's. */
async function endRefused(parts: RunDeps, attempt: Attempt): Promise<void> {
  if ((await end(parts, attempt, 'stop', null)) !== null) return
  const job = await findJob(parts.db, attempt)
  const isOurs = job !== null && job.attempt === attempt.number
  if (isOurs && !isFinal(job.state)) await releaseJob(parts.db, attempt)
  else if (isOurs) logEnded(parts, attempt)
  else logFencedOff(parts, attempt)
}

async function end(
  parts: RunDeps,
  attempt: Attempt,
  event: JobEnding,
  error: string | null,
): Promise<FinalState | null> {
  const job = await transact(parts.db, (tx) => finishAttempt(tx, attempt, { event, error }))
  if (job === null) return null
  await nextTurn() // who waits for the job is answered first
  const { state } = job
  parts.metrics.jobsEnded.inc({ state })
  for (const [status, count] of Object.entries(job.counts))
    parts.metrics.rows.inc({ status }, count)
  const { jobId, number } = attempt
  parts.log.info({ jobId, attempt: number, state, ...factsOf(job) }, 'job ended')
  return state
}

function factsOf({ counts, chargedMicros, createdAt, finishedAt }: JobRecord) {
  return {
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    chargedMicros: chargedMicros?.toString(),
    tookMs: finishedAt === null ? null : finishedAt.getTime() - createdAt.getTime(),
  }
}

function logFailed({ log }: RunDeps, attempt: Attempt, error: unknown): void {
  const { jobId, number } = attempt
  log.error({ err: error, jobId, attempt: number }, 'a job failed with an internal error')
}

function logFencedOff({ log }: RunDeps, { jobId, number }: Attempt): void {
  log.warn(
    { jobId, attempt: number },
    'another attempt has taken over the job; this one changed nothing since then',
  )
}

function logEnded({ log }: RunDeps, { jobId, number }: Attempt): void {
  log.info(
    { jobId, attempt: number },
    'the job was ended from outside; this attempt changed nothing since then',
  )
}
