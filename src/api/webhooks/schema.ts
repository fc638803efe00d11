/** The contract of webhooks: what their routes take and answer, and what is sent to them. */
import { Type } from 'typebox'
import { LIMITS } from '../../config/config.ts'
import {
  ASKED_EVENT_TYPES,
  ATTEMPT_OUTCOMES,
  DELIVERY_STATES,
  EVENT_TYPES,
  JOB_EVENT_TYPES,
} from '../../model/webhooks/webhook.ts'
import { SUBSCRIPTION_EVENT_TYPES } from '../../model/follow/subscription.ts'
import { DateTime, nullable, wordOf } from '../contract.ts'
import { Job, JobId } from '../jobs/schema.ts'
import { Subscription } from '../subscriptions/schema.ts'

const AskedEventType = wordOf(ASKED_EVENT_TYPES, { title: 'AskedEventType' })
const EventName = wordOf(EVENT_TYPES, { title: 'WebhookEventType' })
const Events = Type.Optional(
  Type.Array(AskedEventType, {
    minItems: 1,
    maxItems: ASKED_EVENT_TYPES.length,
    description: 'Which events it is sent; without it, every job that becomes final',
  }),
)
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Absolute http or https URL of the receiver, at a public address',
  examples: ['https://example.org/hooks/scriptorium'],
})

export const WebhookId = Type.String({
  pattern: '^[\\w-]{1,40}$',
  description: 'Webhook id, as POST /webhooks returned it',
  examples: ['whk_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11'],
})
export const DeliveryId = Type.String({
  pattern: '^[\\w-]{1,40}$',
  description:
    'Delivery id, the header `webhook-id` of what was sent; `-e1` and so on at its end: made after a failover that lost rows, so that a job may be told again',
  examples: ['dlv_0b8a9a1be6a64b2c8f0f6d1e5a7c9d33'],
})
export const WebhookParams = Type.Object({ id: WebhookId })

const FIELDS = {
  id: WebhookId,
  url: Type.String({ format: 'uri' }),
  events: Type.Array(AskedEventType),
  state: wordOf(['active', 'disabled']),
  createdAt: DateTime,
  disabledBecause: nullable(
    wordOf(['asked', 'gone', 'failing', 'secret_lost']),
    'Null while it is active. `gone`: the receiver answered 410; `failing`: nothing succeeded for five days',
  ),
  failingSince: nullable(DateTime, 'The first failure after the last success'),
  oldSecretUntil: nullable(DateTime, 'After a rotation: until when the previous secret signs, too'),
}
export const Webhook = Type.Object(FIELDS, { title: 'Webhook' })
export const WebhookWithSecret = Type.Object(
  {
    ...FIELDS,
    secret: Type.String({ description: 'Verifies deliveries (Standard Webhooks); shown only now' }),
  },
  { title: 'WebhookWithSecret' },
)

export const WebhookBody = Type.Object(
  { url: Url, events: Events },
  { additionalProperties: false, title: 'WebhookRequest' },
)
export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(Url),
    events: Events,
    state: Type.Optional(wordOf(['active', 'disabled'])),
  },
  { additionalProperties: false, minProperties: 1, title: 'WebhookChange' },
)
export const ReplayBody = Type.Object(
  {
    since: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
      description: `ISO date-time: jobs that became final from then on, as far back as ${LIMITS.deliveriesKeptDays} days`,
      examples: ['2026-03-01T00:00:00Z'],
    }),
  },
  { additionalProperties: false, title: 'WebhookReplay' },
)
export const ReplayAnswer = Type.Object(
  {
    replayed: Type.Integer({ description: 'Deliveries that are due again' }),
    nextSince: nullable(DateTime, 'Where to continue, if there are more than one request replays'),
  },
  { title: 'WebhookReplayed' },
)

export const JobWebhookEvent = Type.Object(
  {
    type: wordOf([...JOB_EVENT_TYPES, 'webhook.test']),
    timestamp: Type.String({ format: 'date-time', description: 'When the job became final' }),
    data: Job,
  },
  { title: 'JobWebhookEvent' },
)
export const SubscriptionWebhookEvent = Type.Object(
  {
    type: wordOf(SUBSCRIPTION_EVENT_TYPES),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
    data: Subscription,
  },
  { title: 'SubscriptionWebhookEvent' },
)
export const WebhookEvent = Type.Union([JobWebhookEvent, SubscriptionWebhookEvent], {
  title: 'WebhookEvent',
  description: '`data` is the job, or the subscription as it was then: `type` tells which',
})

const Attempt = Type.Object(
  {
    number: Type.Integer(),
    at: DateTime,
    durationMs: Type.Integer(),
    url: Type.String(),
    outcome: wordOf(ATTEMPT_OUTCOMES),
    status: nullable(Type.Integer({ description: 'Of the reply' })),
    error: nullable(Type.String(), 'Why there was no reply'),
    reply: nullable(Type.String(), `The first ${LIMITS.replyKeptChars} characters of the reply`),
  },
  { title: 'DeliveryAttempt' },
)
export const Delivery = Type.Object(
  {
    id: DeliveryId,
    type: EventName,
    state: wordOf(DELIVERY_STATES),
    jobId: nullable(JobId, 'Null of a subscription, and for a test'),
    createdAt: DateTime,
    nextAttemptAt: nullable(DateTime, 'Null where none is due, or one is in progress'),
    attempts: Type.Array(Attempt, { description: 'The latest ones, in order' }),
    payload: WebhookEvent,
  },
  { title: 'WebhookDelivery' },
)
