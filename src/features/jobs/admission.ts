/**
 * Admits jobs: accounts share the places, and none is kept out by others that brought much less
 * (docs/decisions/0012-places-are-shared-by-account.md).
 */
import { counted } from '../../kit/text/counted.ts'
import { Problem } from '../../kit/problem.ts'
import {
  ALLOWANCE_NEARLY_USED,
  type AllowanceTerms,
  isAdmitted,
  jobsOfDay,
  type OpenJobs,
} from '../../model/jobs/allowance.ts'
import { countRivals, recentJobSeconds, secondsOfEnds } from '../../store/admission.ts'
import type { Tx } from '../../store/database.ts'
import { countDeliveredToday, type FreeCallsOfDay } from '../../store/free-calls.ts'
import { readAllowance } from './free-calls.ts'

/** An account that wants a place for a further job. */
type Applicant = { accountId: string; openJobs: OpenJobs; maxActiveJobs: number }

const RETRY_AFTER_SECONDS = { min: 1, default: 30, max: 3_600 }

/** An account that starts a job at `now`; `today` is its free work. Its balance is locked. */
type AccountAtStart = { accountId: string; today: FreeCallsOfDay; terms: AllowanceTerms; now: Date }

const DAY_SECONDS = 86_400

/**
 * Throws `rate_limited` until midnight (UTC) where as many jobs of the account ended without a delivery today as may do
 * so (docs/decisions/0013-what-free-work-costs.md). Returns a notice where those are nearly used up.
 */
export async function requireAllowance(
  tx: Tx,
  { accountId, today, terms, now }: AccountAtStart,
): Promise<string[]> {
  const { jobs } = today
  if (jobs < jobsOfDay(terms.callsPerDay) * ALLOWANCE_NEARLY_USED) return []
  const delivered = await countDeliveredToday(tx, accountId)
  const allowed = jobsOfDay(await readAllowance(tx, accountId, terms, delivered))
  if (jobs < allowed * ALLOWANCE_NEARLY_USED) return []
  const sentence = `Today ${counted(jobs, 'job')} of this account ended without a transcript`
  const until = 'after midnight (UTC), or after adding credit'
  if (jobs < allowed)
    return [`${sentence}; when it is ${allowed}, further jobs can be started ${until}.`]
  throw new Problem('rate_limited', {
    message: `${sentence} (more than 4 KB of URLs count as several), which is its limit; start further ones ${until}.`,
    headers: {
      'Retry-After': String(DAY_SECONDS - (Math.floor(now.getTime() / 1000) % DAY_SECONDS)),
    },
  })
}

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
