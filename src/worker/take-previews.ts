/** Lists previews in places that no job wants: claims them while there is room, and hands them back at a stop. */
import type { Context } from '../context.ts'
import { VISITORS } from '../model/previews/trial.ts'
import {
  type ClaimedPreview,
  claimPreview,
  holdPreview,
  releasePreview,
} from '../store/previews.ts'
import { type EndWork, startClaiming } from './background-work.ts'
import { type PreviewParts, runPreview } from './run-preview.ts'
import { openSharedLists } from './shared-lists.ts'
import type { WorkerContext } from './worker-context.ts'

/** Number of previews that a process lists at once, where as many places for jobs are free. */
const PREVIEWS_AT_ONCE_MAX = 4
/** Number of those that one account, and all visitors together, may have, so that others have their share. */
const OF_ACCOUNT_MAX = PREVIEWS_AT_ONCE_MAX / 2
const OF_VISITORS_MAX = 1
const PREVIEW_POLL_MS = 1_000

/** Starts to take previews. `jobs` tells how many places the worker's jobs take up. */
export function startPreviews(
  ctx: Context,
  worker: WorkerContext,
  jobs: { readonly size: number },
): EndWork {
  const parts = { ctx: worker, lists: openSharedLists() }
  return startClaiming<ClaimedPreview>(ctx, {
    what: 'taking previews',
    everyMs: PREVIEW_POLL_MS,
    wokenBy: 'scriptorium_preview',
    atOnceMax: PREVIEWS_AT_ONCE_MAX,
    hold: ({ preview }) => holdPreview(ctx.db, preview),
    async claim(underWay) {
      if (underWay.length >= ctx.config.WORKER_JOBS - jobs.size) return []
      const claimed = await claimPreview(ctx.db, fullAccounts(underWay))
      return claimed === null ? [] : [claimed]
    },
    work: (claimed, leaving) => work(ctx, parts, claimed, leaving),
  })
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
