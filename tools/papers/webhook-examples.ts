/** Examples of the OpenAPI document about webhooks and subscriptions. */
import { pageInfo } from '../../src/kit/page.ts'
import { example, EXAMPLE_JOB, type Examples, onlyExample } from '../../src/api/jobs/example-job.ts'

const page = pageInfo({ offset: 0, limit: 20 }, 1)

const webhook = {
  id: 'whk_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11',
  url: 'https://example.org/hooks/scriptorium',
  events: ['job.finished', 'job.cancelled', 'job.failed', 'job.interrupted'],
  state: 'active',
  createdAt: '2026-03-01T09:00:00.000Z',
  disabledBecause: null,
  failingSince: null,
  oldSecretUntil: null,
}
const withSecret = { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfOcDvt6cA=' }
const rotated = { ...withSecret, oldSecretUntil: '2026-03-02T09:10:00.000Z' }

const payload = { type: 'job.finished', timestamp: EXAMPLE_JOB.finishedAt, data: EXAMPLE_JOB }
const due = {
  id: 'dlv_0b8a9a1be6a64b2c8f0f6d1e5a7c9d33',
  type: 'job.finished',
  state: 'pending',
  jobId: EXAMPLE_JOB.id,
  createdAt: EXAMPLE_JOB.finishedAt,
  nextAttemptAt: EXAMPLE_JOB.finishedAt,
  attempts: [] as object[],
  payload,
}
const attempt = {
  number: 1,
  at: '2026-03-01T09:30:07.430Z',
  durationMs: 83,
  url: webhook.url,
  outcome: 'delivered',
  status: 204,
  error: null,
  reply: '',
}
const delivered = { ...due, state: 'delivered', nextAttemptAt: null, attempts: [attempt] }
const test = {
  ...due,
  type: 'webhook.test',
  jobId: null,
  payload: { ...payload, type: 'webhook.test' },
}

const made = {
  id: 'sub_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11',
  url: 'https://www.youtube.com/@channel',
  title: null,
  state: 'active',
  createdAt: '2026-03-01T09:00:00.000Z',
  lastLookedAt: null,
  nextLookAt: '2026-03-01T09:00:00.000Z',
  monthlyCap: '2.500',
  spentThisMonth: '0.000',
  jobs: [] as string[],
  notice: null,
}

const looked = {
  ...made,
  title: 'Small Workshop',
  lastLookedAt: '2026-03-02T14:12:03.000Z',
  nextLookAt: '2026-03-02T16:12:03.000Z',
  spentThisMonth: '0.016',
  jobs: [EXAMPLE_JOB.id],
}

/** Examples of answers and bodies, as in EXAMPLES. */
export const WEBHOOK_EXAMPLES: Examples = {
  'listWebhooks 200': onlyExample('The only one', { ...page, webhooks: [webhook] }),
  'createWebhook 201': onlyExample('With its secret', withSecret),
  'getWebhook 200': onlyExample('Active', webhook),
  'changeWebhook 200': onlyExample('Told of finished jobs only', {
    ...webhook,
    events: ['job.finished'],
  }),
  'rotateWebhookSecret 200': onlyExample('Two secrets sign for a day', rotated),
  'testWebhook 202': onlyExample('Due at once', test),
  'listDeliveries 200': onlyExample('Delivered at the first attempt', {
    ...page,
    deliveries: [delivered],
  }),
  'replayDelivery 202': onlyExample('Due again', { ...due, attempts: [attempt] }),
  'replayDeliveries 202': onlyExample('All of them', { replayed: 12, nextSince: null }),
  createWebhook: {
    all: { summary: 'Told of every final job', value: { url: webhook.url } },
    some: {
      summary: 'Of finished ones only',
      value: { url: webhook.url, events: ['job.finished'] },
    },
    following: {
      summary: 'Of what is followed, too',
      value: {
        url: webhook.url,
        events: ['job.finished', 'subscription.found', 'subscription.gone'],
      },
    },
  },
  changeWebhook: example('enable', 'Switch it on again', { state: 'active' }),
  replayDeliveries: example('day', 'Since midnight', { since: '2026-03-01T00:00:00Z' }),
  'listSubscriptions 200': onlyExample('The only one', { ...page, subscriptions: [looked] }),
  'createSubscription 201': onlyExample('Checked in a moment', made),
  'getSubscription 200': onlyExample('Two new videos were bought', looked),
  'changeSubscription 200': onlyExample('Paused', { ...looked, state: 'paused', nextLookAt: null }),
  createSubscription: {
    fromNowOn: { summary: 'From now on', value: { url: made.url, monthlyCap: '2.50' } },
    backlog: {
      summary: 'And the last ten',
      value: { url: made.url, monthlyCap: '2.50', backlog: 10, everyHours: 6, formats: ['text'] },
    },
  },
  changeSubscription: {
    pause: { summary: 'Pause', value: { state: 'paused' } },
    cap: { summary: 'Another limit', value: { monthlyCap: '5' } },
  },
}
