/** The worker: claims jobs while it has places, watches over those it holds, and hands them back at a stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { recordShares } from '../features/operator/service.ts'
import { allowanceTerms } from '../model/jobs/allowance.ts'
import type { Platform } from '../platform/platform.ts'
import { isWritable } from '../store/readiness.ts'
import { readHolds } from '../store/watched-jobs.ts'
import { type HeldJob, type HeldJobs, openHeldJobs, takeJobs } from './held-jobs.ts'
import { startLooking } from './look-at-subscriptions.ts'
import { type Loop, startLoop } from '../kit/loop.ts'
import { loopOptions, reviveDatabase, startPeriodicTasks } from './periodic-tasks.ts'
import { runJob } from './run-job.ts'
import { openSharedLists, type SharedLists } from './shared-lists.ts'
import { openSlots, type WorkerContext } from './worker-context.ts'
import { startPreviews } from './take-previews.ts'

/** How often a worker looks for waiting jobs when nothing wakes it. */
const JOBS_POLL_MS = 500
/** Time that work in flight has to end when its job is parked; then it is left, and asked for again. */
const PARKING_GRACE_MS = 2_000

export type Worker = {
  /** Claims no more jobs, hands back those it holds, and resolves when all of it is settled. */
  stop(): Promise<void>
}

/** Starts a worker. `publicUrl` is the beginning of links in mails. */
export function startWorker(
  ctx: Context,
  platform: Platform,
  { publicUrl }: { publicUrl: string },
): Worker {
  const jobs = openHeldJobs(() => performance.now())
  const [stopping, draining] = [new AbortController(), new AbortController()]
  const { signal } = stopping
  const worker = workerContext(ctx, platform)
  const lists = openSharedLists()
  const run = (held: HeldJob): Promise<void> =>
    work(worker, { lists, held, draining: draining.signal })
  const taking = startTaking(ctx, { jobs, run, signal })
  const periodic = startPeriodicTasks(ctx, { jobs, signal })
  const previews = startPreviews(ctx, worker, jobs)
  const looking = startLooking(ctx, worker, { lists, publicUrl })

  /**
   * Looks at once at one job, or at all (`jobId` null). A failed look costs only time: the next regular one finds the
   * same.
   */
  async function watchNow(jobId: string | null): Promise<void> {
    await jobs.watch((jobIds) => readHolds(ctx.db, jobIds), jobId).catch(() => undefined)
  }

  const unsubscribe = [
    ctx.signals.on('scriptorium_waiting', taking.wake),
    ctx.signals.on('scriptorium_cancel', watchNow),
  ]
  return {
    async stop() {
      stopping.abort()
      unsubscribe.forEach((end) => end())
      const previewsEnded = previews.stop()
      await taking.done // a job that was being claimed is held by now
      draining.abort(new Error('the worker is to stop'))
      await handBackAll(jobs, ctx.config.STOP_GRACE * 1000)
      await Promise.all([previewsEnded, ...periodic.map(({ done }) => done), looking.stop()])
      await flushUsage(ctx)
      await keepShares(ctx)
    },
  }
}

function startTaking(
  ctx: Context,
  {
    jobs,
    run,
    signal,
  }: { jobs: HeldJobs; run: (held: HeldJob) => Promise<void>; signal: AbortSignal },
): Loop {
  const { db, config, metrics } = ctx
  const step = (): Promise<void> =>
    takeJobs({
      db,
      jobs,
      places: config.WORKER_JOBS,
      signal,
      start: (attempt) => jobs.add(attempt, run, taking.wake),
      onParking(held) {
        metrics.jobsParked.inc()
        endInTime(held)
      },
    })
  const options = loopOptions(ctx, { what: 'taking jobs', everyMs: JOBS_POLL_MS, signal })
  const taking = startLoop(step, options)
  return taking
}

function workerContext(ctx: Context, platform: Platform): WorkerContext {
  const { config, db, now, log, metrics, usage } = ctx
  return {
    db,
    platform,
    slots: openSlots({ videos: config.WORKER_VIDEOS, connections: config.DATABASE_POOL }),
    allowance: allowanceTerms(config),
    budget: { lostMax: config.JOB_ATTEMPTS, timeLimitMs: config.JOB_TIME_LIMIT * 1000 },
    videosMax: config.JOB_VIDEOS,
    wantsDates: config.PUBLISH_DATES === 'always',
    previewPagesMax: config.PREVIEW_PAGES,
    usage,
    now,
    log,
    metrics,
    async databaseBack(signal) {
      // A read-only or full database would let the job ask the platform in vain, so it has to be writable, too.
      do {
        await reviveDatabase(ctx, signal)
        await sleep(JOBS_POLL_MS, undefined, { signal }).catch(() => undefined)
      } while (!signal.aborted && !(await isWritable(db)))
    },
  }
}

/** Lets work in flight end once the place is given up, but not for long. */
function endInTime({ place, stop, done }: HeldJob): void {
  const late = (): void => {
    const timer = setTimeout(() => stop.because('handed_back'), PARKING_GRACE_MS)
    void done.finally(() => clearTimeout(timer))
  }
  if (place.over.aborted) late()
  else place.over.addEventListener('abort', late, { once: true })
}

function work(
  ctx: WorkerContext,
  { lists, held, draining }: { lists: SharedLists; held: HeldJob; draining: AbortSignal },
): Promise<void> {
  const { attempt, place, stop } = held
  const ending = AbortSignal.any([draining, place.over])
  return ctx.usage.onBehalfOf(attempt.accountId, () =>
    runJob({ ctx, lists, attempt, place, stop, draining: ending }),
  )
}

/**
 * Hands back all jobs: work that drains in time ends by itself; after the grace, what is still in flight is cut off.
 */
async function handBackAll(jobs: HeldJobs, graceMs: number): Promise<void> {
  const settled = Promise.all(jobs.all.map(({ done }) => done))
  await Promise.race([settled, sleep(graceMs, undefined, { ref: false })])
  for (const { stop } of jobs.all) stop.because('handed_back')
  await settled
}

async function keepShares({ watch, db, log }: Context): Promise<void> {
  await recordShares(db, watch).catch((error: unknown) =>
    log.warn({ err: error }, 'what the platform answered last was not stored'),
  )
}

async function flushUsage({ usage, db, log }: Context): Promise<void> {
  await usage
    .flush(db)
    .catch((error: unknown) =>
      log.warn({ err: error }, 'the last usage of accounts was not stored'),
    )
}
