/**
 * Runs one attempt at a job: begins it, plans and fetches side by side, and settles how that ended, in one of a closed
 * list of ways.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { finishJob, takeUpJob } from '../features/jobs/attempt.ts'
import { isDatabaseAway } from '../kit/postgres/database.ts'
import type { Stop, StopKind } from './stop.ts'
import { traceIdOf } from '../kit/trace-context.ts'
import { type Attempt, timeUsedUp } from '../model/jobs/attempt.ts'
import { type FinalState, isFinal, type JobEnding } from '../model/jobs/job.ts'
import { findJob, type JobRecord, releaseJob } from '../store/jobs.ts'
import { countOpen } from '../store/video-rows.ts'
import { fetchRows, fetchSuspects, hasRows, openPlanned } from './fetch-rows.ts'
import { type JobRun, type JobToRun, WriteRefused } from './job-run.ts'
import { FINAL_SLOTS, type JobSlots, openJobSlots } from './job-slots.ts'
import { planJob } from './plan-job.ts'

/** How one attempt's work on a job ended. */
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
async function attemptJob(run: JobRun): Promise<Ending> {
  const { stop, endsAtMs } = run
  const leftMs = Math.max(0, endsAtMs - performance.now())
  const timer = setTimeout(() => stop.because('out_of_time'), leftMs)
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

/** Plans and fetches side by side, once no row is suspect; the first failure of one stops the other. */
async function planAndFetch(begun: JobRun): Promise<void> {
  const run = { ...begun, slots: await slotsOf(begun) }
  await fetchSuspects(run)
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

async function slotsOf({ ctx, begun: { job } }: JobRun): Promise<JobSlots> {
  if (!job.skipsOwned) return FINAL_SLOTS
  return openJobSlots(hasRows(job) ? await countOpen(ctx.db, job.id) : 0)
}

const DATABASE_LOSS_PAUSE_MS = 200

const FENCED_OFF = 'another attempt has taken over the job; this one changed nothing since then'
const ENDED_OUTSIDE = 'the job was ended from outside; this attempt changed nothing since then'
const OUR_FAULT =
  'Something went wrong on our side; what was delivered is kept and charged. Send the same URLs again to continue.'

/**
 * Resolves when the attempt is over: its job ended, waits again, or is another attempt's. Never throws. A lost database
 * is waited for and the same attempt goes on: only a lost process costs an attempt.
 */
export async function runJob(given: JobToRun): Promise<void> {
  const { ctx, stop } = given
  let run: JobRun | null = null
  for (;;) {
    let ending: Ending
    try {
      const next: JobRun | null = await (run === null ? begin(given) : resume(run))
      if (next === null) return
      run = next
      ending = await attemptJob(run)
    } catch (error) {
      ending = endingOf(error, given)
    }
    const isOver = await settle(given, ending, run !== null)
    // Where the grace of a stop is over and nothing can be written, another worker takes the job back, since its
    // heartbeat stands still.
    if (isOver || stop.kind === 'handed_back') return
    await ctx.databaseBack(stop.signal).catch(() => sleep(DATABASE_LOSS_PAUSE_MS))
  }
}

/** Begins the attempt; null where the job has nothing left to do. */
async function begin(given: JobToRun): Promise<JobRun | null> {
  const { ctx, attempt, stop } = given
  const begun = await takeUpJob(ctx.db, attempt, ctx.budget)
  if (begun === null) return null
  const { accountId, id: jobId } = begun.job
  const share = { accountId, jobId }
  const platform = ctx.platform.onBehalfOf(share)
  const endsAtMs = performance.now() + begun.leftMs
  return { ...given, begun, endsAtMs, share, platform, slots: FINAL_SLOTS, signal: stop.signal }
}

/** Returns the run after a lost database: the attempt still holds the job unless another one began meanwhile. */
async function resume(run: JobRun): Promise<JobRun | null> {
  const { ctx, attempt, begun } = run
  const job = await findJob(ctx.db, attempt)
  if (job !== null && job.attempt === attempt.number)
    return { ...run, begun: { ...begun, job, start: null } }
  ctx.log.warn(lineOf(attempt), FENCED_OFF)
  return null
}

/**
 * Records the ending; `isBegun` is false where the attempt could not be begun. Returns false where the database was
 * lost: the caller waits for it.
 */
async function settle(given: JobToRun, ending: Ending, isBegun: boolean): Promise<boolean> {
  const { ctx, attempt } = given
  try {
    return await endAttempt(given, ending, isBegun)
  } catch (error) {
    // Finishing is part of the work: where it fails, the work has failed.
    if (ending.kind === 'complete') return settle(given, endingOf(error, given), isBegun)
    if (isDatabaseAway(error)) return false
    // Another worker takes the job back, since its heartbeat stands still; what failed here counts as a lost attempt.
    ctx.log.error({ err: error, jobId: attempt.jobId }, 'a job could not be ended')
    return true
  }
}

/** Does to the job what the ending demands. Returns false where the database was lost. */
async function endAttempt(given: JobToRun, ending: Ending, isBegun: boolean): Promise<boolean> {
  const { ctx, attempt } = given
  const line = lineOf(attempt)
  switch (ending.kind) {
    case 'complete':
      await end(given, 'finish', null)
      return true
    case 'cancelled':
      await end(given, 'stop', null)
      return true
    case 'out_of_time':
      await end(given, 'interrupt', timeUsedUp(ctx.budget.timeLimitMs))
      return true
    case 'failed':
      ctx.log.error({ err: ending.error, ...line }, 'a job failed with an internal error')
      if (isBegun) await end(given, 'fail', OUR_FAULT)
      return true
    case 'ended':
      ctx.log.info(line, ENDED_OUTSIDE)
      return true
    case 'fenced_off':
      ctx.log.warn(line, FENCED_OFF)
      return true
    case 'refused':
      await endRefused(given)
      return true
    case 'handed_back':
      await releaseJob(ctx.db, attempt, given.place.asideMs)
      return true
    case 'database_lost':
      return false
    default:
      return ending satisfies never
  }
}

/** Ends an attempt whose write was refused: the job is being cancelled under this attempt, or it is another's. */
async function endRefused(given: JobToRun): Promise<void> {
  if ((await end(given, 'stop', null)) !== null) return
  const { ctx, attempt } = given
  const job = await findJob(ctx.db, attempt)
  const isOurs = job !== null && job.attempt === attempt.number
  if (isOurs && !isFinal(job.state)) await releaseJob(ctx.db, attempt)
  else if (isOurs) ctx.log.info(lineOf(attempt), ENDED_OUTSIDE)
  else ctx.log.warn(lineOf(attempt), FENCED_OFF)
}

async function end(
  { ctx, attempt }: JobToRun,
  event: JobEnding,
  error: string | null,
): Promise<FinalState | null> {
  const { db, log, metrics } = ctx
  const job = await finishJob(db, attempt, { event, error })
  if (job === null) return null
  await nextTurn() // requests that wait for the job are answered first
  const { state } = job
  metrics.jobsEnded.inc({ state })
  for (const [status, count] of Object.entries(job.counts)) metrics.rows.inc({ status }, count)
  log.info({ ...lineOf(attempt), state, ...outcomeOf(job) }, 'job ended')
  return state
}

function outcomeOf({ counts, chargedMicros, createdAt, finishedAt, traceparent }: JobRecord) {
  return {
    ...(traceparent === null ? {} : { traceId: traceIdOf(traceparent) }),
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    chargedMicros: chargedMicros?.toString(),
    tookMs: finishedAt === null ? null : finishedAt.getTime() - createdAt.getTime(),
  }
}

/** Returns what a line of the log says of the attempt. */
function lineOf({ jobId, number }: Attempt): { jobId: string; attempt: number } {
  return { jobId, attempt: number }
}
