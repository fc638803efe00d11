/** Lists previews, and reads trials, in places that no job wants: claims them while there is room, and hands them back at a stop. */
import type { Context } from '../context.ts'
import { claimPreview, holdPreview, releasePreview } from '../store/previews.ts'
import { claimTrial, holdTrial, releaseTrial } from '../store/trials.ts'
import { startLoop } from '../kit/loop.ts'
import { loopOptions } from './periodic-tasks.ts'
import { VISITORS } from '../model/previews/trial.ts'
import { type PreviewParts, runPreview } from './run-preview.ts'
import { runTrial } from './run-trial.ts'

/** Listed by one process at once, where so many places for jobs are free. */
const PREVIEWS_AT_ONCE_MAX = 4
/** One account has at most so many of them, so that others have their share. */
const OF_ACCOUNT_MAX = PREVIEWS_AT_ONCE_MAX / 2
const PREVIEW_POLL_MS = 1_000

export type Previews = {
  /** Begins no more, and hands back what is under way. */
  stop(): Promise<void>
}

/** A preview or a trial that was claimed. */
type Claimed = {
  /** What each of these is charged with: the account, or VISITORS. */
  accountId: string
  run(): Promise<void>
  /** So that no other worker does it meanwhile. */
  hold(): Promise<void>
  /** So that another worker does it. */
  release(): Promise<void>
}

/** `jobs`: how many places the worker's jobs take up. */
export function startPreviews(
  ctx: Context,
  parts: PreviewParts,
  jobs: { readonly size: number },
): Previews {
  const { signals, config } = ctx
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Map<Claimed, Promise<void>>()

  function start(claimed: Claimed): void {
    const done = work(ctx, claimed, signal).finally(() => {
      underWay.delete(claimed)
      taking.wake()
    })
    underWay.set(claimed, done)
  }

  async function step(): Promise<void> {
    await Promise.all([...underWay.keys()].map((claimed) => claimed.hold()))
    for (;;) {
      const places = Math.min(PREVIEWS_AT_ONCE_MAX, config.WORKER_JOBS - jobs.size)
      if (signal.aborted || underWay.size >= places) return
      const accounts = [...underWay.keys()].map(({ accountId }) => accountId)
      const claimed =
        (await nextPreview(ctx, parts, { accounts, signal })) ??
        (await nextTrial(ctx, parts, { accounts, signal }))
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
      await taking.done // what it was claiming is under way
      await Promise.all(underWay.values())
    },
  }
}

/** `accounts`: of those that are under way. */
type Claiming = { accounts: readonly string[]; signal: AbortSignal }

async function nextPreview(
  { db, usage }: Context,
  parts: PreviewParts,
  { accounts, signal }: Claiming,
): Promise<Claimed | null> {
  const counts = Map.groupBy(accounts, (accountId) => accountId)
  const full = [...counts].filter(([, own]) => own.length >= OF_ACCOUNT_MAX)
  const claimed = await claimPreview(
    db,
    full.map(([accountId]) => accountId),
  )
  if (claimed === null) return null
  const { accountId } = claimed.preview
  return {
    accountId,
    run: () => usage.onBehalfOf(accountId, () => runPreview(parts, claimed, signal)),
    hold: () => holdPreview(db, claimed.preview),
    release: () => releasePreview(db, claimed.preview),
  }
}

/** One trial at a time: the other places are left to those who have an account. */
async function nextTrial(
  { db }: Context,
  parts: PreviewParts,
  { accounts, signal }: Claiming,
): Promise<Claimed | null> {
  const claimed = accounts.includes(VISITORS) ? null : await claimTrial(db)
  if (claimed === null) return null
  return {
    accountId: VISITORS,
    run: () => runTrial(parts, claimed, signal),
    hold: () => holdTrial(db, claimed),
    release: () => releaseTrial(db, claimed),
  }
}

/** Never throws: what nobody settles is over when its time is. */
async function work({ log }: Context, claimed: Claimed, draining: AbortSignal): Promise<void> {
  try {
    await claimed.run()
  } catch (error) {
    if (!draining.aborted) log.warn({ err: error }, 'a preview could not be listed')
    await claimed.release().catch(() => undefined)
  }
}
