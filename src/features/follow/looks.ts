/** Looks at followed lists: claimed when they are due, and recorded with what they found. */
import { transact } from '../../kit/postgres/database.ts'
import { MONEY_MS, spreadMs } from '../../model/follow/look-schedule.ts'
import {
  decideLook,
  decideQuietly,
  isQuiet,
  type LookAnswer,
  type LookCap,
  type LookDecision,
  type LookFacts,
} from '../../model/follow/look.ts'
import {
  isCapUsed,
  mailOfSubscription,
  monthOf,
  subscriptionEvents,
  type SubscriptionState,
} from '../../model/follow/subscription.ts'
import type { OpenJobs } from '../../model/jobs/allowance.ts'
import { keptSource, orderOfList } from '../../model/jobs/order.ts'
import { available } from '../../model/money/ledger.ts'
import { affordable } from '../../model/money/money.ts'
import { findDuplicates } from '../../store/admission.ts'
import type { Db, Tx } from '../../store/database.ts'
import { readHistory } from '../../store/history.ts'
import { lockBalance, type LockedBalance } from '../../store/ledger.ts'
import {
  insertSubscriptionJob,
  listFollowed,
  replaceFollowed,
  sumSpent,
} from '../../store/subscription-jobs.ts'
import { forgetMoneyMail, markTold } from '../../store/mails.ts'
import {
  type ClaimedLook,
  claimLooks,
  endLook,
  lockLook,
  postponeLook,
} from '../../store/subscriptions.ts'
import { findOwned } from '../jobs/owned-videos.ts'
import { hasPlace } from '../jobs/admission.ts'
import { startChosen } from '../jobs/start-job.ts'
import type { Outbox } from '../mail/outbox.ts'
import { type PresentSubscription, recordEvents } from './subscriptions.ts'

/** Number of looks under way of one account, over all processes. */
const LOOKS_PER_ACCOUNT = 4
/** Number of due looks that are divided among their accounts at once. */
const LOOKS_WINDOW = 128
/**
 * Time after which a look without an end counts as lost; longer than reading the list and recording the look may take.
 */
export const LOOK_LEASE_SECONDS = 300

/** Claims up to `max` looks. A subscription whose account still has no money is claimed again later, without a look. */
export async function claimDueLooks(db: Db, max: number): Promise<ClaimedLook[]> {
  const claimed = await claimLooks(db, {
    max,
    perAccount: LOOKS_PER_ACCOUNT,
    window: LOOKS_WINDOW,
    leaseSeconds: LOOK_LEASE_SECONDS,
  })
  const isPoor = ({ state, availableMicros }: ClaimedLook): boolean =>
    state === 'out_of_money' && affordable(availableMicros) === 0
  for (const look of claimed.filter(isPoor))
    await postponeLook(db, look, spreadMs(MONEY_MS, `${look.id} ${look.look}`) / 1000)
  return claimed.filter((look) => !isPoor(look))
}

/** Gives a look back where the process stops: another process makes it. */
export function releaseLook(db: Db, look: ClaimedLook): Promise<void> {
  return postponeLook(db, look, 0)
}

type LookContext = {
  db: Db
  maxActiveJobs: number
  /** Presents a subscription as webhooks are sent it. */
  present: PresentSubscription
  outbox: Outbox
  /** The beginning of links in mails. */
  publicUrl: string
}

/** Outcome of a look; `fenced_off` means that another one took over, or its owner changed or deleted it. */
type LookOutcome = 'ordered' | 'nothing_new' | 'waits' | 'gone' | 'failed' | 'fenced_off'

/**
 * Records a look: what is new, the job that takes it, and the next look, in one transaction or not at all. The cap is
 * held here: what the month's jobs cost is read under the lock that every job of the subscription needs.
 */
export async function recordLook(
  ctx: LookContext,
  look: ClaimedLook,
  answer: LookAnswer,
): Promise<LookOutcome> {
  if (!look.hasVideos && isQuiet(look, answer)) {
    const decided = decideQuietly(look, answer, look.now)
    // Most pages are unchanged: then their hundred ids are not sent again.
    const isSame = String(decided.known) === String(look.known)
    const next = { ...decided, known: isSame ? null : decided.known, slots: 0 }
    if (!(await endQuietly(ctx, look, next))) return 'fenced_off'
    return next.hasLooked ? 'nothing_new' : 'failed'
  }
  return transact(ctx.db, (tx) => recordFully(tx, ctx, look, answer))
}

/** Ends a quiet look, mostly in one statement: only a change of state is a webhook event. */
async function endQuietly(
  ctx: LookContext,
  look: ClaimedLook,
  next: Parameters<typeof endLook>[2],
): Promise<boolean> {
  if (next.state === look.state) return endLook(ctx.db, look, next)
  return transact(ctx.db, async (tx) => {
    if (!(await endLook(tx, look, next))) return false
    await tellWebhooks(tx, ctx, look, { state: next.state, found: 0 })
    return true
  })
}

/**
 * Sends the look's events to webhooks. A change by the owner fences a look off, so the state before is that of its
 * claim.
 */
function tellWebhooks(
  tx: Tx,
  { present }: LookContext,
  { id: subscriptionId, accountId, state }: ClaimedLook,
  now: { state: SubscriptionState; found: number },
): Promise<void> {
  const types = subscriptionEvents(state, now)
  return recordEvents(tx, present, { accountId, subscriptionId, types })
}

async function recordFully(
  tx: Tx,
  ctx: LookContext,
  look: ClaimedLook,
  answer: LookAnswer,
): Promise<LookOutcome> {
  const balance = await lockBalance(tx, look.accountId)
  const subscription = await lockLook(tx, look)
  if (subscription === null) return 'fenced_off'
  const month = monthOf(balance.now)
  const spent = await sumSpent(tx, { subscriptionId: look.id, month })
  const capLeft = affordable(subscription.capMicros - spent.spentMicros)
  const cap = { capLeft, isCapUsed: isCapUsed({ ...subscription, ...spent }) }
  const { openJobs, ...facts } = await readFacts(tx, look, { answer, balance, cap })

  let decision = decideLook(look, answer, facts)
  const maxActiveJobs = Math.max(1, Math.floor(ctx.maxActiveJobs / 2)) // the rest is for the account's own requests
  const { accountId } = look
  if (decision.order.length > 0 && !(await hasPlace(tx, { accountId, openJobs, maxActiveJobs })))
    decision = decideLook(look, answer, { ...facts, money: { ...facts.money, isBusy: true } })

  const slot = subscription.slot + 1
  const jobId = await orderVideos(tx, look, { balance, videoIds: decision.order, slot })
  if (jobId !== null)
    await insertSubscriptionJob(tx, { subscriptionId: look.id, slot, jobId, month })
  const ordered = new Set(decision.order)
  const videos = decision.videos.map((video) =>
    ordered.has(video.videoId) ? { ...video, jobId } : video,
  )
  await replaceFollowed(tx, look.id, videos)
  await tellOwner(tx, ctx, look, decision)
  await endLook(tx, look, { ...decision, slots: jobId === null ? 0 : 1 })
  await tellWebhooks(tx, ctx, look, decision)
  if (jobId !== null) return 'ordered'
  if (decision.state === 'gone') return 'gone'
  if (!decision.hasLooked) return 'failed'
  return videos.length > 0 ? 'waits' : 'nothing_new'
}

type ReadBefore = { answer: LookAnswer; balance: LockedBalance; cap: LookCap }

/**
 * Reads the facts of a look. The account's jobs with this URL set change only under the balance's lock, so what is read
 * here stays true.
 */
async function readFacts(
  tx: Tx,
  look: ClaimedLook,
  { answer, balance, cap }: ReadBefore,
): Promise<LookFacts & { openJobs: OpenJobs }> {
  const { accountId, urlSetHash, language } = look
  const lines = await listFollowed(tx, look.id)
  const listed = answer.kind === 'list' ? answer.list.listed : []
  const known = new Set(look.known)
  const videoIds = [
    ...lines.map(({ video }) => video.videoId),
    ...listed.map(({ videoId }) => videoId).filter((id) => !known.has(id)),
  ]
  const history = await readHistory(tx, { accountId, urlSetHash, videoIds })
  const duplicates = await findDuplicates(tx, { accountId, urlSetHash })
  const { openJobId, isSuspended, ...openJobs } = duplicates
  const outcomes = lines.flatMap(({ video, outcome }) =>
    outcome === null ? [] : [[video.videoId, outcome] as const],
  )
  const delivered = [...history].filter(([, { entry }]) => entry.kind === 'delivered')
  const owned = look.skipsOwned
    ? await findOwned(tx, { accountId, language, wishedTrack: null, videoIds })
    : new Map()
  return {
    openJobs,
    now: balance.now,
    videos: lines.map(({ video }) => video),
    outcomes: new Map(outcomes),
    delivered: new Set([...delivered.map(([id]) => id), ...owned.keys()]),
    money: {
      ...cap,
      affordable: affordable(available(balance)),
      isHeld: balance.heldMicros > 0n,
      isBusy: openJobId !== null || isSuspended,
    },
  }
}

async function orderVideos(
  tx: Tx,
  look: ClaimedLook,
  { balance, videoIds, slot }: { balance: LockedBalance; videoIds: string[]; slot: number },
): Promise<string | null> {
  if (videoIds.length === 0) return null
  const { accountId, line, urlSetHash } = look
  const lines = [{ text: line, source: keptSource(line, look.source) }]
  const order = orderOfList(look, { lines, urlSetHash }, videoIds.length)
  const startedBy = { kind: 'subscription', id: look.id, slot } as const
  const nobody = { connectionId: null, ownKey: null, idempotency: null }
  const input = { ...nobody, accountId, order, startedBy }
  return (await startChosen(tx, { input, balance, videoIds })).id
}

async function tellOwner(
  tx: Tx,
  { outbox, publicUrl }: LookContext,
  { id: subscriptionId, accountId, line }: ClaimedLook,
  { mail: kind, order: ordered }: LookDecision,
): Promise<void> {
  if (kind !== null) {
    const owner = await markTold(tx, { accountId, subscriptionId, kind })
    if (owner !== null)
      await outbox.post(tx, mailOfSubscription({ ...owner, kind, line, publicUrl }))
  } else if (ordered.length > 0) await forgetMoneyMail(tx, accountId)
}
