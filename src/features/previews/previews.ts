/**
 * Previews: what a job would take up, or what a visitor may read of a video; requested, found out by a worker, and
 * read.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { hashBody } from '../../model/jobs/idempotency.ts'
import { keptLines, type OrderLine, noticesOfLimit, type Order } from '../../model/jobs/order.ts'
import { readOrder } from '../../model/jobs/read-order.ts'
import { dollars } from '../../model/money/money.ts'
import {
  type Finding,
  type Findings,
  newFinding,
  NO_FINDINGS,
  withoutTime,
} from '../../model/previews/preview.ts'
import {
  LATE_TRIAL,
  TRIAL_GOOD_SECONDS,
  TRIAL_KEPT_SECONDS,
  type TrialFinding,
} from '../../model/previews/trial.ts'
import { findBeneficiary } from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  type AskedPreview,
  findPreview,
  findPreviewOf,
  insertPreview,
  keepFindings,
  lockVisitors,
  type KeptPreview,
  type OwnedPreview,
  type PreviewLife,
  type PreviewRecord,
  readVisitorsWait,
  reopenPreview,
} from '../../store/previews.ts'
import { copyHistory } from '../../store/record.ts'
import { signal } from '../../store/signals.ts'
import { limitPreviews, limitTrials } from '../accounts/attempt-limits.ts'
import { readBalance } from '../money/balance.ts'

/** How often, at most, a preview is counted anew while a job with the same URLs is at work. */
const PREVIEW_RECOUNT_SECONDS = 10

const OF_ACCOUNT = {
  prefix: 'prv',
  listingSeconds: LIMITS.previewListingSeconds,
  keptSeconds: LIMITS.previewSeconds,
}

type PreviewDeps = { db: Db; pool: pg.Pool; perHour: number }

/**
 * Returns the preview of the request. Within the hour an equal request has the same preview: it costs nothing, and is
 * only counted anew where a job with its URLs has moved since. Throws `rate_limited` where the account has started too
 * many.
 */
export async function startPreview(
  deps: PreviewDeps,
  { accountId, order }: { accountId: string; order: Order },
): Promise<{ preview: PreviewRecord; isNew: boolean }> {
  const { db, pool, perHour } = deps
  for (const from of order.earlierSetHashes)
    await copyHistory(db, { accountId, from, to: order.urlSetHash })
  const asked = await withSlots(db, accountId, order)
  const known = await findPreviewOf(db, asked)
  if (known !== null) return { preview: await recount(db, known), isNew: false }

  const beneficiary = (await findBeneficiary(db, accountId)) ?? accountId
  await limitPreviews(pool, { beneficiary, perHour })
  const made = await transact(db, (tx) => insert(tx, asked, OF_ACCOUNT))
  if (made !== null) return { preview: made, isNew: true }
  return startPreview(deps, { accountId, order }) // another request made it meanwhile
}

async function recount(db: Db, known: PreviewRecord): Promise<PreviewRecord> {
  if (known.state === 'listing') return known
  const reopened = await transact(db, async (tx) => {
    const life = { ...OF_ACCOUNT, openSeconds: PREVIEW_RECOUNT_SECONDS }
    const preview = await reopenPreview(tx, known.id, life)
    if (preview !== null) signal(tx, 'scriptorium_preview', '')
    return preview
  })
  return reopened ?? known
}

/**
 * Returns the request with as many slots as the balance covers; where it covers none, with all of them, so that a
 * customer learns the cost before topping up.
 */
async function withSlots(db: Db, accountId: string, order: Order): Promise<AskedPreview> {
  const { availableMicros, affordableTranscripts } = await readBalance(db, accountId)
  const asked = order.maxVideos
  const maxVideos = affordableTranscripts > 0 ? Math.min(asked, affordableTranscripts) : asked
  const notices = [...order.notices]
  if (affordableTranscripts < asked) {
    const covered =
      affordableTranscripts === 0 ? 'no transcript' : `${maxVideos} of the ${asked} videos`
    notices.push(`The available balance of ${dollars(availableMicros)} covers ${covered}.`)
  }
  notices.push(...noticesOfLimit(order.lines, maxVideos))
  return askedPreview(accountId, { ...order, maxVideos, notices }, asked)
}

/** Returns what is asked for; for equal orders of which the same is told it has one hash. */
function askedPreview(
  accountId: string | null,
  order: Order,
  requestedMaxVideos: number,
): AskedPreview {
  const { lines, urlSetHash: _, earlierSetHashes: __, ...terms } = order
  const urls = lines.map(({ text }) => text)
  const requestHash = hashBody({ urls, requestedMaxVideos, ...terms })
  return { accountId, order, requestedMaxVideos, requestHash }
}

/** Inserts the preview; returns null where the account's preview of the same request is still kept. */
async function insert(
  tx: Tx,
  asked: AskedPreview,
  { prefix, ...life }: PreviewLife & { prefix: string },
): Promise<PreviewRecord | null> {
  const id = `${prefix}_${randomUUID().replaceAll('-', '')}`
  const preview = await insertPreview(tx, { ...asked, id }, life)
  if (preview !== null) signal(tx, 'scriptorium_preview', '')
  return preview
}

/** How long reading may take, waiting for a place and a route included; and how long a trial is kept. */
const OF_VISITOR = { prefix: 'trl', listingSeconds: 45, keptSeconds: TRIAL_KEPT_SECONDS }

type TrialStart =
  | { kind: 'started' | 'known'; id: string }
  /** The service's own bound is reached: no visitor may start one for so many seconds. */
  | { kind: 'full'; seconds: number }

/**
 * Starts a visitor's preview of one video, or finds the one that answers already. One starts at a time over all
 * processes, so that the bounds count exactly: trials are few. Throws `rate_limited` where the visitor's network has
 * started too many. Only a trial that is started counts: a video that is known costs nothing, nor does a request while
 * the service's own bound is reached.
 */
export async function startTrial(
  { db, ...bounds }: { db: Db; perHour: number; perDay: number },
  { ip, videoId }: { ip: string; videoId: string },
): Promise<TrialStart> {
  const order = readOrder({ urls: videoId, maxVideos: 1 })
  const asked = askedPreview(null, order, order.maxVideos)
  // A request for a known video, or while there is no room, is answered without the lock.
  const before = await answerOf(db, asked, bounds)
  if (before !== null) return before

  return transact(db, async (tx) => {
    await lockVisitors(tx)
    const meanwhile = await answerOf(tx, asked, bounds)
    if (meanwhile !== null) return meanwhile
    await limitTrials(tx, { ip })
    const made = await insert(tx, asked, OF_VISITOR)
    assert(made !== null, 'visitors’ previews of one video are all kept')
    return { kind: 'started', id: made.id }
  })
}

/** Returns the answer that there is already; null where a trial may be started. */
async function answerOf(
  db: Db,
  asked: AskedPreview,
  bounds: { perHour: number; perDay: number },
): Promise<TrialStart | null> {
  const known = await findPreviewOf(db, asked)
  if (known !== null && isGood(known)) return { kind: 'known', id: known.id }
  const seconds = await readVisitorsWait(db, bounds)
  return seconds > 0 ? { kind: 'full', seconds } : null
}

/** Returns whether the trial answers a request for its video now. */
function isGood({ readySeconds, isOverdue, findings }: PreviewRecord): boolean {
  return readySeconds === null
    ? !isOverdue
    : readySeconds < TRIAL_GOOD_SECONDS[(findings?.trial ?? LATE_TRIAL).kind]
}

/**
 * Returns the preview that a job may use. A preview only saves listing: where it cannot be used the job is started all
 * the same, with a notice, since the order is good without it. Foreign, unknown and expired previews get the same
 * notice.
 */
export async function findReusable(
  db: Db,
  asked: { accountId: string; previewId: string | null; urlSetHash: string },
): Promise<{ isPreviewed: boolean; notices: string[] }> {
  const { accountId, previewId, urlSetHash } = asked
  if (previewId === null) return { isPreviewed: false, notices: [] }
  const preview = PREVIEW_ID.test(previewId)
    ? await findPreview(db, { accountId, previewId })
    : null
  if (preview?.urlSetHash === urlSetHash) return { isPreviewed: true, notices: [] }
  const why =
    preview === null
      ? 'this account has none of that id, or no longer'
      : 'it is of other URLs than this job'
  return {
    isPreviewed: false,
    notices: [`The preview was not used: ${why}. The lists are read again.`],
  }
}

const PREVIEW_ID = /^[\w-]{1,40}$/

/** Records what a worker finds out: the latest attempt alone writes. */
export { keepFindings as recordFindings }

/** How often a waiting request looks. */
const PREVIEW_LOOK_MS = 250

/** A preview with findings for each line, whatever became of its listing. */
export type PreviewView = KeptPreview & { findings: Findings }

/**
 * Returns the preview with its findings; null where the account (or, without one, the visitors) has none of that id, or
 * no longer. Lines that were not listed in time say so, even where no worker is left to record that.
 */
export async function readPreview(db: Db, owned: OwnedPreview): Promise<PreviewView | null> {
  const found = await findPreview(db, owned)
  if (found === null) return null
  const lines = keptLines(found).flatMap(unread)
  const findings = found.findings ?? { ...NO_FINDINGS, sources: lines }
  if (found.state === 'listing' && !found.isOverdue) return { ...found, findings }
  return { ...found, state: 'ready', findings: withoutTime(findings, lines) }
}

/** Returns the preview when it is ready, or as it is after at most `waitMs` or when the caller leaves. */
export async function waitForPreview(
  db: Db,
  owned: OwnedPreview,
  { waitMs, departure }: { waitMs: number; departure: AbortSignal },
): Promise<PreviewView | null> {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const preview = await readPreview(db, owned)
    const leftMs = untilMs - performance.now()
    if (preview?.state !== 'listing' || leftMs <= 0 || departure.aborted) return preview
    const pauseMs = Math.min(leftMs, PREVIEW_LOOK_MS)
    await sleep(pauseMs, undefined, { signal: departure }).catch(() => undefined)
  }
}

/** Returns what a visitor reads of their video; null while it is being read. */
export function trialOf({ state, findings }: PreviewView): TrialFinding | null {
  return state === 'listing' ? null : (findings.trial ?? LATE_TRIAL)
}

function unread({ text, source }: OrderLine): Finding[] {
  return source === null ? [] : [newFinding(text, source)]
}
