/** Lists previews, and reads trials, in places that no job wants: takes their tasks while there is room, and hands them back at a stop. */
import { LIMITS } from '../kit/config/config.ts'
import type { Context } from '../context.ts'
import type { Task } from '../store/queue.ts'
import { type Loop, startLoop } from '../kit/loop.ts'
import { loopOptions } from './periodic-tasks.ts'
import { VISITORS } from '../model/previews/trial.ts'
import { type PreviewParts, runPreview } from './run-preview.ts'
import { runTrial } from './run-trial.ts'

/** Listed by one process at once, where so many places for jobs are free. */
const PREVIEWS_AT_ONCE_MAX = 4
const PREVIEW_POLL_MS = 1_000
const PREVIEW_SUPERVISION_MS = 3_000

export type Previews = {
  /** Begins no more, and hands back what is under way. */
  stop(): Promise<void>
}

/** `jobs`: how many places the worker's jobs take up. */
export function startPreviews(
  ctx: Context,
  parts: PreviewParts,
  jobs: { readonly size: number },
): Previews {
  const { queue, signals, config } = ctx
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Map<Task, Promise<void>>()

  function start(task: Task): void {
    const done = work(ctx, parts, task, signal).finally(() => {
      underWay.delete(task)
      taking.wake()
    })
    underWay.set(task, done)
  }

  async function step(): Promise<void> {
    for (;;) {
      const places = Math.min(PREVIEWS_AT_ONCE_MAX, config.WORKER_JOBS - jobs.size)
      if (signal.aborted || underWay.size >= places) return
      // One trial at a time: the other places are left to those who have an account.
      const [task] = await queue.previews.take(
        1,
        [...underWay.keys()].some(isTrial) ? [VISITORS] : [],
      )
      if (task === undefined) return
      start(task)
    }
  }

  const loop = (what: string, everyMs: number, each: () => Promise<void>): Loop =>
    startLoop(each, loopOptions(ctx, { what, everyMs, signal }))
  const taking = loop('taking previews', PREVIEW_POLL_MS, step)
  const others = [
    loop('touching previews', LIMITS.taskHeartbeatMs, () =>
      queue.previews.touch([...underWay.keys()]),
    ),
    loop('looking for silent previews', PREVIEW_SUPERVISION_MS, () => queue.previews.supervise()),
  ]
  const unsubscribe = signals.on('scriptorium_preview', taking.wake)
  return {
    async stop() {
      stopping.abort(new Error('the worker is to stop'))
      unsubscribe()
      await taking.done // what it was taking is under way
      await Promise.all([...underWay.values(), ...others.map(({ done }) => done)])
    },
  }
}

function isTrial({ accountId }: Task): boolean {
  return accountId === VISITORS
}

/** Never throws: what is not settled grows silent, and is delivered again. */
async function work(
  { queue, log, usage }: Context,
  parts: PreviewParts,
  task: Task,
  draining: AbortSignal,
): Promise<void> {
  const { jobId: previewId, accountId } = task
  try {
    if (isTrial(task)) await runTrial(parts, previewId, draining)
    else
      await usage.onBehalfOf(accountId, () => runPreview(parts, { previewId, accountId }, draining))
    await queue.previews.complete(task)
  } catch (error) {
    // In its own time, once the silent task is noticed: what fails at once is not to be repeated at once.
    if (!draining.aborted) log.warn({ err: error, previewId }, 'a preview will be listed again')
    else await queue.previews.handBack(task).catch(() => undefined)
  }
}
