/** Allowance of an account: open jobs at once, and unpaid work in one day (UTC). */
import type { Config } from '../../config/config.ts'

/** Open jobs before the account's new one; each of `otherAccounts` has at least one. */
export type OpenJobs = { ofAccount: number; otherAccounts: number }

/**
 * Returns whether the account may open a further job where `max` are to be open at once. Each account at work, this one
 * included, has an equal share of `max`, and never more than half. So an account without a job gets one in, whatever
 * others hold, as long as at most `max` accounts are at work.
 *
 * Shares shrink as accounts come, and admitted jobs stay: open jobs are at most max × (1 + ln max).
 */
export function isAdmitted({ ofAccount, otherAccounts }: OpenJobs, max: number): boolean {
  const accounts = otherAccounts + 1
  const share = Math.min(Math.ceil(max / 2), Math.max(1, Math.floor(max / accounts)))
  return accounts <= max && ofAccount < share
}

// The allowance: how much unpaid work an account may cause in one day (UTC). Listing is such work, and so are
// videos that turn out to have no captions. It grows with what the account ever brought, so that a buying customer
// never meets it (docs/decisions/0013-what-free-work-costs.md).

export type AllowanceTerms = {
  /** Platform calls a day for every account. */
  callsPerDay: number
  /** Further calls a day for each USD that the account ever brought, spent or not. */
  callsPerUsd: number
}

/** Returns the terms that the operator set. */
export function allowanceTerms(config: Config): AllowanceTerms {
  return { callsPerDay: config.FREE_CALLS_PER_DAY, callsPerUsd: config.FREE_CALLS_PER_USD }
}

/** Returns half of the terms, for previews and questions about refused videos; the rest is left to jobs and lists. */
export function halfOf({ callsPerDay, callsPerUsd }: AllowanceTerms): AllowanceTerms {
  return { callsPerDay: Math.floor(callsPerDay / 2), callsPerUsd: Math.floor(callsPerUsd / 2) }
}

/** Platform calls that a delivered transcript adds to the allowance of its day. */
const CALLS_PER_DELIVERED = 3
/** Number of pages read from a copy that count as one call: they cost our time, and no call of the platform. */
export const COPIED_PAGES_PER_CALL = 10

/** Number of rows without a transcript, kept for ever, that count as one call. */
export const FREE_ROWS_PER_CALL = 100

/**
 * Bytes of a job's lines that count as a further job, since its rows keep them twice, for ever. Fifty addresses of
 * videos take half of it.
 */
const LINE_BYTES_PER_JOB = 4_096
/** Jobs a day that may deliver nothing whatever the operator allows: an allowance of 0 forbids listing, not orders. */
export const JOBS_FOR_NOTHING_MIN = 100

/** The part of the day's allowance from which on a notice says that it is nearly used up. */
export const ALLOWANCE_NEARLY_USED = 0.8

/** The bound that ended free work: listing of the day, or of a single job, or videos of the day asked for in vain. */
export type SpentBound = 'day' | 'job' | 'refused'

const MICROS_PER_USD = 1_000_000n
/** The most that the database's counter can hold, with room for calls in flight. */
const CALLS_MAX = 2_000_000_000n

/**
 * Returns how many jobs a job without a delivery counts as: one, and more where its lines are long, or where it took up
 * many videos, whose rows stay.
 */
export function jobWeight({ urls, slotsUsed }: { urls: string[]; slotsUsed: number }): number {
  const bytes = urls.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  return 1 + Math.floor(bytes / LINE_BYTES_PER_JOB) + Math.floor(slotsUsed / FREE_ROWS_PER_CALL)
}

/** Returns how many jobs may end without a delivery on a day that has so many calls: as many. */
export function jobsOfDay(calls: number): number {
  return Math.max(JOBS_FOR_NOTHING_MIN, calls)
}

/** Returns a day's calls; `broughtMicros` are top-ups and corrections, `delivered` the day's transcripts. */
export function callsOfDay(
  { callsPerDay, callsPerUsd }: AllowanceTerms,
  { broughtMicros, delivered }: { broughtMicros: bigint; delivered: number },
): number {
  const brought = broughtMicros > 0n ? broughtMicros : 0n
  const calls =
    BigInt(callsPerDay) +
    (BigInt(callsPerUsd) * brought) / MICROS_PER_USD +
    BigInt(CALLS_PER_DELIVERED * delivered)
  return Number(calls < CALLS_MAX ? calls : CALLS_MAX)
}
