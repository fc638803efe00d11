/** Webhooks and their deliveries as the API shows our records of them. */
import type { Static } from 'typebox'
import type { LoggedDelivery } from '../../store/webhook-log.ts'
import type { WebhookRow } from '../../store/webhooks.ts'
import { Webhook } from './schema.ts'

export function presentWebhook(webhook: WebhookRow): Static<typeof Webhook> {
  const { id, url, events, createdAt, disabledBecause } = webhook
  return {
    id,
    url,
    events,
    state: disabledBecause === null ? 'active' : 'disabled',
    createdAt: createdAt.toISOString(),
    disabledBecause,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    oldSecretUntil: webhook.oldSecretUntil?.toISOString() ?? null,
  }
}

/** Presents a delivery; `payload` is what was sent, or will be. */
export function presentDelivery<Payload>(delivery: LoggedDelivery, payload: Payload) {
  return {
    id: delivery.deliveryId,
    type: delivery.type,
    state: delivery.deliveryState,
    jobId: delivery.job?.id ?? null,
    createdAt: delivery.madeAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    attempts: delivery.attempts.map(({ startedAt, ...attempt }) => ({
      ...attempt,
      at: new Date(startedAt).toISOString(),
    })),
    payload,
  }
}
