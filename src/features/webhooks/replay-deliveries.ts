/** Sends again what was sent before, or would have been: one delivery, all since an instant, or a test. */
import type pg from 'pg'
import { limitWebhookWork } from '../accounts/attempt-limits.ts'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { signal } from '../../store/signals.ts'
import { Problem } from '../../kit/problem.ts'
import { insertTest, replayDelivery, replaySince } from '../../store/webhook-deliveries.ts'
import type { LoggedDelivery } from '../../store/webhook-log.ts'
import { findWebhook, type OwnedWebhook } from '../../store/webhooks.ts'
import { readDelivery } from './webhooks.ts'

/** Number of deliveries that one request makes due again. */
const REPLAYED_MAX = 5_000

type Parts = { db: Db; pool: pg.Pool }

/** Returns the delivery as it is then; null where the account has none of these ids. Refuses a disabled webhook. */
export async function replayOne(
  { db, pool }: Parts,
  { deliveryId, ...owned }: OwnedWebhook & { deliveryId: string },
): Promise<LoggedDelivery | null> {
  await limitWebhookWork(pool, { accountId: owned.accountId, work: 'replay' })
  const delivery = { webhookId: owned.webhookId, deliveryId }
  const isKnown = await whileActive(db, owned, (tx) => replayDelivery(tx, delivery))
  return isKnown === true ? readDelivery(db, delivery) : null
}

/**
 * Makes the deliveries of the jobs due that ended since then, as far back as the log goes. Returns null where the
 * account has no such webhook; `nextSince` says from where to go on where there are more than one request takes.
 */
export async function replayAllSince(
  { db, pool }: Parts,
  { since, now, ...owned }: OwnedWebhook & { since: Date; now: Date },
): Promise<{ replayed: number; nextSince: Date | null } | null> {
  await limitWebhookWork(pool, { accountId: owned.accountId, work: 'replay' })
  const oldest = new Date(now.getTime() - LIMITS.deliveriesKeptDays * 24 * 3_600_000)
  const from = since < oldest ? oldest : since
  const { webhookId } = owned
  const answer = await whileActive(db, owned, (tx) =>
    replaySince(tx, { webhookId, since: from, max: REPLAYED_MAX }),
  )
  if (answer === null) return null
  const { replayed, lastAt } = answer
  return { replayed, nextSince: replayed === REPLAYED_MAX ? lastAt : null }
}

/** Starts a delivery of no job, with one attempt. Returns null where the account has no such webhook. */
export async function startTest(
  { db, pool }: Parts,
  owned: OwnedWebhook,
): Promise<LoggedDelivery | null> {
  await limitWebhookWork(pool, { accountId: owned.accountId, work: 'test' })
  const deliveryId = await whileActive(db, owned, (tx) => insertTest(tx, owned.webhookId))
  return deliveryId === null ? null : readDelivery(db, { webhookId: owned.webhookId, deliveryId })
}

/** Works under the webhook's lock. Throws the `Problem` of a disabled webhook; null where there is no such webhook. */
function whileActive<T>(
  db: Db,
  owned: OwnedWebhook,
  work: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  return transact(db, async (tx) => {
    const webhook = await findWebhook(tx, owned, 'locked')
    if (webhook === null) return null
    if (webhook.disabledBecause !== null) {
      throw new Problem('invalid_request', {
        message: 'The webhook is disabled; set its state to active first.',
        field: 'state',
      })
    }
    const done = await work(tx)
    signal(tx, 'scriptorium_delivery', '')
    return done
  })
}
