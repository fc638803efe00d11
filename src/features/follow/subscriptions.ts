/** Followed channels and playlists: made, changed and read. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { PageRequest } from '../../kit/page.ts'
import { Problem, refuseField } from '../../kit/problem.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import {
  subscriptionEvents,
  type SubscriptionEventType,
  withCapTold,
} from '../../model/follow/subscription.ts'
import { boundsOf, type DatesInput, readDates } from '../../model/jobs/date-bounds.ts'
import { readOrder } from '../../model/jobs/read-order.ts'
import type { OwnedChoice } from '../../model/jobs/owned-text.ts'
import { affordable, dollars, parseUsd, PRICE_MICROS } from '../../model/money/money.ts'
import type { Format } from '../../model/files/catalogue.ts'
import { lockAccount } from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import { signal } from '../../store/signals.ts'
import { readSpendingOfMonth, type SubscriptionSpending } from '../../store/subscription-jobs.ts'
import { forgetGoneMail } from '../../store/mails.ts'
import {
  changeSubscriptionRow,
  changeSubscriptionTerms,
  countSubscriptions,
  deleteSubscriptionRow,
  findFollowed,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  type SubscriptionRow,
} from '../../store/subscriptions.ts'
import { insertSubscriptionDeliveries } from '../../store/webhook-deliveries.ts'
import { receiversOfEvents } from '../../store/webhooks.ts'

/** The body as its schema admits it. */
type SubscriptionInput = DatesInput & {
  url: string
  monthlyCap: string
  language?: string
  formats?: Format[]
  backlog?: number
  everyHours?: number
  /** Whether videos that the account owns are left out, as without it, or bought again. */
  owned?: OwnedChoice
}

/**
 * Makes a subscription: that buys and reserves nothing, and a worker looks at its list at once. Throws a Problem that
 * names the field, or that says that the account follows it already or follows too many.
 */
export function createSubscription(
  db: Db,
  { accountId, input, max }: { accountId: string; input: SubscriptionInput; max: number },
): Promise<SubscriptionRow> {
  const followed = followedLine(input)
  const made = {
    ...followed,
    id: `sub_${randomUUID().replaceAll('-', '')}`,
    accountId,
    backlog: input.backlog ?? 0,
    ...firstOf(input),
    capMicros: capOf(input.monthlyCap),
    everyHours: input.everyHours ?? null,
  }
  return transact(db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new Problem('unauthorized')
    const known = await findFollowed(tx, { accountId, urlSetHash: followed.urlSetHash })
    if (known !== null)
      refuseField('url', `You already follow this, with the subscription ${known}.`)
    if ((await countSubscriptions(tx, accountId)) >= max) {
      throw new Problem('invalid_request', {
        message: `An account can have at most ${max} subscriptions; delete one that is no longer used.`,
      })
    }
    const row = await insertSubscription(tx, made)
    await signal(tx, 'scriptorium_look', '')
    return row
  })
}

/** Returns the cap in micros; throws where it is no amount, or below the price of one transcript. */
export function capOf(monthlyCap: string): bigint {
  const micros = parseUsd(monthlyCap)
  if (micros === null)
    refuseField('monthlyCap', 'monthlyCap must be a plain amount of USD such as 5 or 0.5.')
  if (affordable(micros) === 0)
    refuseField(
      'monthlyCap',
      `monthlyCap must cover at least one transcript, ${dollars(PRICE_MICROS)}.`,
    )
  return micros
}

/** Returns the one line that names the list, and how its videos are ordered. */
function followedLine({ url, language, formats, owned = 'skip' }: SubscriptionInput) {
  if (!hasVisible(url)) refuseField('url', 'url is blank; name one channel or playlist.')
  const order = readOrder(
    {
      urls: url,
      ...(language === undefined ? {} : { language }),
      ...(formats === undefined ? {} : { formats }),
    },
    { owned },
  )
  const [line, ...others] = order.lines
  if (others.length > 0)
    refuseField('url', 'url must be a single channel or playlist; follow each by itself.')
  const source = line?.source ?? null
  const isList =
    source?.kind === 'playlist' || (source?.kind === 'channel' && source.tab !== 'live')
  if (line === undefined || !isList) {
    throw new Problem('invalid_url', {
      field: 'url',
      message: 'Only a channel, its videos, Shorts or streams, or a playlist can be followed.',
    })
  }
  return { ...order, line: line.text, source }
}

function firstOf(input: SubscriptionInput) {
  const reading = readDates(input)
  if (reading.kind === 'rejected') refuseField(reading.field, reading.sentence)
  const { afterAt, afterDay } = boundsOf(reading.dates)
  return { afterAt, afterDay }
}

type OwnedSubscription = { accountId: string; subscriptionId: string }

export type SubscriptionChange = {
  monthlyCap: string | null
  /** The owner's choice; null for as often as the source publishes, undefined for no change. */
  everyHours: number | null | undefined
  state: 'active' | 'paused' | null
}

/**
 * Changes a subscription's cap or how often it is looked at, pauses or resumes it. After a pause only what is published
 * from then on is new. A look that is under way is fenced off, and the next one is due at once. Returns null where the
 * account has none of this id.
 */
export function changeSubscription(
  { db, present }: { db: Db; present: PresentSubscription },
  { change, ...owned }: OwnedSubscription & { change: SubscriptionChange },
): Promise<SubscriptionRow | null> {
  const given = change.monthlyCap === null ? null : capOf(change.monthlyCap)
  return transact(db, async (tx) => {
    const before = await findSubscription(tx, owned, 'locked')
    if (before === null) return null
    const { everyHours = before.everyHours } = change
    const terms = { capMicros: given ?? before.capMicros, everyHours }
    const rests = before.state === 'paused' || before.state === 'gone'
    if (rests && change.state !== 'active') {
      await changeSubscriptionTerms(tx, owned.subscriptionId, terms) // all that changes at rest
      return findSubscription(tx, owned)
    }
    if (before.state === 'gone') await forgetGoneMail(tx, owned.subscriptionId)
    const asked = change.state ?? 'active'
    const [spent] = await withSpending(tx, [{ ...before, ...terms, state: asked, notice: null }])
    const { state, notice } = spent ?? { state: asked, notice: null }
    const next = { ...terms, state, notice, isResumed: rests }
    await changeSubscriptionRow(tx, owned.subscriptionId, next)
    const types = subscriptionEvents(before.state, { state, found: 0 })
    await recordEvents(tx, present, { ...owned, types })
    await signal(tx, 'scriptorium_look', '')
    return findSubscription(tx, owned)
  })
}

/**
 * Deletes the subscription; its jobs, and what they delivered, stay. Returns false where the account has none of this
 * id.
 */
export function removeSubscription(db: Db, owned: OwnedSubscription): Promise<boolean> {
  return transact(db, (tx) => deleteSubscriptionRow(tx, owned))
}

/** A subscription with what it spent this month, and its latest jobs. */
export type SpentSubscription = SubscriptionRow & SubscriptionSpending

/** Returns the account's subscriptions, newest first. */
export async function readSubscriptions(
  db: Db,
  ask: PageRequest & { accountId: string },
): Promise<{ total: number; subscriptions: SpentSubscription[] }> {
  const total = await countSubscriptions(db, ask.accountId)
  const rows = await listSubscriptions(db, ask)
  return { total, subscriptions: await withSpending(db, rows) }
}

/** Returns the subscription; null where the account has none of this id. */
export async function readSubscription(
  db: Db,
  owned: OwnedSubscription,
): Promise<SpentSubscription | null> {
  const row = await findSubscription(db, owned)
  if (row === null) return null
  const [found] = await withSpending(db, [row])
  return found ?? null
}

async function withSpending(db: Db, rows: SubscriptionRow[]): Promise<SpentSubscription[]> {
  const subscriptionIds = rows.map(({ id }) => id)
  const jobsMax = LIMITS.subscriptionJobsShown
  const spending = await readSpendingOfMonth(db, { subscriptionIds, jobsMax })
  const byId = new Map(spending.map((one) => [one.id, one]))
  return rows.map((row) => {
    const { spentMicros = 0n, chargedMicros = 0n, jobIds = [] } = byId.get(row.id) ?? {}
    return withCapTold({ ...row, spentMicros, chargedMicros, jobIds })
  })
}

/** Presents a subscription as the API shows it. */
export type PresentSubscription = (subscription: SpentSubscription) => object

/**
 * Records events for webhooks, in the transaction that changes the subscription, with it as it is then. Nothing is read
 * where no webhook asked for them.
 */
export async function recordEvents(
  tx: Tx,
  present: PresentSubscription,
  { types, ...owned }: OwnedSubscription & { types: SubscriptionEventType[] },
): Promise<void> {
  if (types.length === 0) return
  const receivers = await receiversOfEvents(tx, { accountId: owned.accountId, types })
  if (receivers.length === 0) return
  const subscription = await readSubscription(tx, owned)
  if (subscription === null) return
  await insertSubscriptionDeliveries(tx, receivers, present(subscription))
  await signal(tx, 'scriptorium_delivery', '')
}
