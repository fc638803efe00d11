/** Lists previews in places that no job wants: claims them while there is room, and hands them back at a stop. */
import type { Context } from '../context.ts'
import {
  type ClaimedPreview,
  claimPreview,
  holdPreview,
  releasePreview,
} from '../store/previews.ts'
import { startLoop } from '../kit/loop.ts'
import { loopOptions } from './periodic-tasks.ts'
import { VISITORS } from '../model/previews/trial.ts'
import { type PreviewParts, runPreview } from './run-preview.ts'
import { openSharedLists } from './shared-lists.ts'
import type { WorkerContext } from './worker-context.ts'

/** Number of previews that a process lists at once, where as many places for jobs are free. */
const PREVIEWS_AT_ONCE_MAX = 4
/** Number of those that one account, and all visitors together, may have, so that others have their share. */
const OF_ACCOUNT_MAX = PREVIEWS_AT_ONCE_MAX / 2
const OF_VISITORS_MAX = 1
const PREVIEW_POLL_MS = 1_000

export type Previews = {
  /** Begins no more, and hands back previews that are under way. */
  stop(): Promise<void>
}

/** Starts to take previews. `jobs` returns how many places the worker's jobs take up. */
export function startPreviews(
  ctx: Context,
  worker: WorkerContext,
  jobs: { readonly size: number },
): Previews {
  const { signals, config } = ctx
  const parts = { ctx: worker, lists: openSharedLists() }
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Map<ClaimedPreview, Promise<void>>()

  function start(claimed: ClaimedPreview): void {
    const done = work(ctx, parts, claimed, signal).finally(() => {
      underWay.delete(claimed)
      taking.wake()
    })
    underWay.set(claimed, done)
  }

  async function step(): Promise<void> {
    await Promise.all([...underWay.keys()].map(({ preview }) => holdPreview(ctx.db, preview)))
    for (;;) {
      const places = Math.min(PREVIEWS_AT_ONCE_MAX, config.WORKER_JOBS - jobs.size)
      if (signal.aborted || underWay.size >= places) return
      const claimed = await claimPreview(ctx.db, fullAccounts([...underWay.keys()]))
      if (claimed === null) return
      start(claimed)
    }
  }

  const options = loopOptions(ctx, { what: 'taking previews', everyMs: PREVIEW_POLL_MS, signal })
  const taking = startLoop(step, options)
  const unsubscribe = signals.on('scriptorium_preview', taking.wake)
  return {
    async stop() {
      stopping.abort(new Error('the worker is to stop'))
      unsubscribe()
      await taking.done // a preview that was being claimed is under way by now
      await Promise.all(underWay.values())
    },
  }
}

/** Returns the accounts that have their share of the previews under way, VISITORS among them. */
function fullAccounts(underWay: ClaimedPreview[]): string[] {
  const counts = Map.groupBy(underWay, ({ preview }) => preview.accountId ?? VISITORS)
  return [...counts].flatMap(([account, { length }]) =>
    length >= (account === VISITORS ? OF_VISITORS_MAX : OF_ACCOUNT_MAX) ? [account] : [],
  )
}

/** Lists one preview. Never throws: a preview that is never settled is over when its time is. */
async function work(
  { db, log, usage }: Context,
  parts: PreviewParts,
  claimed: ClaimedPreview,
  draining: AbortSignal,
): Promise<void> {
  const { accountId } = claimed.preview
  const run = (): Promise<void> => runPreview(parts, claimed, draining)
  try {
    await (accountId === null ? run() : usage.onBehalfOf(accountId, run))
  } catch (error) {
    if (!draining.aborted) log.warn({ err: error }, 'a preview could not be listed')
    await releasePreview(db, claimed.preview).catch(() => undefined)
  }
}
