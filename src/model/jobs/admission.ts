/** Admission: how many open jobs an account may have, given how many other accounts have some. */

/** Open jobs as they stand before a new one of the account; `otherAccounts` have at least one each. */
export type Standing = { ofAccount: number; otherAccounts: number }

/**
 * Whether the account may open a further job where `max` are to be open at once. An equal share of `max`
 * for each account at work, this one included, and never more than half: so whoever has none gets one in,
 * whatever others hold, as long as at most `max` accounts are at work.
 *
 * Shares shrink as accounts come, and what was admitted stays: open jobs are at most max × (1 + ln max).
 */
export function isAdmitted({ ofAccount, otherAccounts }: Standing, max: number): boolean {
  const accounts = otherAccounts + 1
  const share = Math.min(Math.ceil(max / 2), Math.max(1, Math.floor(max / accounts)))
  return accounts <= max && ofAccount < share
}

/**
 * Accounts that may come to work at the same moment as one that sees itself counted: one of each other shard
 * (store/admission.ts).
 */
export const UNSEEN_MAX = 15

/** `accountsAtWork`: this one included if it has open jobs. */
export function standingOf(openJobs: number, accountsAtWork: number): Standing {
  const own = openJobs > 0 ? 1 : 0
  return { ofAccount: openJobs, otherAccounts: Math.max(0, accountsAtWork - own) }
}

/** Whether an account that comes to work had better wait for others that do, to know whether there is room. */
export function isNearlyFull(accountsAtWork: number, max: number): boolean {
  return accountsAtWork + 2 * (UNSEEN_MAX + 1) > max
}

/** Of an account's open jobs, when one of them ends; a count that was too low stays at 0. */
export function withoutOne(openJobs: number): number {
  return Math.max(0, openJobs - 1)
}

/** Whether the job that ends is the account's last open one. */
export function isLastOpen(openJobs: number): boolean {
  return openJobs === 1
}
