/** Periodic tasks of a worker beside its jobs: watching, touching, sweeping; and how its loops meet a lost database. */
import { once } from 'node:events'
import type { Context } from '../context.ts'
import { sweepRateLimits, sweepSignIn } from '../accounts/sweep-sign-in.ts'
import { LIMITS } from '../config.ts'
import { sweepLists } from '../lists/sweep-lists.ts'
import { rescueJobs } from '../jobs/rescue-jobs.ts'
import { isDatabaseAway } from '../postgres/database.ts'
import { readHolds } from '../store/jobs.ts'
import type { ActiveTasks } from './active-tasks.ts'
import { type Loop, type LoopOptions, startLoop } from './loop.ts'

export type PeriodicTask = { what: string; everyMs: number; step(): Promise<void> }

export function startPeriodicTasks(
  ctx: Context,
  { tasks, signal }: { tasks: ActiveTasks; signal: AbortSignal },
): Loop[] {
  const periodic = [...jobTasks(ctx, tasks), ...sweepingTasks(ctx)]
  return periodic.map(({ what, everyMs, step }) =>
    startLoop(step, loopOptions(ctx, { what, everyMs, signal })),
  )
}

function jobTasks(ctx: Context, tasks: ActiveTasks): PeriodicTask[] {
  const { db, queue, log } = ctx
  return [
    {
      what: 'watching jobs',
      everyMs: LIMITS.cancelPollMs,
      step: () => tasks.watch((jobIds) => readHolds(db, jobIds)),
    },
    {
      what: 'touching tasks',
      everyMs: LIMITS.taskHeartbeatMs,
      step: () => queue.touch(tasks.all.map(({ task }) => task)),
    },
    {
      what: 'looking for silent tasks',
      everyMs: LIMITS.supervisionMs,
      step: () => queue.supervise(),
    },
    {
      what: 'rescuing jobs',
      everyMs: LIMITS.rescueEveryMs,
      async step() {
        const rescued = await rescueJobs(db, queue)
        if (rescued > 0) log.warn({ rescued }, 'jobs without a task were enqueued again')
      },
    },
  ]
}

function sweepingTasks({ db, usage }: Context): PeriodicTask[] {
  return [
    {
      what: 'keeping the use of accounts',
      everyMs: LIMITS.usageFlushMs,
      step: () => usage.flush(db),
    },
    { what: 'sweeping lists', everyMs: LIMITS.listsSweptEveryMs, step: () => sweepLists(db) },
    {
      what: 'sweeping rate limits',
      everyMs: LIMITS.bucketsSweptEveryMs,
      step: () => sweepRateLimits(db),
    },
    {
      what: 'sweeping sign-in',
      everyMs: LIMITS.sweepEveryMs,
      step: async () => void (await sweepSignIn(db)),
    },
  ]
}

/** What fails of a loop is logged and repeated; a lost database is waited for. */
export function loopOptions(
  ctx: Context,
  { what, everyMs, signal }: { what: string; everyMs: number; signal: AbortSignal },
): LoopOptions {
  async function onError(error: unknown): Promise<void> {
    if (isDatabaseAway(error)) await reviveDatabase(ctx, signal)
    else ctx.log.warn({ err: error }, `${what} failed and will be repeated`)
  }
  return { everyMs, signal, onError }
}

/** A start of the embedded database may take long: nobody who is to stop waits for it. Never throws. */
export async function reviveDatabase(
  ctx: Pick<Context, 'reviveDatabase'>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const isOver = new AbortController()
  const ways = [ctx.reviveDatabase(), once(signal, 'abort', { signal: isOver.signal })]
  await Promise.race(ways.map((way) => Promise.allSettled([way])))
  isOver.abort()
}
