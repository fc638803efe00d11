/** Calls of hand-written SQL about subscriptions. */
import type { Db, Tx } from '../../src/store/database.ts'
import * as subscriptionJobs from '../../src/store/subscription-jobs.ts'
import * as mails from '../../src/store/mails.ts'
import * as videos from '../../src/store/subscription-jobs.ts'
import * as subscriptions from '../../src/store/subscriptions.ts'

const [accountId, subscriptionId, urlSetHash] = ['account', 'subscription', 'hash']
const at = new Date(0)
const owned = { accountId, subscriptionId }
const look = { id: subscriptionId, look: 1 }
const made = {
  id: subscriptionId,
  accountId,
  line: 'l',
  source: null,
  urlSetHash,
  language: 'en',
  formats: [],
  backlog: 0,
  afterAt: null,
  afterDay: null,
  capMicros: 8_000n,
  everyHours: 6,
  skipsOwned: true,
}
const next = {
  state: 'active',
  known: ['v'],
  foundAt: [at],
  title: null,
  failures: 0,
  missing: 0,
  notice: null,
  hasLooked: true,
  nextLookAt: at,
  slots: 1,
} as const
const video = {
  videoId: 'v',
  number: 1,
  foundAt: at,
  dueAt: at,
  until: at,
  tries: 0,
  refusedAs: null,
  isOffered: false,
  jobId: null,
}

export const SUBSCRIPTION_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ tx }) => subscriptions.insertSubscription(tx, made),
  ({ db }) => subscriptions.countSubscriptions(db, accountId),
  ({ db }) => subscriptions.listSubscriptions(db, { accountId, offset: 0, limit: 1 }),
  ({ db }) => subscriptions.findFollowed(db, { accountId, urlSetHash }),
  ({ tx }) => subscriptions.lockLook(tx, look),
  ({ tx }) => subscriptions.lockCap(tx, subscriptionId),
  ({ tx }) => subscriptions.hastenLook(tx, subscriptionId),
  ({ tx }) => subscriptions.deleteSubscriptionRow(tx, owned),
  ({ db }) => subscriptions.findSubscription(db, owned),
  ({ tx }) => subscriptions.findSubscription(tx, owned, 'locked'),
  ({ tx }) =>
    subscriptions.changeSubscriptionRow(tx, subscriptionId, {
      capMicros: 8_000n,
      everyHours: null,
      state: 'paused',
      notice: null,
      isResumed: false,
    }),
  ({ tx }) => subscriptions.changeSubscriptionTerms(tx, subscriptionId, made),
  ({ db }) => subscriptions.claimLooks(db, { max: 1, perAccount: 1, window: 1, leaseSeconds: 1 }),
  ({ db }) =>
    subscriptions.endLook(db, look, {
      ...next,
      known: [...next.known],
      foundAt: [...next.foundAt],
    }),
  ({ db }) => subscriptions.postponeLook(db, look, 1),
  ({ db }) => subscriptions.observeSubscriptions(db),
  ({ db }) =>
    subscriptions.listAllSubscriptions(db, { accountId: null, state: null, offset: 0, limit: 1 }),
  ({ tx }) => videos.listFollowed(tx, subscriptionId),
  ({ tx }) => videos.replaceFollowed(tx, subscriptionId, [video]),
  ({ tx }) =>
    subscriptionJobs.insertSubscriptionJob(tx, {
      subscriptionId,
      slot: 1,
      jobId: 'job',
      month: '2026-11',
    }),
  ({ tx }) => subscriptionJobs.sumSpent(tx, { subscriptionId, month: '2026-11' }),
  ({ db }) =>
    subscriptionJobs.readSpendingOfMonth(db, { subscriptionIds: [subscriptionId], jobsMax: 1 }),
  ({ tx }) => mails.forgetMoneyMail(tx, accountId),
  ({ tx }) => mails.forgetGoneMail(tx, subscriptionId),
  ({ tx }) => mails.markTold(tx, { accountId, subscriptionId, kind: 'gone' }),
]
