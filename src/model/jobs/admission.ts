/** Admission: how many open jobs an account may have, given how many other accounts have some. */

/** Open jobs before a new one of the account; `otherAccounts` have at least one each. */
export type OpenJobs = { ofAccount: number; otherAccounts: number }

/**
 * Whether the account may open a further job where `max` are to be open at once. An equal share of `max`
 * for each account at work, this one included, and never more than half: so whoever has none gets one in,
 * whatever others hold, as long as at most `max` accounts are at work.
 *
 * Shares shrink as accounts come, and what was admitted stays: open jobs are at most max × (1 + ln max).
 */
export function isAdmitted({ ofAccount, otherAccounts }: OpenJobs, max: number): boolean {
  const accounts = otherAccounts + 1
  const share = Math.min(Math.ceil(max / 2), Math.max(1, Math.floor(max / accounts)))
  return accounts <= max && ofAccount < share
}
