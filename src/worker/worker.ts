/** The worker: claims jobs while it has places, watches over those it holds, and hands them back at a stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { recordShares } from '../features/operator/service.ts'
import { allowanceTerms } from '../model/jobs/allowance.ts'
import type { Platform } from '../platform/platform.ts'
import { claimJob, readLine } from '../store/job-queue.ts'
import { readLooks } from '../store/watched-jobs.ts'
import { type EndWork, type Repeating, reviveDatabase, startRepeating } from './background-work.ts'
import { type HeldJob, type HeldJobs, openHeldJobs } from './held-jobs.ts'
import { startLooking } from './look-at-subscriptions.ts'
import { startPeriodicTasks } from './periodic-tasks.ts'
import { startBatches } from './run-batches.ts'
import { runJob } from './run-job.ts'
import { openSharedLists } from './shared-lists.ts'
import { startPreviews } from './take-previews.ts'
import { openSlots, type WorkerContext } from './worker-context.ts'

/** How often a worker looks for waiting jobs when nothing wakes it. */
const JOBS_POLL_MS = 500
/** Time that work in flight has to end when its job is parked; then it is left, and asked for again. */
const PARKING_GRACE_MS = 2_000

/**
 * Starts a worker; `publicUrl` is the beginning of links in mails. At its end it claims no more jobs, hands back those
 * it holds, and settles all of it.
 */
export function startWorker(ctx: Context, platform: Platform, publicUrl: string): EndWork {
  const { config, db, log, signals, usage, watch } = ctx
  const jobs = openHeldJobs(() => performance.now())
  const [stopping, draining] = [new AbortController(), new AbortController()]
  const { signal } = stopping
  const worker = workerContext(ctx, platform)
  const lists = openSharedLists()

  function run({ attempt, place, stop }: HeldJob): Promise<void> {
    const ending = AbortSignal.any([draining.signal, place.over])
    return usage.onBehalfOf(attempt.accountId, () =>
      runJob({ ctx: worker, lists, attempt, place, stop, draining: ending }),
    )
  }

  const taking = startTaking(ctx, { jobs, run, signal })
  const endPreviews = startPreviews(ctx, worker, jobs)
  const endLooking = startLooking(ctx, worker, { lists, publicUrl })
  const endBatches = startBatches(ctx, publicUrl)
  const periodic = startPeriodicTasks(ctx, { jobs, platform, publicUrl, signal }) // last, since some of these take long

  /**
   * Looks at once at one job, or at all (`jobId` null). A failed look costs only time: the next regular one finds the
   * same.
   */
  async function watchNow(jobId: string | null): Promise<void> {
    await jobs.watch((jobIds) => readLooks(db, jobIds), jobId).catch(() => undefined)
  }

  const unsubscribe = [
    signals.on('scriptorium_waiting', taking.hear),
    signals.on('scriptorium_cancel', watchNow),
  ]
  return async () => {
    stopping.abort()
    unsubscribe.forEach((end) => end())
    const previewsEnded = endPreviews()
    await taking.done // a job that was being claimed is held by now
    draining.abort(new Error('the worker is to stop'))
    await handBackAll(jobs, config.STOP_GRACE * 1000)
    const endings = [previewsEnded, endLooking(), endBatches()]
    await Promise.all([...endings, ...periodic.map(({ done }) => done)])
    await usage
      .flush(db)
      .catch((err: unknown) => log.warn({ err }, 'the last usage of accounts was not stored'))
    await recordShares(db, watch).catch((err: unknown) =>
      log.warn({ err }, 'what the platform answered last was not stored'),
    )
  }
}

type Taking = { jobs: HeldJobs; run: (held: HeldJob) => Promise<void>; signal: AbortSignal }

/**
 * Claims jobs, again and again, until no place is free or no job waits. One job is parked at a time for the next in
 * line; its place is claimed when it has left.
 */
function startTaking(ctx: Context, { jobs, run, signal }: Taking): Repeating {
  const { db, metrics } = ctx
  const places = ctx.config.WORKER_JOBS
  async function step(): Promise<void> {
    while (jobs.size < places && !signal.aborted) {
      const attempt = await claimJob(db, jobs.fullAccounts(places))
      if (attempt === null) return
      jobs.add(attempt, run, taking.wake)
    }
    if (signal.aborted || jobs.all.some(({ place }) => place.isParking)) return
    const { accountId, places: held } = await readLine(db)
    if (accountId === null) return
    const isFull = jobs.fullAccounts(places).includes(accountId)
    const parked = jobs.park({ accountId, isFull, places: held })
    if (parked === null) return
    metrics.jobsParked.inc()
    endInTime(parked)
  }
  const taking = startRepeating(ctx, { what: 'taking jobs', everyMs: JOBS_POLL_MS, step }, signal)
  return taking
}

function workerContext(ctx: Context, platform: Platform): WorkerContext {
  const { config, db, textReader, now, log, metrics, usage, readiness } = ctx
  return {
    db,
    textReader,
    platform,
    slots: openSlots({ videos: config.WORKER_VIDEOS, connections: config.DATABASE_POOL }),
    allowance: allowanceTerms(config),
    budget: { lostMax: config.JOB_ATTEMPTS, timeLimitMs: config.JOB_TIME_LIMIT * 1000 },
    videosMax: config.JOB_VIDEOS,
    wantsDates: config.PUBLISH_DATES === 'always',
    keepsWordTimes: config.WORD_TIMES,
    previewPagesMax: config.PREVIEW_PAGES,
    usage,
    now,
    log,
    metrics,
    async databaseBack(signal) {
      // A read-only or full database would let the job ask the platform in vain, so commits have to be confirmed, too.
      do {
        await reviveDatabase(ctx, signal)
        await sleep(JOBS_POLL_MS, undefined, { signal }).catch(() => undefined)
      } while (!signal.aborted && (await readiness.look()).length > 0)
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

/**
 * Hands back all jobs: work that drains in time ends by itself; after the grace, what is still in flight is cut off.
 */
async function handBackAll(jobs: HeldJobs, graceMs: number): Promise<void> {
  const settled = Promise.all(jobs.all.map(({ done }) => done))
  await Promise.race([settled, sleep(graceMs, undefined, { ref: false })])
  for (const { stop } of jobs.all) stop.because('handed_back')
  await settled
}
