/**
 * Removes the indexes of deleted accounts and texts, and of earlier epochs, since with the places of all words an index
 * tells what was said; and shares the others.
 */
import { LIMITS } from '../../config/config.ts'
import { ThreadsClosed } from '../../kit/threads.ts'
import { lackTheSame, listDeletedAccounts, listLacking } from '../../store/search-rows.ts'
import { removeIndex } from './index-builds.ts'
import { type IndexContext, shareIndexes } from './shared-indexes.ts'

export async function sweepIndexes(ctx: IndexContext): Promise<void> {
  for (const path of ctx.folder.outdated()) await ctx.processes.write('remove', { path })
  const accountIds = ctx.folder.accounts()
  if (accountIds.length === 0) return
  for (const id of await listDeletedAccounts(ctx.pool, accountIds)) await removeIndex(ctx, id)
  for (const { id, fingerprint: owned } of await listLacking(ctx.pool, ctx.folder.accounts())) {
    const { fingerprint } = await ctx.processes.write('standing', { path: ctx.folder.pathOf(id) })
    if (!lackTheSame(fingerprint, owned)) await removeIndex(ctx, id)
  }
  await shareIndexes(ctx)
}

/**
 * Starts the sweep in each process that has indexes, since only that process reaches its folder. Returns what ends it.
 */
export function startIndexSweep(ctx: IndexContext): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => sweepIndexes(ctx))
      .catch((error: unknown) => {
        if (!(error instanceof ThreadsClosed))
          ctx.log.warn({ err: error }, 'indexes of deleted accounts could not be removed')
      })
  }, LIMITS.sweepEveryMs).unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
