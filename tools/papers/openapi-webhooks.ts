/** The `webhooks` of the OpenAPI document: what is sent to receivers, and what they answer. */
import { Type } from 'typebox'
import { LIMITS } from '../../src/kit/config/config.ts'
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

const SUMMARIES: Record<EventType, string> = {
  'job.finished': 'A job has finished: every one of its videos has a row',
  'job.cancelled': 'A job was cancelled; what it delivered is charged and stays',
  'job.failed':
    'A job has failed because of a fault of ours; what it delivered is charged and stays',
  'job.interrupted': 'A job ran out of time or attempts; send the same URLs to continue it',
  'subscription.found':
    'A check found new videos; `jobs` begins with the job that fetches them, if it was started at once',
  'subscription.active': 'A subscription resumed: by its owner, with new credit or in a new month',
  'subscription.paused': 'A subscription was paused by its owner',
  'subscription.out_of_money':
    'The balance covers none of the new videos of a subscription; they wait',
  'subscription.cap_reached': 'The monthly limit is used up, and new videos of a subscription wait',
  'subscription.gone': 'The channel or playlist no longer exists; it is not checked again',
  'webhook.test': 'A test was asked for; its job is an example',
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
          summary: SUMMARIES[type],
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
