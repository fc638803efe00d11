/** The worker: takes tasks while it has slots, watches over its jobs, and hands back at a stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { recordShares } from '../features/operator/service.ts'
import { allowanceTerms } from '../model/jobs/allowance.ts'
import type { Platform } from '../platform/platform.ts'
import { isWritable } from '../store/readiness.ts'
import { readHolds } from '../store/watched-jobs.ts'
import { type ActiveTask, type ActiveTasks, openActiveTasks } from './active-tasks.ts'
import { startLooking } from './look-at-subscriptions.ts'
import { type Loop, startLoop } from '../kit/loop.ts'
import { loopOptions, reviveDatabase, startPeriodicTasks } from './periodic-tasks.ts'
import { type RunDeps, runJob, type TaskFate } from './run-job.ts'
import type { PreviewParts } from './run-preview.ts'
import { openSharedLists } from './shared-lists.ts'
import { openSlots } from './slots.ts'
import { startPreviews } from './take-previews.ts'
import { takeTasks } from './take-tasks.ts'

/** How often a worker asks for tasks when nothing wakes it, and looks for cancelled jobs. */
const TASK_POLL_MS = 500
/** What is in flight when a place was given up may end for so long; then it is left and asked for again. */
const TURN_GRACE_MS = 2_000
/** A look whose reading takes longer has failed; what it learned of dates is known to the next one. */
export const LOOK_READ_MS = 240_000

export type Worker = {
  /** Jobs in hand. */
  readonly running: number
  /** Takes no more tasks, hands back what is in flight, resolves when all of it is settled. */
  stop(): Promise<void>
}

type Shared = Omit<RunDeps, 'onAttempt' | 'turn'>

/** `publicUrl`: what the links in mails begin with. */
export function startWorker(
  ctx: Context,
  platform: Platform,
  { publicUrl }: { publicUrl: string },
): Worker {
  const tasks = openActiveTasks(() => performance.now())
  const [stopping, draining] = [new AbortController(), new AbortController()]
  const { signal } = stopping
  const shared = sharedParts(ctx, platform, draining.signal)
  const taking = startTaking(ctx, { shared, tasks, signal })
  const periodic = startPeriodicTasks(ctx, { tasks, signal })
  const previews = startPreviews(ctx, previewParts(ctx, shared), tasks)
  const looking = startLooking(ctx, { ...shared, readMs: LOOK_READ_MS }, publicUrl)

  /** A signal only saves waiting: should this look fail, the next regular one finds the same. */
  async function watchNow(jobId: string | null): Promise<void> {
    await tasks.watch((jobIds) => readHolds(ctx.db, jobIds), jobId).catch(() => undefined)
  }

  const unsubscribe = [
    ctx.signals.on('scriptorium_task', taking.wake),
    ctx.signals.on('scriptorium_cancel', watchNow),
  ]
  return {
    get running() {
      return tasks.size
    },
    async stop() {
      stopping.abort()
      unsubscribe.forEach((end) => end())
      const previewsEnded = previews.stop()
      await taking.done // what it was taking is active or handed back
      draining.abort(new Error('the worker is to stop'))
      await handBackAll(tasks, ctx.config.STOP_GRACE * 1000)
      await Promise.all([previewsEnded, ...periodic.map(({ done }) => done), looking.stop()])
      await flushUsage(ctx)
      await keepShares(ctx)
    },
  }
}

function startTaking(
  ctx: Context,
  { shared, tasks, signal }: { shared: Shared; tasks: ActiveTasks; signal: AbortSignal },
): Loop {
  const { queue, config, metrics } = ctx
  let isNoneWaiting = false
  /** Where none waited, the end of a job leaves nobody a slot; whoever comes gives a signal. */
  const lookAgain = (): void => {
    if (!isNoneWaiting) taking.wake()
  }
  async function run(active: ActiveTask): Promise<void> {
    if ((await work(ctx, shared, active)) === 'handed_back') taking.wake() // for its task, which waits again
  }
  async function step(): Promise<void> {
    isNoneWaiting = false
    isNoneWaiting = await takeTasks({
      queue,
      tasks,
      slots: config.WORKER_JOBS,
      signal,
      start: (task) => tasks.add(task, run, lookAgain),
      onLeaving(active) {
        metrics.jobsYielded.inc()
        endInTime(active)
      },
    })
  }
  const options = { what: 'taking tasks', everyMs: TASK_POLL_MS, signal }
  const taking = startLoop(step, loopOptions(ctx, options))
  return taking
}

function sharedParts(ctx: Context, platform: Platform, draining: AbortSignal): Shared {
  const { config, db, now, log, metrics, usage } = ctx
  return {
    db,
    platform,
    lists: openSharedLists({ db, now }),
    allowance: allowanceTerms(config),
    slots: openSlots({ videos: config.WORKER_VIDEOS, connections: config.DATABASE_POOL }),
    videosMax: config.JOB_VIDEOS,
    wantsDates: config.PUBLISH_DATES === 'always',
    now,
    log,
    metrics,
    usage,
    budget: { lostMax: config.JOB_ATTEMPTS, timeLimitMs: config.JOB_TIME_LIMIT * 1000 },
    async databaseBack(signal) {
      // A database that is only read-only or full would let the job ask the platform in vain.
      do {
        await reviveDatabase(ctx, signal)
        await sleep(TASK_POLL_MS, undefined, { signal }).catch(() => undefined)
      } while (!signal.aborted && !(await isWritable(db)))
    },
    draining,
  }
}

function previewParts({ config }: Context, shared: Shared): PreviewParts {
  const { db, now } = shared
  return { ...shared, lists: openSharedLists({ db, now }), pagesMax: config.PREVIEW_PAGES }
}

/** What is in flight may end once the turn is over, but not for long. */
function endInTime({ turn, stop, done }: ActiveTask): void {
  const late = (): void => {
    const timer = setTimeout(() => stop.because('handed_back'), TURN_GRACE_MS)
    void done.finally(() => clearTimeout(timer))
  }
  if (turn.over.aborted) late()
  else turn.over.addEventListener('abort', late, { once: true })
}

async function work(
  { queue, log, usage }: Context,
  shared: Shared,
  active: ActiveTask,
): Promise<TaskFate> {
  const { task, turn, stop } = active
  const parts: RunDeps = {
    ...shared,
    turn,
    draining: AbortSignal.any([shared.draining, turn.over]),
    onAttempt(attempt) {
      active.attempt = attempt
    },
  }
  const fate = await usage.onBehalfOf(task.accountId, () => runJob(parts, task, stop))
  const settle = fate === 'done' ? queue.complete(task) : queue.handBack(task)
  // The task's fate is only a hint: a repeated delivery finds the job final, a silent one is repeated.
  await settle.catch((error: unknown) =>
    log.warn({ err: error, jobId: task.jobId }, 'a task could not be completed in the queue'),
  )
  return fate
}

/** What drains in time ends by itself; after the grace, what is still in flight is cut off. */
async function handBackAll(tasks: ActiveTasks, graceMs: number): Promise<void> {
  const settled = Promise.all(tasks.all.map(({ done }) => done))
  await Promise.race([settled, sleep(graceMs, undefined, { ref: false })])
  for (const { stop } of tasks.all) stop.because('handed_back')
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
