/** Gives a webhook a new secret; the one before it signs too for a day, so that receivers can change over. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { findWebhook, lockWebhook, replaceSecret } from '../../store/webhooks.ts'
import { newWebhookSecret, type WithSecret } from './create-webhook.ts'
import type { SecretBox } from './secret-box.ts'

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
