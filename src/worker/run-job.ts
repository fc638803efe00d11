/** Runs one job for its task: begins or resumes an attempt, lets it work, and settles how that ended. */
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
  /** Tells which attempt holds the job, so that the worker can watch over it. */
  onAttempt(attempt: Attempt): void
}

export type JobTask = { jobId: string; accountId: string }

/** `done`: the task is over. `handed_back`: somebody else is to go on. */
export type TaskFate = 'done' | 'handed_back'

const OUR_FAULT =
  'Something went wrong on our side; what was delivered is kept and charged. Send the same URLs again to go on.'

/**
 * Never throws. A lost database is waited for and the same attempt goes on: only a lost process
 * costs an attempt.
 */
export async function runJob(parts: RunDeps, task: JobTask, stop: Stop): Promise<TaskFate> {
  let run: BegunRun | null = null
  for (;;) {
    let ending: Ending
    try {
      const next: BegunRun | null = await (run === null ? begin(parts, task) : resume(parts, run))
      if (next === null) return 'done'
      run = next
      parts.onAttempt(run.attempt)
      ending = await attemptJob(run, stop)
    } catch (error) {
      ending = endingOf(error, { stop, draining: parts.draining })
    }
    const fate = await settle({ parts, stop, attempt: run?.attempt ?? null }, ending)
    if (fate !== 'database_lost') return fate
    // The grace of a stop is over and nothing can be written: the queue delivers the silent task again.
    if (stop.kind === 'handed_back') return 'handed_back'
    await parts.databaseBack(stop.signal).catch(() => sleep(DATABASE_LOSS_PAUSE_MS))
  }
}

/** Null where the job has nothing to do any more. */
async function begin(parts: RunDeps, task: JobTask): Promise<BegunRun | null> {
  const begun = await takeUpJob(parts.db, { ...task, budget: parts.budget })
  if (begun === null) return null
  return begunRun(parts, { ...begun, endsAtMs: performance.now() + begun.leftMs })
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

/** `attempt` null: it could not be begun. */
type Settling = { parts: RunDeps; stop: Stop; attempt: Attempt | null }

/** Records the ending; what fails of that is waited out with the database, or left to whoever comes next. */
async function settle(settling: Settling, ending: Ending): Promise<TaskFate | 'database_lost'> {
  const { parts, stop, attempt } = settling
  try {
    return attempt === null ? endUnbegun(parts, ending) : await endAttempt(parts, attempt, ending)
  } catch (error) {
    // To finish is part of the work: where it fails, the work has failed.
    if (ending.kind === 'complete')
      return settle(settling, endingOf(error, { stop, draining: parts.draining }))
    if (isDatabaseAway(error)) return 'database_lost'
    const limit = parts.budget.lostMax
    parts.log.error({ err: error, jobId: attempt?.jobId, limit }, 'a job could not be ended')
    return 'handed_back'
  }
}

/** What becomes of the job and of its task. */
async function endAttempt(
  parts: RunDeps,
  attempt: Attempt,
  ending: Ending,
): Promise<TaskFate | 'database_lost'> {
  switch (ending.kind) {
    case 'complete':
      await end(parts, attempt, 'finish', null)
      return 'done'
    case 'cancelled':
      await end(parts, attempt, 'stop', null)
      return 'done'
    case 'out_of_time':
      await end(parts, attempt, 'interrupt', timeUsedUp(parts.budget.timeLimitMs))
      return 'done'
    case 'failed':
      logFailed(parts, attempt, ending.error)
      await end(parts, attempt, 'fail', OUR_FAULT)
      return 'done'
    case 'ended':
      logEnded(parts, attempt)
      return 'done'
    case 'fenced_off':
      logFencedOff(parts, attempt)
      return 'done'
    case 'refused':
      return endRefused(parts, attempt)
    case 'handed_back':
      return handBack(parts, attempt)
    case 'database_lost':
      return 'database_lost'
    default:
      return ending satisfies never
  }
}

function endUnbegun(parts: RunDeps, ending: Ending): TaskFate | 'database_lost' {
  if (ending.kind === 'failed') logFailed(parts, null, ending.error)
  return ending.kind === 'database_lost' || ending.kind === 'handed_back' ? ending.kind : 'done'
}

/** A write was refused: the job is being cancelled under this attempt, or it is another's. */
async function endRefused(parts: RunDeps, attempt: Attempt): Promise<TaskFate> {
  if ((await end(parts, attempt, 'stop', null)) !== null) return 'done'
  const job = await findJob(parts.db, attempt)
  const isOurs = job !== null && job.attempt === attempt.number
  if (isOurs && !isFinal(job.state)) return handBack(parts, attempt)
  if (isOurs) logEnded(parts, attempt)
  else logFencedOff(parts, attempt)
  return 'done'
}

async function handBack({ db }: RunDeps, attempt: Attempt): Promise<'handed_back'> {
  await releaseJob(db, attempt)
  return 'handed_back'
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

function logFailed({ log }: RunDeps, attempt: Attempt | null, error: unknown): void {
  const { jobId, number } = attempt ?? {}
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
