/**
 * Admits jobs: accounts share the places, and none is kept out by others that brought much less
 * (docs/decisions/0012-places-are-shared-by-account.md).
 */
import { Problem } from '../../kit/problem.ts'
import { isAdmitted, type OpenJobs } from '../../model/jobs/allowance.ts'
import { countRivals, recentJobSeconds, secondsOfEnds } from '../../store/admission.ts'
import type { Tx } from '../../store/database.ts'

/** An account that wants a place for a further job. */
export type Applicant = { accountId: string; openJobs: OpenJobs; maxActiveJobs: number }

const RETRY_AFTER_SECONDS = { min: 1, default: 30, max: 3_600 }

/** Returns whether there is a place for a further job of the account. Its balance is locked. */
export async function hasPlace(tx: Tx, applicant: Applicant): Promise<boolean> {
  return (await placeFor(tx, applicant)).isFree
}

/** Throws `server_busy` where there is none, with the time in which as many as stand in its way ended last. */
export async function requirePlace(tx: Tx, applicant: Applicant): Promise<void> {
  const { isFree, accountsAhead } = await placeFor(tx, applicant)
  if (isFree) return
  const { min, max, default: unknown } = RETRY_AFTER_SECONDS
  const waited = accountsAhead > 0 ? secondsOfEnds(tx, accountsAhead) : recentJobSeconds(tx)
  const seconds = Math.ceil((await waited) ?? unknown)
  throw new Problem('server_busy', {
    headers: { 'Retry-After': String(Math.min(max, Math.max(min, seconds))) },
  })
}

/** `accountsAhead` is how many accounts have to end their jobs first; 0 where the account's own are too many. */
async function placeFor(
  tx: Tx,
  { accountId, openJobs, maxActiveJobs }: Applicant,
): Promise<{ isFree: boolean; accountsAhead: number }> {
  if (isAdmitted(openJobs, maxActiveJobs)) return { isFree: true, accountsAhead: 0 }
  const otherAccounts = await countRivals(tx, accountId)
  return {
    isFree: isAdmitted({ ...openJobs, otherAccounts }, maxActiveJobs),
    accountsAhead: Math.max(0, otherAccounts + 1 - maxActiveJobs),
  }
}
