/** Removes the indexes of deleted accounts: with the places of all words an index tells what was said. */
import type { Logger } from 'pino'
import type pg from 'pg'
import { LIMITS } from '../../kit/config/config.ts'
import type { IndexFolder } from './index-folder.ts'
import { ThreadsClosed } from '../../kit/threads.ts'
import type { IndexProcesses } from './index-processes.ts'
import { listDeletedAccounts } from '../../store/search-rows.ts'
import { removeIndex } from './index-builds.ts'

type Input = { pool: pg.Pool; processes: IndexProcesses; folder: IndexFolder }

export async function sweepIndexes(input: Input): Promise<void> {
  const accountIds = input.folder.accounts()
  if (accountIds.length === 0) return
  for (const id of await listDeletedAccounts(input.pool, accountIds)) await removeIndex(input, id)
}

/**
 * Starts the sweep in each process that has indexes, since only that process reaches its folder. Returns what ends it.
 */
export function startIndexSweep({ log, ...input }: Input & { log: Logger }): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => sweepIndexes(input))
      .catch((error: unknown) => {
        if (!(error instanceof ThreadsClosed))
          log.warn({ err: error }, 'indexes of deleted accounts could not be removed')
      })
  }, LIMITS.sweepEveryMs).unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
