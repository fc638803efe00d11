/** Limits of subscriptions and their looks, each with its unit; a part of LIMITS. */

export const SUBSCRIPTION_LIMITS = {
  /** Looks under way: of one account over all processes, and of a process. */
  looksPerAccount: 4,
  looksAtOnceMax: 16,
  /** Of those that are due, so many are divided among their accounts at once. */
  looksWindow: 128,
  lookPollMs: 1_000,
  /** A look whose reading takes longer has failed; what it learned of dates is known to the next one. */
  lookReadMs: 240_000,
  /** Above that, and what it takes to record it: a look without an end after it was lost. */
  lookLeaseSeconds: 300,
  /** Pages of one look: 500 videos. One is enough, unless it is a playlist or much came at once. */
  lookPagesMax: 5,
  /** Dates that one look asks for, to tell which videos of before are wanted. */
  lookDatesMax: 100,
  lookDatesAtOnce: 4,
  subscriptionMailPollMs: 10_000,
  subscriptionsPageMax: 100,
  subscriptionJobsShown: 10,
  backlogMax: 500,
  /** A week: what an owner may have it looked at most seldom. */
  everyHoursMax: 168,
} as const
