/** Makes a webhook: the first of the two moments in which a secret is seen. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { Problem } from '../../kit/problem.ts'
import { lockAccount } from '../../store/accounts.ts'
import { insertWebhook, listWebhooks, type WebhookRow } from '../../store/webhooks.ts'
import type { SecretBox } from './secret-box.ts'
import { WEBHOOK_SECRET_BYTES, webhookSecretOf } from '../../model/webhooks/signature.ts'
import { readTarget, type TargetRules } from '../../kit/outbound/target.ts'
import {
  ASKED_EVENT_TYPES,
  type AskedEventType,
  JOB_EVENT_TYPES,
} from '../../model/webhooks/webhook.ts'

export type WithSecret = { webhook: WebhookRow; secret: string }

/** `events` null: all about jobs. Throws a `Problem` for an address that is refused, or one webhook too many. */
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
    assert(webhook !== null, 'an inserted webhook is returned')
    return { webhook, secret }
  })
}

export function newWebhookSecret(): string {
  return webhookSecretOf(randomBytes(WEBHOOK_SECRET_BYTES))
}

/** The address as it is kept; throws the `Problem` of one that is refused. */
export function targetOf(text: string, rules: TargetRules): string {
  const read = readTarget(text, rules)
  if (read.kind === 'target') return read.url
  throw new Problem('invalid_request', { message: read.message, field: 'url' })
}

/** Each once, in the order in which they are listed. */
export function eventTypesOf(events: readonly AskedEventType[] | null): AskedEventType[] {
  return events === null
    ? [...JOB_EVENT_TYPES]
    : ASKED_EVENT_TYPES.filter((type) => events.includes(type))
}
