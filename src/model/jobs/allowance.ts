/**
 * The allowance: how much unpaid work an account may cause in one day (UTC). Listing is
 * such work, and so are videos that turn out to have no captions. It grows with what the account ever
 * brought, so that whoever buys never meets it (docs/decisions/0013-what-free-work-costs.md).
 */

export type AllowanceTerms = {
  /** Platform calls a day for every account. */
  callsPerDay: number
  /** Further ones for each USD the account ever brought, spent or not. */
  callsPerUsd: number
}

/** As the operator set them. */
export function allowanceTerms(set: {
  FREE_CALLS_PER_DAY: number
  FREE_CALLS_PER_USD: number
}): AllowanceTerms {
  return { callsPerDay: set.FREE_CALLS_PER_DAY, callsPerUsd: set.FREE_CALLS_PER_USD }
}

/** What a delivered transcript adds to the allowance of its day. */
export const CALLS_PER_DELIVERED = 3
/** So many pages that are read from a copy count as one call: they cost us time, the platform nothing. */
export const COPIED_PAGES_PER_CALL = 10

/** So many rows without a transcript, kept for ever, count as one call. */
export const FREE_ROWS_PER_CALL = 100

/**
 * Which bound ended what is free: the account's listing of the day, that of a single job, or the
 * account's videos of the day that were asked for in vain.
 */
export type SpentBound = 'day' | 'job' | 'refused'

const MICROS_PER_USD = 1_000_000n
/** What the database's counter can hold, with room for calls in flight. */
const CALLS_MAX = 2_000_000_000n

/** In platform calls. `broughtMicros`: top-ups and corrections; `delivered`: transcripts of the day. */
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
