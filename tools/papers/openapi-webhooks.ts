/** The `webhooks` of the OpenAPI document: what is sent to receivers, and what they answer. */
import { Type } from 'typebox'
import { LIMITS } from '../../src/config/config.ts'
import { EVENT_WORDS } from '../../src/model/webhooks/event-words.ts'
import { EVENT_TYPES, type EventType } from '../../src/model/webhooks/webhook.ts'
import { JobWebhookEvent, SubscriptionWebhookEvent } from '../../src/api/webhooks/schema.ts'

type Json = Record<string, unknown>

const HEADERS: Record<string, string> = {
  'webhook-id':
    'Identifies the delivery: the same in every attempt, so that you can recognise repeats',
  'webhook-timestamp': 'Seconds since 1970 at which this attempt was signed',
  'webhook-signature':
    '`v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`; two, separated by a space, while a secret is being replaced',
}

/** Returns the `webhooks`. `plain` turns a schema into JSON whose titled parts are components. */
export function webhooksOf(plain: (schema: unknown) => unknown): Json {
  const parameters = Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: plain(Type.String()),
  }))
  const answers = {
    '2XX': { description: `Delivered, if it comes within ${LIMITS.deliveryMs / 1000} seconds` },
    '410': { description: 'The receiver is gone: the webhook is disabled' },
    default: {
      description: 'Refused, redirects included: tried again, eight times in all over 28 hours',
    },
  }
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on-${type}`,
          summary: EVENT_WORDS[type].about,
          tags: ['Webhooks'],
          'x-extension': true,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: plain(isAboutJob(type) ? JobWebhookEvent : SubscriptionWebhookEvent),
              },
            },
          },
          responses: answers,
        },
      },
    ]),
  )
}

function isAboutJob(type: EventType): boolean {
  return !type.startsWith('subscription.')
}
