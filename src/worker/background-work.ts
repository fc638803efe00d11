/** Work in the background of a process: steps that are repeated, and work that is claimed while there is room. */
import type { Context } from '../context.ts'
import { unlessAborted } from '../kit/concurrency.ts'
import { type Loop, startLoop } from '../kit/loop.ts'
import { isDatabaseAway } from '../kit/postgres/database.ts'
import type { Channel } from '../store/signals.ts'

export type RepeatedStep = {
  /** Words for the step in the log: "taking jobs". */
  what: string
  everyMs: number
  /** True where no commit of the step waits for anybody, so that it goes on while commits hang. */
  isUnconfirmed?: boolean
  step(): Promise<unknown>
}

export type Repeating = Loop & {
  /** Takes the next step at once for a signal; `payload` null says that signals may have been lost. */
  hear(payload: string | null): void
}

/**
 * Repeats a step until `signal` aborts: a failed one is logged and repeated, a lost database or one whose commits hang
 * is waited for. At a start, and when signals may have been lost, all loops of the process look at once: then their
 * steps come one after another.
 */
export function startRepeating(
  ctx: Context,
  { what, everyMs, isUnconfirmed = false, step }: RepeatedStep,
  signal: AbortSignal,
): Repeating {
  let isOneOfAll = true
  async function take(): Promise<void> {
    if (!isUnconfirmed && ctx.readiness.commitsHang()) return
    const isInLine = isOneOfAll
    isOneOfAll = false
    if (isInLine) await ctx.firstSteps.take(async () => void (await step()), signal)
    else await step()
  }
  const loop = startLoop(take, {
    everyMs,
    signal,
    async onError(error) {
      if (isDatabaseAway(error)) await reviveDatabase(ctx, signal)
      else ctx.log.warn({ err: error }, `${what} failed and will be repeated`)
    },
  })
  return {
    ...loop,
    hear(payload) {
      if (payload === null) isOneOfAll = true
      loop.wake()
    },
  }
}

/**
 * Starts the embedded database again where it is gone. That may take long, so the abort of `signal` ends the wait.
 * Never throws.
 */
export async function reviveDatabase(ctx: Context, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await unlessAborted(ctx.reviveDatabase(), signal).catch(() => undefined)
}

/** Begins no more work, and resolves when what is under way is over. */
export type EndWork = () => Promise<void>

type ClaimedWork<Item> = {
  /** Words for claiming in the log. */
  what: string
  /** How often work is looked for when no signal tells of it. */
  everyMs: number
  wokenBy: Channel
  atOnceMax: number
  /** How long work that is under way at the end may go on; without it, it is asked to leave at once. */
  graceMs?: number
  /** Tells, at each look, that the item is still under way. */
  hold?(item: Item): Promise<void>
  /** Claims work beside what is under way; none ends this look. */
  claim(underWay: Item[]): Promise<Item[]>
  /** Does what was claimed; never rejects. `leaving` is aborted when it has to end. */
  work(item: Item, leaving: AbortSignal): Promise<void>
}

/** Claims work while there is room, and does it side by side. */
export function startClaiming<Item>(
  ctx: Context,
  { what, everyMs, wokenBy, atOnceMax, graceMs = 0, hold, claim, work }: ClaimedWork<Item>,
): EndWork {
  const [stopping, leaving] = [new AbortController(), new AbortController()]
  const underWay = new Map<Item, Promise<void>>()

  function start(item: Item): void {
    const done = work(item, leaving.signal).finally(() => {
      underWay.delete(item)
      claiming.wake()
    })
    underWay.set(item, done)
  }

  async function step(): Promise<void> {
    if (hold !== undefined) await Promise.all([...underWay.keys()].map(hold))
    while (!stopping.signal.aborted && underWay.size < atOnceMax) {
      const claimed = await claim([...underWay.keys()])
      if (claimed.length === 0) return
      claimed.forEach(start)
    }
  }

  const claiming = startRepeating(ctx, { what, everyMs, step }, stopping.signal)
  const unsubscribe = ctx.signals.on(wokenBy, claiming.hear)
  return async () => {
    const late = setTimeout(() => leaving.abort(new Error('the process is to stop')), graceMs)
    stopping.abort()
    unsubscribe()
    await claiming.done // what was being claimed is under way by now
    await Promise.all(underWay.values())
    clearTimeout(late)
  }
}
