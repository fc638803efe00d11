/**
 * Calls of all functions that write SQL in kysely's `sql`, in each form that their parameters give it, so that the
 * statements can be described. The values do not matter, since nothing is run. A statement that no call reaches fails
 * the test, by file and line.
 */
import { readWithin } from '../../src/kit/postgres/read-within.ts'
import { type Db, readClock, type Tx } from '../../src/store/database.ts'
import { findMissing, isAtWork, isWritable, writeRecord } from '../../src/store/readiness.ts'
import * as usage from '../../src/store/account-usage.ts'
import * as accounts from '../../src/store/accounts.ts'
import * as admission from '../../src/store/admission.ts'
import { sweepBuckets } from '../../src/store/rate-buckets.ts'
import * as channelNames from '../../src/store/list-copies.ts'
import * as fileRows from '../../src/store/file-rows.ts'
import * as freeCalls from '../../src/store/free-calls.ts'
import * as jobs from '../../src/store/jobs.ts'
import * as audit from '../../src/store/ledger-audit.ts'
import * as ledger from '../../src/store/ledger.ts'
import * as bookmarks from '../../src/store/job-sources.ts'
import * as copies from '../../src/store/list-copies.ts'
import * as observations from '../../src/store/observations.ts'
import * as overviews from '../../src/store/overviews.ts'
import * as payments from '../../src/store/payments.ts'
import * as platform from '../../src/store/platform-state.ts'
import * as receipts from '../../src/store/receipts.ts'
import * as dates from '../../src/store/list-copies.ts'
import * as verdictShares from '../../src/store/verdict-shares.ts'
import * as rows from '../../src/store/video-rows.ts'
import { findStarted } from '../../src/store/started-job.ts'
import { APP_CALLS } from './app-calls.ts'
import { markKeySentInClear } from '../../src/store/authentication.ts'
import { ERASURE_CALLS } from './erasure-calls.ts'
import { PACK_CALLS } from './pack-calls.ts'
import { OPERATOR_CALLS } from './operator-calls.ts'
import { PREVIEW_CALLS } from './preview-calls.ts'
import { MONEY_CALLS } from './money-calls.ts'
import { LIBRARY_CALLS } from './library-calls.ts'
import { BATCH_CALLS } from './batch-calls.ts'
import { SIGN_IN_CALLS } from './sign-in-calls.ts'
import { SUBSCRIPTION_CALLS } from './subscription-calls.ts'
import { WEBHOOK_CALLS } from './webhook-calls.ts'

type Given = { db: Db; tx: Tx }

const [id, accountId, jobId] = ['id', 'account', 'job']
const bytes = Buffer.alloc(32)
const at = new Date(0)
const limit = 10
const bounds = { afterAt: at, beforeAt: null }
const place = { accountId, urlSetHash: 'h', line: 'l', bounds, skippedWish: 'en' }
const page = { jobId, processed: 5, offset: 0, limit }
export const CALLS: ((given: Given) => Promise<unknown>)[] = [
  ({ db }) => readClock(db),
  ({ db }) => findMissing(db),
  ({ db }) => isWritable(db),
  ({ db }) => isAtWork(db, 1),
  ({ tx }) => writeRecord(tx),

  ({ db }) =>
    usage.addUsage(db, new Map([['a', { calls: 1, receivedBytes: 1, cpuMs: 1, storedBytes: 1 }]])),
  ({ db }) => usage.readUsage(db, { accountId, days: 7 }),
  ...usage.COST_COLUMNS.map(
    (by) =>
      ({ db }: Given) =>
        usage.listCosts(db, { days: 7, by, limit }),
  ),
  ({ db }) => usage.readTotals(db, 7),
  ({ db }) => usage.observeTopShares(db),

  ({ db }) => accounts.findAccount(db, id),
  ({ tx }) => accounts.insertAccount(tx, { id, email: 'e' }),
  ({ tx }) => accounts.setAccountEmail(tx, { accountId, email: 'e' }),
  ({ tx }) => accounts.setBeneficiary(tx, { accountId, beneficiary: 'b' }),
  ({ tx }) => ledger.insertBalance(tx, accountId),
  ({ tx }) => accounts.setDeleted(tx, accountId),
  ({ db }) => accounts.findBeneficiary(db, accountId),
  ({ db }) => accounts.listUnremembered(db, limit),
  ({ tx }) => accounts.lockAccount(tx, accountId),
  ({ db }) => accounts.setAccountErased(db, accountId),
  ({ db }) => accounts.listUnerased(db, { minSeconds: 1, limit }),
  ...ERASURE_CALLS,
  ...PACK_CALLS,
  ({ tx }) => accounts.setSuspended(tx, accountId, true),
  ({ tx }) => accounts.setSuspended(tx, accountId, false),
  ({ tx }) =>
    accounts.insertApiKey(tx, {
      id,
      accountId,
      name: 'n',
      prefix: 'p',
      secretHash: bytes,
      kind: 'key',
      bucket: 'b',
      bucketSize: 1,
      refillPerSecond: 1,
      lifetimeSeconds: null,
    }),
  ({ tx }) => accounts.countLiveKeys(tx, accountId),
  ({ db }) => accounts.findLiveKey(db, { accountId, keyId: 'key' }),
  ({ db }) => accounts.listApiKeys(db, accountId),
  ({ tx }) => markKeySentInClear(tx, id),
  ({ tx }) => accounts.revokeApiKey(tx, { keyId: id, accountId }),
  ({ tx }) => accounts.deleteUnusedKey(tx, { keyId: id, accountId }),
  ({ db }) => accounts.revokeSessionBearers(db, accountId),
  ({ tx }) => accounts.revokeKeysOfUser(tx, { userId: id, since: at }),
  ({ tx }) => accounts.deleteOldRevokedKeys(tx, { accountId, keptMax: 10 }),

  ({ db }) => admission.recentJobSeconds(db),
  ({ db }) => admission.secondsOfEnds(db, 1),
  ({ db }) => admission.countRivals(db, accountId),

  ({ db }) => channelNames.findChannelName(db, '/@a', { foundSeconds: 2, missingSeconds: 1 }),
  ({ db }) => channelNames.keepChannelName(db, '/@a', { channelId: null }),
  ({ db }) => channelNames.findPublishDates(db, accountId, ['v']),

  ({ db }) => fileRows.listLastIndexes(db, [{ id: jobId }]),
  ({ db }) => fileRows.listReported(db, { jobId, doneAfter: 0, doneMax: 1, after: 0, limit }),
  ({ db }) => fileRows.findNamedRow(db, { jobId, index: 1 }),

  ({ db }) => verdictShares.addShares(db, [{ part: 'part', verdict: '', answers: 1 }]),
  ({ db }) => verdictShares.readShares(db, 7),
  ({ db }) => verdictShares.sweepShares(db, 7),
  ({ db }) => verdictShares.readHourlyCounts(db),
  ({ db }) => freeCalls.takeFreeCalls(db, { accountId, calls: 1, allowance: 2 }),
  ({ db }) => freeCalls.addFreeCalls(db, accountId, { listing: 1, refused: 1 }),
  ({ db }) => freeCalls.readBrought(db, accountId),
  ({ db }) => freeCalls.countDeliveredToday(db, accountId),
  ({ db }) => freeCalls.sweepFreeCalls(db, 2),

  ({ db }) => jobs.findJobByKey(db, { accountId, key: 'k' }),
  ({ db }) => findStarted(db, accountId, { kind: 'batch', id, slot: 0 }),
  ({ db }) => jobs.listJobs(db, { accountId, offset: 0, limit }, 'all'),
  ({ db }) => jobs.listJobsOfBatch(db, { accountId, batchId: 'batch' }),
  ({ db }) => jobs.listJobsAfter(db, { accountId, afterId: null, limit }),
  ({ db }) => jobs.listJobsAfter(db, { accountId, afterId: jobId, limit }),
  ({ db }) => jobs.listJobs(db, { accountId, offset: 0, limit }, 'first'),
  ({ tx }) => jobs.listOpenJobIds(tx, accountId),
  ({ tx }) => jobs.setCancelling(tx, jobId),
  ({ db }) => jobs.releaseJob(db, { jobId, number: 1 }),
  ({ db }) => audit.inSnapshot(db, async () => null),
  ({ tx }) => audit.listAllEntries(tx, { accountId, number: 1n }, limit),
  ({ tx }) => audit.findBareBalances(tx, limit),
  ({ tx }) => audit.findDeletedOwners(tx, limit),
  ({ tx }) => audit.readBalances(tx, [accountId]),
  ({ tx }) => audit.listJobMoney(tx, jobId, limit),
  ({ tx }) => audit.findOrphanEntries(tx, limit),
  ({ tx }) => audit.findHeldDifferences(tx, limit),
  ({ tx }) => audit.findPaymentDifferences(tx, limit),

  ({ db }) => ledger.listEntriesOfJob(db, { accountId, jobId }),
  ({ db }) => ledger.listEntriesDown(db, { accountId, fromNumber: 9n, limit }),
  ({ db }) => ledger.readBalanceAfter(db, accountId),
  ({ db }) => ledger.countMovements(db, accountId),
  ({ db }) => ledger.listMovementLines(db, { accountId, offset: 0, limit }),

  ({ tx }) => bookmarks.setCollection(tx, { jobId, position: 1, collectionId: id }),
  ({ db }) => bookmarks.findBookmark(db, place),
  ({ tx }) => bookmarks.keepBookmark(tx, place, { heads: [], cursor: 'c', listed: 1 }),
  ({ tx }) => bookmarks.dropBookmark(tx, place),

  ({ db }) => copies.findCopy(db, { listKey: 'k', maxSeconds: 1 }),
  ({ db }) => copies.insertCopy(db, 'k', { askedAt: at, body: bytes }),
  ({ db }) => copies.findPage(db, { copyId: id, cursor: 'c', maxSeconds: 1 }),
  ({ db }) => copies.keepPage(db, { copyId: id, cursor: 'c' }, { askedAt: at, body: bytes }),
  ({ db }) => copies.sweepCopies(db, { maxSeconds: 1, bytesMax: 1, copiesMax: 1 }),

  ({ db }) => observations.observeJobs(db),
  ({ db }) => observations.observeLedger(db),

  ({ db }) => overviews.listAccounts(db, { search: null, onlySuspended: true, offset: 0, limit }),
  ({ db }) => overviews.findOverview(db, accountId),
  ({ db }) => overviews.countDeletedSince(db, [new Date(), new Date()]),
  ({ db }) => overviews.listAllJobs(db, { accountId: null, states: null, offset: 0, limit }),
  ({ db }) => overviews.listAllJobs(db, { accountId, states: ['queued'], offset: 0, limit }),
  ({ db }) => overviews.listUsers(db, accountId),
  ({ db }) => overviews.findAnyJob(db, jobId),
  ({ db }) => overviews.readQueuePositions(db, [jobId]),

  ({ tx }) => payments.insertEvent(tx, { id, type: 't', createdAt: at }),
  ({ tx }) => payments.lockPayment(tx, id),
  ({ tx }) => payments.setCredited(tx, { paymentId: id, checkoutId: 'c', accountId, micros: 1n }),
  ({ tx }) => payments.listClaims(tx, id),
  ({ tx }) => payments.addClaimMove(tx, id, 1n),
  ({ db }) => payments.findCredited(db, { accountId, checkoutId: 'c' }),
  ({ db }) => payments.listReportedClaims(db, limit),
  ({ tx }) =>
    payments.upsertClaim(tx, {
      id,
      paymentId: 'p',
      kind: 'refund',
      status: 's',
      statusAt: at,
      claimedMicros: 1n,
    }),

  ({ db }) => dates.keepPublishDate(db, accountId, { videoId: 'v', publishedAt: 'p' }),

  ...SIGN_IN_CALLS,
  ({ db }) => accounts.deleteDeadBearers(db, accountId),

  ({ db }) => rows.countLeftOut(db, jobId),
  ({ db }) => rows.countOpen(db, jobId),
  ({ tx }) => readWithin(tx, 1_000, async () => null),
  ({ db }) => rows.findDelivered(db, { not: ['v'], accountId }),
  ({ tx }) => rows.takeSuspects(tx, jobId),
  ({ db }) => rows.setSuspect(db, { jobId, attempt: 1, index: 1, since: 1 }),
  ({ db }) => rows.listFinished(db, { ...page, isFinal: true }),
  ({ db }) => rows.listFinished(db, { ...page, isFinal: false }),
  ({ db }) => rows.listMatching(db, { ...page, isFinal: true }, { statuses: null, title: null }),
  ({ db }) => rows.listMatching(db, { ...page, isFinal: false }, { statuses: null, title: null }),

  ({ db }) => platform.keepRetired(db, { name: 'n', version: 'v' }),
  ({ db }) => platform.forgetRetired(db, { name: 'n', version: 'v' }),
  ({ db }) => platform.listRetired(db),

  ({ db }) => receipts.listDeliveredTexts(db, jobId),
  ({ db }) => receipts.readReceiptHash(db, { accountId, jobId }),
  ({ db }) => receipts.findCurrentPair(db),
  ({ db }) => receipts.insertPair(db, { id, publicKey: bytes, privateKey: bytes }),
  ({ db }) => receipts.retirePair(db),
  ({ db }) => receipts.publishKey(db, { id, publicKey: bytes }),
  ({ db }) => receipts.listPublicKeys(db),

  ({ db }) => sweepBuckets(db, limit),

  ...APP_CALLS,
  ...MONEY_CALLS,
  ...LIBRARY_CALLS,
  ...OPERATOR_CALLS,
  ...PREVIEW_CALLS,
  ...BATCH_CALLS,
  ...SUBSCRIPTION_CALLS,
  ...WEBHOOK_CALLS,
]
