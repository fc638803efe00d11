/** Reads an account's webhooks and their logs. */
import type { Db } from '../../store/database.ts'
import { countDeliveries, listDeliveries, type LoggedDelivery } from '../../store/webhook-log.ts'
import { findWebhook, hasJobMail, listWebhooks, type WebhookRow } from '../../store/webhooks.ts'

const DELIVERY_ATTEMPTS_SHOWN = 20

type OwnedWebhook = { accountId: string; webhookId: string }

/** Oldest first. */
export function readWebhooks(db: Db, accountId: string): Promise<WebhookRow[]> {
  return listWebhooks(db, accountId)
}

/** Null where the account has none of this id. */
export function readWebhook(db: Db, owned: OwnedWebhook): Promise<WebhookRow | null> {
  return findWebhook(db, owned)
}

/** Newest first; null where the account has no such webhook. */
export async function readDeliveries(
  db: Db,
  { offset, limit, ...owned }: OwnedWebhook & { offset: number; limit: number },
): Promise<{ total: number; deliveries: LoggedDelivery[] } | null> {
  if ((await findWebhook(db, owned)) === null) return null
  const total = await countDeliveries(db, owned.webhookId)
  const page = { webhookId: owned.webhookId, deliveryId: null, offset, limit }
  const deliveries = await listDeliveries(db, {
    ...page,
    attemptsMax: DELIVERY_ATTEMPTS_SHOWN,
  })
  return { total, deliveries }
}

/** One of a webhook that is known to be the account's. */
export async function readDelivery(
  db: Db,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<LoggedDelivery | null> {
  const attemptsMax = DELIVERY_ATTEMPTS_SHOWN
  const [found] = await listDeliveries(db, {
    webhookId,
    deliveryId,
    attemptsMax,
    offset: 0,
    limit: 1,
  })
  return found ?? null
}

/** Whether the account is mailed when one of its jobs is final. */
export function readJobMail(db: Db, accountId: string): Promise<boolean> {
  return hasJobMail(db, accountId)
}
