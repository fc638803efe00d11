/** Looks at the lists that accounts follow: takes looks that are due while there is room. */
import { presentSubscription } from '../api/subscription-contract.ts'
import type { Context } from '../context.ts'
import type { ClaimedLook } from '../store/subscriptions.ts'
import { claimDueLooks, recordLook, releaseLook } from '../features/follow/looks.ts'
import { startLoop } from '../kit/loop.ts'
import { loopOptions } from './periodic-tasks.ts'
import { type LookParts, readFollowedList } from './read-followed-list.ts'
import type { SharedLists } from './shared-lists.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOKS_AT_ONCE_MAX = 16
const LOOK_POLL_MS = 1_000

export type Looking = {
  /** Begins no more looks, gives back those under way, and resolves when all of them are over. */
  stop(): Promise<void>
}

/** Starts to take looks. `publicUrl` is the beginning of links in mails. */
export function startLooking(
  ctx: Context,
  worker: WorkerContext,
  { lists, publicUrl }: { lists: SharedLists; publicUrl: string },
): Looking {
  const parts = { ctx: worker, lists, publicUrl }
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<void>>()

  function start(look: ClaimedLook): void {
    const done: Promise<void> = lookAt(ctx, parts, { look, signal }).finally(() => {
      underWay.delete(done)
      looking.wake()
    })
    underWay.add(done)
  }

  const looking = startLoop(
    async () => {
      while (!signal.aborted && underWay.size < LOOKS_AT_ONCE_MAX) {
        const claimed = await claimDueLooks(ctx.db, LOOKS_AT_ONCE_MAX - underWay.size)
        if (claimed.length === 0) return
        claimed.forEach(start)
      }
    },
    loopOptions(ctx, { what: 'looking at subscriptions', everyMs: LOOK_POLL_MS, signal }),
  )
  const unsubscribe = ctx.signals.on('scriptorium_look', looking.wake)
  return {
    async stop() {
      stopping.abort(new Error('the process is to stop'))
      unsubscribe()
      await looking.done // a look that was being claimed is under way by now
      await Promise.all(underWay)
    },
  }
}

/**
 * Makes one look. Never rejects. A look that could not be recorded is due again when its lease is over, so that one
 * that always fails is not repeated at once.
 */
async function lookAt(
  { db, config, outbox, usage, metrics, log }: Context,
  parts: LookParts & { publicUrl: string },
  { look, signal }: { look: ClaimedLook; signal: AbortSignal },
): Promise<void> {
  try {
    const answer = await usage.onBehalfOf(look.accountId, () =>
      readFollowedList(parts, look, signal),
    )
    const { publicUrl } = parts
    const maxActiveJobs = config.MAX_ACTIVE_JOBS
    const deps = { db, maxActiveJobs, present: presentSubscription, outbox, publicUrl }
    const outcome = await recordLook(deps, look, answer)
    metrics.looks.inc({ outcome })
  } catch (error) {
    if (signal.aborted) await releaseLook(db, look).catch(() => undefined)
    else log.warn({ err: error, subscriptionId: look.id }, 'a look was lost')
  }
}
