/** Ends a job: final state, charge and release in one commit, none visible without the others. */
import assert from 'node:assert/strict'
import type { Tx } from '../postgres/database.ts'
import { lockJob } from '../store/jobs.ts'
import { lockBalance } from '../store/ledger.ts'
import type { Attempt } from './attempt.ts'
import { endJob } from './end-job.ts'
import { type FinalState, isFinal, type JobEnding, nextState } from './job.ts'

/**
 * Returns the final state, or null where this attempt has nothing to end: it was replaced, or the
 * job is final already. Safe to repeat. `error` is a sentence for the customer, or null.
 */
export async function finishJob(
  tx: Tx,
  attempt: Attempt,
  { event, error }: { event: JobEnding; error: string | null },
): Promise<FinalState | null> {
  const balance = await lockBalance(tx, attempt.accountId) // first, as in start-job: one lock order
  const job = await lockJob(tx, attempt.jobId)
  const state = nextState(job.state, event)
  if (state === null || job.attempt !== attempt.number) return null

  assert(isFinal(state), 'every ending leads to a final state')
  await endJob(tx, { balance, job }, { state, error })
  return state
}
