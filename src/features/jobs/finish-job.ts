/** Ends a job: final state, charge and release in one commit, none visible without the others. */
import assert from 'node:assert/strict'
import type { Tx } from '../../store/database.ts'
import type { JobRecord } from '../../store/jobs.ts'
import { lockJobWithBalance } from '../../store/locked-job.ts'
import type { Attempt } from '../../model/jobs/attempt.ts'
import { endJob } from './end-job.ts'
import { type FinalState, isFinal, type JobEnding, nextState } from '../../model/jobs/job.ts'

/**
 * Returns the final state, or null where this attempt has nothing to end: it was replaced, or the
 * job is final already. Safe to repeat. `error` is a sentence for the customer, or null.
 */
export async function finishJob(
  tx: Tx,
  attempt: Attempt,
  { event, error }: { event: JobEnding; error: string | null },
): Promise<FinalState | null> {
  return (await finishAttempt(tx, attempt, { event, error }))?.state ?? null
}

/** The same; returns the job as it ended. */
export async function finishAttempt(
  tx: Tx,
  attempt: Attempt,
  { event, error }: { event: JobEnding; error: string | null },
): Promise<(JobRecord & { state: FinalState }) | null> {
  const locked = await lockJobWithBalance(tx, attempt)
  const { job } = locked
  const state = nextState(job.state, event)
  if (state === null || job.attempt !== attempt.number) return null

  assert(isFinal(state), 'every ending leads to a final state')
  const { job: ended } = await endJob(tx, locked, { state, error })
  return { ...ended, state }
}
