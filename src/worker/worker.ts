/** The worker: takes tasks while it has places, watches over its jobs, and hands back at a stop. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { sweepRateLimits, sweepSignIn } from '../accounts/sweep-sign-in.ts'
import { LIMITS } from '../config.ts'
import { allowanceTerms } from '../jobs/allowance.ts'
import { sweepLists } from '../lists/sweep-lists.ts'
import { rescueJobs } from '../jobs/rescue-jobs.ts'
import type { Platform } from '../platform/platform.ts'
import { isDatabaseAway } from '../postgres/database.ts'
import { fairSemaphore } from '../platform/fair-semaphore.ts'
import { type Hold, Holds } from './active-tasks.ts'
import { StopReason } from './job-run.ts'
import { type Loop, startLoop } from './loop.ts'
import { type RunParts, runJob } from './run-job.ts'
import { openSharedLists } from './shared-lists.ts'

export type Worker = {
  /** Jobs in hand. */
  readonly running: number
  /** Takes no more tasks, hands back what is in flight, resolves when all of it is settled. */
  stop(): Promise<void>
}

type Shared = Omit<RunParts, 'onAttempt' | 'turn'>

export function startWorker(ctx: Context, platform: Platform): Worker {
  const { config, queue, signals } = ctx
  const holds = new Holds(() => ctx.now().getTime())
  const stopping = new AbortController()
  const draining = new AbortController()
  const shared = sharedParts(ctx, platform, draining.signal)

  const taking = startLoop(
    takeTasks,
    loopOptions(ctx, 'taking tasks', LIMITS.taskPollMs, stopping.signal),
  )
  const others = startChores(ctx, holds, stopping.signal)
  const unsubscribe = [
    signals.on('scriptorium_task', taking.wake),
    signals.on('scriptorium_cancel', watchNow),
  ]

  /** A signal only saves waiting: should this look fail, the next regular one finds the same. */
  async function watchNow(jobId: string | null): Promise<void> {
    await holds.watch(ctx.db, jobId).catch(() => undefined)
  }

  async function takeTasks(): Promise<void> {
    do {
      while (freePlaces() > 0 && !stopping.signal.aborted) {
        const [task] = await queue.take(1, holds.fullAccounts(config.WORKER_JOBS))
        if (task === undefined) return
        if (stopping.signal.aborted) await queue.handBack(task)
        else
          holds.add(
            task,
            (hold) => work(ctx, shared, hold),
            () => taking.wake(),
          )
      }
    } while (!stopping.signal.aborted && (await makeRoom()))
  }

  /** A place that is being given up is lent on at once, so that nobody waits for the last word in it. */
  function freePlaces(): number {
    const lent = Math.min(holds.leaving, Math.ceil(config.WORKER_JOBS * LIMITS.lentShare))
    return config.WORKER_JOBS + lent - holds.size
  }

  /** True where a place came free for those who wait. */
  async function makeRoom(): Promise<boolean> {
    const crowd = await queue.crowd(LIMITS.crowdLookedAt)
    const chosen = crowd.waiting.length === 0 ? [] : holds.makeRoom(crowd, config.WORKER_JOBS)
    for (const hold of chosen) {
      ctx.metrics.jobsYielded.inc()
      endInTime(hold)
    }
    return chosen.length > 0 && freePlaces() > 0
  }

  return {
    get running() {
      return holds.size
    },
    async stop() {
      stopping.abort()
      unsubscribe.forEach((end) => end())
      await taking.done // what it was taking is held or handed back
      draining.abort(new StopReason('handed_back'))
      const settled = Promise.all(holds.all.map(({ done }) => done))
      await Promise.race([settled, sleep(config.STOP_GRACE * 1000, undefined, { ref: false })])
      for (const { stop } of holds.all) stop.abort(new StopReason('handed_back'))
      await Promise.all([settled, ...others.map(({ done }) => done)])
      await ctx.usage
        .flush(ctx.db)
        .catch((error: unknown) =>
          ctx.log.warn({ err: error }, 'the last usage of accounts was not stored'),
        )
    },
  }
}

function sharedParts(ctx: Context, platform: Platform, draining: AbortSignal): Shared {
  const { config } = ctx
  return {
    db: ctx.db,
    platform,
    lists: openSharedLists({ db: ctx.db, now: ctx.now }),
    allowance: allowanceTerms(config),
    places: fairSemaphore(config.WORKER_VIDEOS),
    readers: fairSemaphore(LIMITS.pagesReadAtOnceMax),
    planners: fairSemaphore(LIMITS.pagesPlannedAtOnceMax),
    desks: fairSemaphore(Math.max(1, Math.floor(config.DATABASE_POOL * LIMITS.recordingShare))),
    readings: fairSemaphore(1),
    videosMax: config.JOB_VIDEOS,
    wantsDates: config.PUBLISH_DATES === 'always',
    now: ctx.now,
    log: ctx.log,
    metrics: ctx.metrics,
    usage: ctx.usage,
    budget: { lostMax: config.JOB_ATTEMPTS, timeLimitMs: config.JOB_TIME_LIMIT * 1000 },
    async databaseBack(signal) {
      await reviveDatabase(ctx, signal)
      await sleep(LIMITS.taskPollMs, undefined, { signal }).catch(() => undefined)
    },
    draining,
  }
}

/** What is in flight may end once the turn is over, but not for long. */
function endInTime({ turn, stop, done }: Hold): void {
  const late = (): void => {
    const timer = setTimeout(() => stop.abort(new StopReason('handed_back')), LIMITS.turnGraceMs)
    void done.finally(() => clearTimeout(timer))
  }
  if (turn.over.aborted) late()
  else turn.over.addEventListener('abort', late, { once: true })
}

async function work({ queue, log, usage }: Context, shared: Shared, hold: Hold): Promise<void> {
  const { turn } = hold
  const parts = {
    ...shared,
    turn,
    draining: AbortSignal.any([shared.draining, turn.over]),
    onAttempt: (attempt: NonNullable<Hold['attempt']>) => {
      hold.attempt = attempt
    },
  }
  const outcome = await usage.onBehalfOf(hold.task.accountId, () =>
    runJob(parts, hold.task, hold.stop),
  )
  const settle = outcome === 'done' ? queue.complete(hold.task) : queue.handBack(hold.task)
  // The task's fate is only a hint: a repeated delivery finds the job final, a silent one is repeated.
  await settle.catch((error: unknown) =>
    log.warn({ err: error, jobId: hold.task.jobId }, 'a task could not be completed in the queue'),
  )
}

function startChores(ctx: Context, holds: Holds, signal: AbortSignal): Loop[] {
  const chore = (what: string, everyMs: number, step: () => Promise<void>): Loop =>
    startLoop(step, loopOptions(ctx, what, everyMs, signal))
  return [
    chore('watching jobs', LIMITS.cancelPollMs, () => holds.watch(ctx.db)),
    chore('touching tasks', LIMITS.taskHeartbeatMs, () =>
      ctx.queue.touch(holds.all.map(({ task }) => task)),
    ),
    chore('keeping the use of accounts', LIMITS.usageFlushMs, () => ctx.usage.flush(ctx.db)),
    chore('sweeping lists', LIMITS.listsSweptEveryMs, () => sweepLists(ctx.db)),
    chore('rescuing jobs', LIMITS.rescueEveryMs, async () => {
      const rescued = await rescueJobs(ctx.db, ctx.queue)
      if (rescued > 0) ctx.log.warn({ rescued }, 'jobs without a task were enqueued again')
    }),
    chore('sweeping rate limits', LIMITS.bucketsSweptEveryMs, () => sweepRateLimits(ctx.db)),
    chore('sweeping sign-in', LIMITS.sweepEveryMs, async () => void (await sweepSignIn(ctx.db))),
  ]
}

function loopOptions(ctx: Context, what: string, everyMs: number, signal: AbortSignal) {
  async function onError(error: unknown): Promise<void> {
    if (isDatabaseAway(error)) await reviveDatabase(ctx, signal)
    else ctx.log.warn({ err: error }, `${what} failed and will be repeated`)
  }
  return { everyMs, signal, onError }
}

/** A start of the embedded database may take long: nobody who is to stop waits for it. Never throws. */
async function reviveDatabase(ctx: Context, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const isOver = new AbortController()
  const ways = [ctx.reviveDatabase(), once(signal, 'abort', { signal: isOver.signal })]
  await Promise.race(
    ways.map((way) =>
      way.then(
        () => undefined,
        () => undefined,
      ),
    ),
  )
  isOver.abort()
}
