/** Runs batches: takes those that are due while there is room, and has each order its next job. */
import type { Context } from '../context.ts'
import { claimDueBatches, stepBatch } from '../features/batches/run-batches.ts'
import { allowanceTerms } from '../model/jobs/allowance.ts'
import type { ClaimedBatch } from '../store/batches.ts'
import { type EndWork, startClaiming } from './background-work.ts'

const BATCHES_AT_ONCE = 4
const BATCH_POLL_MS = 1_000

/**
 * Starts to take batches; `publicUrl` is the beginning of links in mails. A step that fails is due again when its lease
 * is over.
 */
export function startBatches(ctx: Context, publicUrl: string): EndWork {
  const { db, config, outbox, log } = ctx
  const deps = {
    db,
    maxActiveJobs: config.MAX_ACTIVE_JOBS,
    terms: allowanceTerms(config),
    outbox,
    publicUrl,
  }
  return startClaiming<ClaimedBatch>(ctx, {
    what: 'running batches',
    everyMs: BATCH_POLL_MS,
    wokenBy: 'scriptorium_batch',
    atOnceMax: BATCHES_AT_ONCE,
    claim: (underWay) => claimDueBatches(db, BATCHES_AT_ONCE - underWay.length),
    work: (batch) =>
      stepBatch(deps, batch).catch((error: unknown) =>
        log.warn({ err: error, batchId: batch.id }, 'a step of a batch was lost'),
      ),
  })
}
