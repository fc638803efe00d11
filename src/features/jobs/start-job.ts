/**
 * Starts a job: reserve, job and sources in one transaction, or nothing of them. The order of refusals is the
 * contract's: known key, duplicate job, balance, the day's allowance, capacity.
 */
import { randomBytes } from 'node:crypto'
import { available, type Balance, reserve } from '../../model/money/ledger.ts'
import { affordable, dollars, PRICE_MICROS } from '../../model/money/money.ts'
import { Problem } from '../../kit/problem.ts'
import { findDuplicates, lockForStart } from '../../store/admission.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import type { OwnKey } from '../../store/authentication.ts'
import { findJobByKey, type JobRecord } from '../../store/jobs.ts'
import { recordPage } from '../../store/planned-page.ts'
import { copyHistory } from '../../store/record.ts'
import type { LockedBalance } from '../../store/ledger.ts'
import { findStarted, insertStarted } from '../../store/started-job.ts'
import { signal } from '../../store/signals.ts'
import type { Idempotency } from '../../model/jobs/idempotency.ts'
import { keyOfStarter, type Starter } from '../../model/jobs/starter.ts'
import type { Order } from '../../model/jobs/order.ts'
import { requireAllowance, requirePlace } from './admission.ts'
import {
  lookAtOrder,
  noticesOfOpenJob,
  noticesOfOwned,
  type CountTerms,
  type OwnedCount,
} from './owned-videos.ts'
import { noticeOfBalance, noticesOfAllowance, noticesOfStart } from './notices.ts'
import { JOB_ID_BYTES, newJobId } from '../../model/jobs/job.ts'
import type { AllowanceTerms } from '../../model/jobs/allowance.ts'
import { admittedByCap, leftOfCap } from './spending-cap.ts'
import { newPlan } from '../../model/jobs/selection.ts'

type StartInput = {
  accountId: string
  /** The app that starts the job, whose monthly cap applies; null for the owner's own keys and the website. */
  connectionId: string | null
  /**
   * The owner's key that starts the job, whose monthly cap applies if it has one; null for the website, apps and
   * followed channels.
   */
  ownKey: OwnKey | null
  order: Order
  /** The caller's key; null without one. */
  idempotency: Idempotency | null
  /** The batch or subscription that starts the job of a slot; null for callers. */
  startedBy: Starter | null
  /** The trace of the request that orders (kit/trace-context.ts); left out where there is none. */
  traceparent?: string | null
  /** True where the account's preview of the same URLs is still kept. */
  isPreviewed?: boolean
  /**
   * Set where the order is told what it buys again (`X-Owned-Videos` and notices), which its preview may have counted,
   * and else takes `ownedCountMs` at most.
   */
  tells?: { previewId: string | null; ownedCountMs: number }
  /**
   * Work that the account may cause without paying: notices say when it is nearly used up, and beyond it no job is
   * started. Without it nothing is looked at.
   */
  terms?: AllowanceTerms
}

export type StartedJob = {
  job: JobRecord
  isReplay: boolean
  /** The one of the job's notices that says how little the balance covers; null where it covers all, and in replays. */
  balanceNotice: string | null
  /** Videos of the order that the account owns; null in replays, and where they are not told. */
  owned: OwnedCount | null
}

type StartDeps = { db: Db; maxActiveJobs: number }

/** Starts the job. Throws the Problem that refuses it; then nothing is started, charged or used up. */
export function startJob({ db, maxActiveJobs }: StartDeps, input: StartInput): Promise<StartedJob> {
  const { accountId, order, terms, tells } = input
  return transact(db, async (tx) => {
    const facts = await lockForStart(tx, { accountId, urlSetHash: order.urlSetHash })
    // Looked up again under the lock: another request or worker may have made the same job meanwhile.
    const known = await findKnown(tx, input)
    if (known !== null) return { job: known, isReplay: true, balanceNotice: null, owned: null }

    const { balance, duplicates, today } = facts
    if (duplicates.isSuspended) throw new Problem('unauthorized')
    const openJobId = duplicates.openJobId ?? (await continueEarlierSets(tx, input))
    if (openJobId !== null) throw new Problem('job_in_progress', { jobId: openJobId })
    const byBalance = admittedByBalance(balance, order)
    const maxVideos = admittedByCap(await leftOfCap(tx, input), byBalance)
    const ofJobs =
      terms === undefined
        ? []
        : await requireAllowance(tx, { accountId, today, terms, now: balance.now })
    await requirePlace(tx, { accountId, openJobs: duplicates, maxActiveJobs })
    const { deliveredWishes } = duplicates
    const capped = input.ownKey === null ? ('app' as const) : ('key' as const)
    const start = { order, balance, maxVideos, byBalance, deliveredWishes, capped }
    // What grows with what the account owns comes last, when money and free work have admitted the order.
    const { language, wishedTrack } = order
    const ask = { accountId, sets: [order], language, wishedTrack }
    const seen =
      tells === undefined
        ? null
        : await lookAtOrder(tx, { ...ask, ...told(tells, { ...order, maxVideos }) })
    const notices = [
      ...order.notices,
      ...(seen === null ? [] : noticesOfOwned(seen.owned, order)),
      ...(seen === null ? [] : noticesOfOpenJob(seen, order)),
      ...ofJobs,
      ...(terms === undefined
        ? []
        : await noticesOfAllowance(tx, { accountId, order, terms, today })),
      ...noticesOfStart(start),
    ]
    const job = await create(tx, { input, balance, maxVideos, notices })
    return {
      job,
      isReplay: false,
      balanceNotice: noticeOfBalance(start),
      owned: seen?.owned ?? null,
    }
  })
}

/** Returns how what the account owns of an order is counted. */
function told(
  { previewId, ownedCountMs }: NonNullable<StartInput['tells']>,
  order: Order,
): CountTerms {
  return { preview: previewId === null ? null : { id: previewId, order }, ownedCountMs }
}

/**
 * Takes over what earlier releases delivered for the same text, which they read otherwise; returns the id of a job that
 * they left open, else null.
 */
async function continueEarlierSets(
  tx: Tx,
  { accountId, order }: StartInput,
): Promise<string | null> {
  let openJobId: string | null = null
  for (const from of order.earlierSetHashes) {
    const earlier = await findDuplicates(tx, { accountId, urlSetHash: from })
    openJobId ??= earlier.openJobId
    await copyHistory(tx, { accountId, from, to: order.urlSetHash })
  }
  return openJobId
}

/**
 * Starts a job that takes exactly these videos of its only line, in this order, and lists nothing: as if its listing
 * had ended and left them to wait for its slots. The caller has decided, under the balance's lock, that the money
 * suffices, that there is a place for it, and that no job with the same URL set is open.
 */
export async function startChosen(
  tx: Tx,
  given: { input: StartInput; balance: LockedBalance; videoIds: string[] },
): Promise<JobRecord> {
  const { input, balance, videoIds } = given
  const maxVideos = videoIds.length
  const { notices } = input.order
  const job = await create(tx, { input, balance, maxVideos, notices })
  const waiting = videoIds.map((videoId) => ({ videoId, attemptedAtMs: 0, isNamed: false }))
  const plan = { ...newPlan(), discovered: maxVideos, waiting }
  const state = { position: 1, state: 'listed', listed: maxVideos } as const
  const sources = [{ ...state, cursor: null, copyId: null, heads: null }]
  const page = { plan, isPlanned: false, rows: [], sources }
  await recordPage(tx, { jobId: job.id, attempt: 0, state: 'queued' }, page)
  return job
}

/** Returns the job that this start repeats, or null. */
async function findKnown(
  tx: Tx,
  { accountId, idempotency, startedBy }: StartInput,
): Promise<JobRecord | null> {
  if (startedBy !== null) return findStarted(tx, accountId, startedBy)
  return idempotency === null ? null : findReplay(tx, accountId, idempotency)
}

/** Returns the job that this key made, or null; throws `idempotency_conflict` where the body differs. */
export async function findReplay(
  db: Db,
  accountId: string,
  { key, bodyHash }: Idempotency,
): Promise<JobRecord | null> {
  const found = await findJobByKey(db, { accountId, key })
  if (found === null) return null
  if (found.bodyHash !== bodyHash) throw new Problem('idempotency_conflict')
  return found.job
}

/** Returns how many videos an order may take: only the balance lowers what was asked for. Throws where it is empty. */
export function admittedByBalance(balance: Balance, order: { maxVideos: number }): number {
  const maxVideos = Math.min(order.maxVideos, affordable(available(balance)))
  if (maxVideos > 0) return maxVideos
  const held =
    balance.heldMicros === 0n ? '' : `; ${dollars(balance.heldMicros)} is reserved by running jobs`
  throw new Problem('insufficient_balance', {
    message:
      `One transcript costs ${dollars(PRICE_MICROS)} and ${dollars(available(balance))} is available${held}. ` +
      'Add credit on the billing page.',
  })
}

type Admitted = {
  input: StartInput
  balance: LockedBalance
  maxVideos: number
  notices: string[]
}

async function create(
  tx: Tx,
  { input, balance, maxVideos, notices }: Admitted,
): Promise<JobRecord> {
  const { order, accountId, startedBy, connectionId } = input
  const entry = reserve(balance, maxVideos)
  if (entry === null) throw new Error('the balance was read under its lock')

  const id = newJobId(balance.now, randomBytes(JOB_ID_BYTES))
  const started = {
    id,
    accountId,
    order: { ...order, maxVideos, notices },
    requestedMaxVideos: order.maxVideos,
    reservedMicros: entry.heldMicros,
    createdAt: balance.now,
    idempotency: startedBy === null ? input.idempotency : keyOfStarter(startedBy),
    startedBy,
    connectionId,
    keyId: input.ownKey?.id ?? null,
    isPreviewed: input.isPreviewed ?? false,
    traceparent: input.traceparent ?? null,
  }
  const posting = { reference: `reserve:${id}`, jobId: id, reason: null }
  const job = await insertStarted(tx, started, { before: balance, entry: { entry, posting } })
  if (job === null) throw new Problem('unauthorized') // suspended since it was looked at
  signal(tx, 'scriptorium_waiting', '')
  return job
}
