/** Webhooks of an account: made, changed, their secrets renewed, and read. */
import { randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { readTarget, type TargetRules } from '../../kit/outbound/target.ts'
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
  deleteWebhook,
  findWebhook,
  hasJobMail,
  insertJobMail,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  replaceSecret,
  updateWebhook,
  type WebhookRow,
} from '../../store/webhooks.ts'
import type { SecretBox } from '../mail/secret-box.ts'

// Makes a webhook: the first of the two moments in which a secret is seen.

export type WithSecret = { webhook: WebhookRow; secret: string }

/**
 * Makes a webhook; `events` null stands for all about jobs. Throws a `Problem` for an address that is refused, or one
 * webhook too many.
 */
export function createWebhook(
  db: Db,
  { box, rules }: { box: SecretBox; rules: TargetRules },
  ask: { accountId: string; url: string; events: AskedEventType[] | null },
): Promise<WithSecret> {
  const url = targetOf(ask.url, rules)
  const events = eventTypesOf(ask.events)
  const id = `whk_${randomUUID().replaceAll('-', '')}`
  const secret = newWebhookSecret()
  return transact(db, async (tx) => {
    await lockAccount(tx, ask.accountId)
    if ((await listWebhooks(tx, ask.accountId)).length >= LIMITS.webhooksMax) {
      throw new Problem('invalid_request', {
        message: `An account can have at most ${LIMITS.webhooksMax} webhooks; delete one that is no longer used.`,
      })
    }
    const { accountId } = ask
    const sealed = box.seal(secret, id)
    const webhook = await insertWebhook(tx, { id, accountId, url, events, secret: sealed })
    return { webhook, secret }
  })
}

export function newWebhookSecret(): string {
  return webhookSecretOf(randomBytes(WEBHOOK_SECRET_BYTES))
}

/** Returns the address as it is kept; throws the `Problem` of one that is refused. */
export function targetOf(text: string, rules: TargetRules): string {
  const read = readTarget(text, rules)
  if (read.kind === 'target') return read.url
  throw new Problem('invalid_request', { message: read.message, field: 'url' })
}

/** Returns each type once, in the order in which they are listed. */
export function eventTypesOf(events: readonly AskedEventType[] | null): AskedEventType[] {
  return events === null
    ? [...JOB_EVENT_TYPES]
    : ASKED_EVENT_TYPES.filter((type) => events.includes(type))
}

// Changes a webhook's address, events or state, or deletes it with its log.

export type WebhookChange = {
  url: string | null
  events: AskedEventType[] | null
  /** True for active: what waits for it goes on at once. Null for no change. */
  isActive: boolean | null
}

/** Changes what is not null. Returns the webhook as it is then, or null where the account has none of this id. */
export function changeWebhook(
  db: Db,
  rules: TargetRules,
  { change, ...owned }: { accountId: string; webhookId: string; change: WebhookChange },
): Promise<WebhookRow | null> {
  const url = change.url === null ? null : targetOf(change.url, rules)
  const events = change.events === null ? null : eventTypesOf(change.events)
  return transact(db, async (tx) => {
    if (!(await lockWebhook(tx, owned))) return null
    await updateWebhook(tx, owned.webhookId, { ...change, url, events })
    return findWebhook(tx, owned)
  })
}

/** Removes the webhook; returns false where the account has none of this id. */
export function removeWebhook(
  db: Db,
  owned: { accountId: string; webhookId: string },
): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await lockWebhook(tx, owned))) return false
    await deleteWebhook(tx, owned.webhookId)
    return true
  })
}

// Mails to an account when a job is final: a receiver like a webhook, told at most once of each job.

/** Switches the mails on or off; safe to repeat. Mails that are due when it is switched off are not sent. */
export async function changeJobMail(
  db: Db,
  { accountId, isOn }: { accountId: string; isOn: boolean },
): Promise<void> {
  if (!isOn) return deleteJobMail(db, accountId)
  const id = `whk_${randomUUID().replaceAll('-', '')}`
  await insertJobMail(db, { id, accountId, events: [...JOB_EVENT_TYPES] })
}

// Gives a webhook a new secret; the one before it signs too for a day, so that receivers can change over.

/** How long the secret before the present one signs too. */
export const SECRET_OVERLAP_SECONDS = 24 * 3600

/** Returns the new secret, seen only now, or null where the account has no such webhook. */
export function rotateWebhookSecret(
  db: Db,
  box: SecretBox,
  owned: { accountId: string; webhookId: string },
): Promise<WithSecret | null> {
  const secret = newWebhookSecret()
  return transact(db, async (tx) => {
    if (!(await lockWebhook(tx, owned))) return null
    await replaceSecret(tx, owned.webhookId, {
      secret: box.seal(secret, owned.webhookId),
      overlapSeconds: SECRET_OVERLAP_SECONDS,
    })
    const webhook = await findWebhook(tx, owned)
    return webhook === null ? null : { webhook, secret }
  })
}

// Reads an account's webhooks and their logs.

const DELIVERY_ATTEMPTS_SHOWN = 20

type OwnedWebhook = { accountId: string; webhookId: string }

/** Returns the account's webhooks, oldest first. */
export function readWebhooks(db: Db, accountId: string): Promise<WebhookRow[]> {
  return listWebhooks(db, accountId)
}

/** Returns the webhook; null where the account has none of this id. */
export function readWebhook(db: Db, owned: OwnedWebhook): Promise<WebhookRow | null> {
  return findWebhook(db, owned)
}

/** Returns the deliveries, newest first; null where the account has no such webhook. */
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

/** Returns one delivery of a webhook that is known to be the account's. */
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

/** Returns whether the account is mailed when one of its jobs is final. */
export function readJobMail(db: Db, accountId: string): Promise<boolean> {
  return hasJobMail(db, accountId)
}
