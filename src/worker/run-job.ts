/** One attempt at a job, from taking it to its end: list, plan, fetch, record, finish. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { LIMITS } from '../config.ts'
import { type Attempt, type AttemptBudget, timeUsedUp } from '../jobs/attempt.ts'
import { beginAttempt } from '../jobs/begin-attempt.ts'
import { finishJob } from '../jobs/finish-job.ts'
import { releaseJob } from '../jobs/release-job.ts'
import { type FinalState, isFinal, type JobEnding } from '../jobs/job.ts'
import { isDatabaseAway, transact } from '../postgres/database.ts'
import { findJob } from '../store/jobs.ts'
import type { Platform } from '../platform/platform.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { fetchRows } from './fetch-rows.ts'
import { FencedOff, type JobRun, StopReason } from './job-run.ts'
import { planJob } from './plan-job.ts'

export type RunParts = Omit<
  JobRun,
  'attempt' | 'job' | 'share' | 'platform' | 'signal' | 'isAfterLoss'
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

type Begun = Omit<JobRun, 'signal'>

/** `done`: the task is over. `handed_back`: somebody else is to go on. */
export type RunOutcome = 'done' | 'handed_back'

const OUR_FAULT =
  'Something went wrong on our side; what was delivered is kept and charged. Send the same URLs again to go on.'

/**
 * Never throws. A lost database is waited for and the same attempt goes on: only a lost process
 * costs an attempt.
 */
export async function runJob(
  parts: RunParts,
  task: { jobId: string; accountId: string },
  stop: AbortController,
): Promise<RunOutcome> {
  let attempt: Attempt | null = null
  let isAfterLoss = false
  for (;;) {
    try {
      const run: Begun | null =
        attempt === null ? await begin(parts, task) : await resume(parts, attempt, isAfterLoss)
      if (run === null) {
        if (attempt !== null) tellFencedOff(parts, attempt)
        return 'done'
      }
      attempt = run.attempt
      isAfterLoss = run.isAfterLoss
      parts.onAttempt(attempt)
      await workUntilDeadline(run, parts, stop)
      await end(parts, attempt, 'finish', null)
      return 'done'
    } catch (error) {
      const outcome = await settleFailure(parts, attempt, error, stop)
      if (outcome !== 'again') return outcome
    }
  }
}

async function begin(
  parts: RunParts,
  task: { jobId: string; accountId: string },
): Promise<Begun | null> {
  const begun = await transact(parts.db, (tx) =>
    beginAttempt(tx, { ...task, budget: parts.budget }),
  )
  return begun === null ? null : begunRun(parts, begun)
}

/** After a lost database: the attempt is still ours unless another one began meanwhile. */
async function resume(
  parts: RunParts,
  attempt: Attempt,
  isAfterLoss: boolean,
): Promise<Begun | null> {
  const job = await findJob(parts.db, attempt)
  return job === null || job.attempt !== attempt.number
    ? null
    : begunRun(parts, { attempt, job, isAfterLoss })
}

function begunRun(parts: RunParts, begun: Pick<JobRun, 'attempt' | 'job' | 'isAfterLoss'>): Begun {
  const share = { accountId: begun.job.accountId, jobId: begun.job.id }
  return { ...parts, ...begun, share, platform: parts.platform.onBehalfOf(share) }
}

/** Planning and fetching go on side by side; the first failure of one stops the other. */
async function work(run: JobRun): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([run.signal, failed.signal])
  const both = { ...run, signal }
  const fetcher = fetchRows(both)
  const planning = planJob(both, fetcher.wake).then(fetcher.plannedAll)
  const parts = [planning, fetcher.done].map((part) =>
    part.catch((error: unknown) => failed.abort(error)),
  )
  await Promise.all(parts)
  signal.throwIfAborted()
}

async function workUntilDeadline(
  run: Begun,
  { budget, now }: RunParts,
  stop: AbortController,
): Promise<void> {
  const { startedAt } = run.job
  const usedMs = startedAt === null ? 0 : now().getTime() - startedAt.getTime()
  const leftMs = Math.max(0, budget.timeLimitMs - usedMs)
  const timer = setTimeout(
    () => stop.abort(new StopReason('out_of_time')),
    Math.min(leftMs, TIMER_MAX_MS),
  )
  try {
    await work({ ...run, signal: stop.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** What timers can hold: some 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1

async function settleFailure(
  parts: RunParts,
  attempt: Attempt | null,
  error: unknown,
  stop: AbortController,
): Promise<RunOutcome | 'again'> {
  const { log, budget } = parts
  try {
    const stopped: unknown = stop.signal.aborted ? stop.signal.reason : error
    // What a drained run still meets (a request cut short, say) is no fault of the job.
    const reason =
      parts.draining.aborted && !(stopped instanceof FencedOff) && !stop.signal.aborted
        ? parts.draining.reason
        : stopped
    if (reason instanceof StopReason) return await endStopped(parts, attempt, reason)
    if (error instanceof FencedOff) return await endFenced(parts, attempt)
    if (!isDatabaseAway(error)) {
      log.error(
        { err: error, jobId: attempt?.jobId, attempt: attempt?.number },
        'a job failed with an internal error',
      )
      if (attempt !== null) await end(parts, attempt, 'fail', OUR_FAULT)
      return 'done'
    }
  } catch (failure) {
    if (!isDatabaseAway(failure)) {
      log.error(
        { err: failure, jobId: attempt?.jobId, limit: budget.lostMax },
        'a job could not be ended',
      )
      return 'handed_back'
    }
  }
  // The grace of a stop is over and nothing can be written: the queue delivers the silent task again.
  if (isHandedBack(stop.signal)) return 'handed_back'
  await parts.databaseBack(stop.signal).catch(() => sleep(LIMITS.databaseLossPauseMs))
  return 'again'
}

function isHandedBack({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof StopReason && reason.kind === 'handed_back'
}

async function endStopped(
  parts: RunParts,
  attempt: Attempt | null,
  { kind }: StopReason,
): Promise<RunOutcome> {
  if (kind === 'fenced_off' && attempt !== null) tellFencedOff(parts, attempt)
  if (attempt === null || kind === 'fenced_off')
    return kind === 'handed_back' ? 'handed_back' : 'done'
  switch (kind) {
    case 'ended':
      tellEnded(parts, attempt)
      return 'done'
    case 'cancelled':
      await end(parts, attempt, 'stop', null)
      return 'done'
    case 'out_of_time':
      await end(parts, attempt, 'interrupt', timeUsedUp(parts.budget.timeLimitMs))
      return 'done'
    case 'handed_back':
      await releaseJob(parts.db, attempt)
      return 'handed_back'
    default:
      return kind satisfies never
  }
}

/** A write was refused: the job is being cancelled under this attempt, or it is another's. */
async function endFenced(parts: RunParts, attempt: Attempt | null): Promise<RunOutcome> {
  if (attempt === null || (await end(parts, attempt, 'stop', null)) !== null) return 'done'
  const job = await findJob(parts.db, attempt)
  if (job === null || job.attempt !== attempt.number) {
    tellFencedOff(parts, attempt)
    return 'done'
  }
  if (isFinal(job.state)) {
    tellEnded(parts, attempt)
    return 'done'
  }
  await releaseJob(parts.db, attempt)
  return 'handed_back'
}

function tellFencedOff({ log }: RunParts, { jobId, number }: Attempt): void {
  log.warn(
    { jobId, attempt: number },
    'another attempt has taken over the job; this one changed nothing since then',
  )
}

function tellEnded({ log }: RunParts, { jobId, number }: Attempt): void {
  log.info(
    { jobId, attempt: number },
    'the job was ended from outside; this attempt changed nothing since then',
  )
}

async function end(
  parts: RunParts,
  attempt: Attempt,
  event: JobEnding,
  error: string | null,
): Promise<FinalState | null> {
  const state = await transact(parts.db, (tx) => finishJob(tx, attempt, { event, error }))
  if (state === null) return null
  parts.metrics.jobsEnded.inc({ state })
  const job = await findJob(parts.db, attempt)
  for (const [status, count] of Object.entries(job?.counts ?? {}))
    parts.metrics.rows.inc({ status }, count)
  parts.log.info(
    {
      jobId: attempt.jobId,
      attempt: attempt.number,
      state,
      counts:
        job === null
          ? null
          : Object.fromEntries(Object.entries(job.counts).filter(([, count]) => count > 0)),
      chargedMicros: job?.chargedMicros?.toString(),
      tookMs: job?.finishedAt == null ? null : job.finishedAt.getTime() - job.createdAt.getTime(),
    },
    'job ended',
  )
  return state
}
