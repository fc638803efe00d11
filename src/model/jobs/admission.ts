/** Admission: how many open jobs an account may have, given how many other accounts have some. */

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
