/** Webhooks of an account: made, changed, their secrets renewed, and read. */
import { randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { readTarget, type TargetRules } from '../../kit/outbound/target.ts'
import type { PageRequest } from '../../kit/page.ts'
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import {
  ASKED_EVENT_TYPES,
  type AskedEventType,
  JOB_EVENT_TYPES,
  WEBHOOK_SECRET_BYTES,
  webhookSecretOf,
} from '../../model/webhooks/webhook.ts'
import { lockAccount } from '../../store/accounts.ts'
import type { Db } from '../../store/database.ts'
import { countDeliveries, listDeliveries, type LoggedDelivery } from '../../store/webhook-log.ts'
import {
  deleteJobMail,
  findWebhook,
  insertJobMail,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  updateWebhook,
  type OwnedWebhook,
  type WebhookChange,
  type WebhookRow,
} from '../../store/webhooks.ts'
import type { SecretBox } from '../mail/secret-box.ts'

export { deleteWebhook, findWebhook, hasJobMail, listWebhooks } from '../../store/webhooks.ts'

/** A webhook at one of the two moments in which its secret is seen: when it is made, and when it gets a new one. */
type WithSecret = { webhook: WebhookRow; secret: string }

/**
 * Makes a webhook; `events` null stands for all about jobs. Throws a `Problem` for an address that is refused, or one
 * webhook too many.
 */
export function createWebhook(
  db: Db,
  { box, rules }: { box: SecretBox; rules: TargetRules },
  { accountId, ...ask }: { accountId: string; url: string; events: AskedEventType[] | null },
): Promise<WithSecret> {
  const url = targetOf(ask.url, rules)
  const events = eventTypesOf(ask.events)
  const id = `whk_${randomUUID().replaceAll('-', '')}`
  const secret = newWebhookSecret()
  return transact(db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new Problem('unauthorized')
    if ((await listWebhooks(tx, accountId)).length >= LIMITS.webhooksMax) {
      throw new Problem('invalid_request', {
        message: `An account can have at most ${LIMITS.webhooksMax} webhooks; delete one that is no longer used.`,
      })
    }
    const sealed = box.seal(secret, id)
    const webhook = await insertWebhook(tx, { id, accountId, url, events, secret: sealed })
    return { webhook, secret }
  })
}

function newWebhookSecret(): string {
  return webhookSecretOf(randomBytes(WEBHOOK_SECRET_BYTES))
}

/** Returns the address as it is kept; throws the `Problem` of one that is refused. */
function targetOf(text: string, rules: TargetRules): string {
  const read = readTarget(text, rules)
  if (read.kind === 'target') return read.url
  throw new Problem('invalid_request', { message: read.message, field: 'url' })
}

/** Returns each type once, in the order in which they are listed. */
function eventTypesOf(events: readonly AskedEventType[] | null): AskedEventType[] {
  return events === null
    ? [...JOB_EVENT_TYPES]
    : ASKED_EVENT_TYPES.filter((type) => events.includes(type))
}

/** Changes what is not null. Returns the webhook as it is then, or null where the account has none of this id. */
export async function changeWebhook(
  db: Db,
  rules: TargetRules,
  { change, ...owned }: OwnedWebhook & { change: WebhookChange },
): Promise<WebhookRow | null> {
  const url = change.url === null ? null : targetOf(change.url, rules)
  const events = change.events === null ? null : eventTypesOf(change.events)
  return updateWebhook(db, owned, { ...change, url, events })
}

/**
 * Switches the mails about final jobs on or off; safe to repeat. They are a receiver like a webhook, told at most once
 * of each job. Mails that are due when it is switched off are not sent.
 */
export async function changeJobMail(
  db: Db,
  { accountId, isOn }: { accountId: string; isOn: boolean },
): Promise<void> {
  if (!isOn) return deleteJobMail(db, accountId)
  const id = `whk_${randomUUID().replaceAll('-', '')}`
  await insertJobMail(db, { id, accountId, events: [...JOB_EVENT_TYPES] })
}

/** How long the secret before the present one signs too. */
export const SECRET_OVERLAP_SECONDS = 24 * 3600

/**
 * Gives a webhook a new secret; the one before it signs too for a while, so that receivers can change over. Returns
 * null where the account has no such webhook.
 */
export async function rotateWebhookSecret(
  db: Db,
  box: SecretBox,
  owned: OwnedWebhook,
): Promise<WithSecret | null> {
  const secret = newWebhookSecret()
  const sealed = {
    secret: box.seal(secret, owned.webhookId),
    overlapSeconds: SECRET_OVERLAP_SECONDS,
  }
  const webhook = await replaceSecret(db, owned, sealed)
  return webhook && { webhook, secret }
}

const DELIVERY_ATTEMPTS_SHOWN = 20

/** Returns the deliveries, newest first; null where the account has no such webhook. */
export async function readDeliveries(
  db: Db,
  { offset, limit, ...owned }: OwnedWebhook & PageRequest,
): Promise<{ total: number; deliveries: LoggedDelivery[] } | null> {
  if ((await findWebhook(db, owned)) === null) return null
  const { webhookId } = owned
  const total = await countDeliveries(db, webhookId)
  const page = { webhookId, deliveryId: null, offset, limit, attemptsMax: DELIVERY_ATTEMPTS_SHOWN }
  return { total, deliveries: await listDeliveries(db, page) }
}

/** Returns one delivery of a webhook that is known to be the account's. */
export async function readDelivery(
  db: Db,
  delivery: { webhookId: string; deliveryId: string },
): Promise<LoggedDelivery | null> {
  const page = { offset: 0, limit: 1, attemptsMax: DELIVERY_ATTEMPTS_SHOWN }
  const [found] = await listDeliveries(db, { ...delivery, ...page })
  return found ?? null
}
