/** Changes a webhook's address, events or state, or deletes it with its log. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { deleteWebhook, findWebhook, lockWebhook, updateWebhook } from '../../store/webhooks.ts'
import type { WebhookRow } from '../../store/webhooks.ts'
import { eventTypesOf, targetOf } from './create-webhook.ts'
import type { TargetRules } from '../../kit/outbound/target.ts'
import type { AskedEventType } from '../../model/webhooks/webhook.ts'

export type WebhookChange = {
  url: string | null
  events: AskedEventType[] | null
  /** True: what waits for it goes on at once. */
  isActive: boolean | null
}

/** What is null stays. Returns the webhook as it is then, or null where the account has none of this id. */
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

/** False where the account has none of this id. */
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
