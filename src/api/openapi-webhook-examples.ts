/** Examples of the OpenAPI document about webhooks and subscriptions. */

// Examples of the OpenAPI document about webhooks: one that was made, rotated, tested and told of a job and of a
// subscription.

type Examples = Record<string, Record<string, { summary: string; value: unknown }>>

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

/** Returns examples of answers, by operationId and status; `job` is a final one. */
export function webhookExamples(job: { id: string; finishedAt: string }): Examples {
  const payload = { type: 'job.finished', timestamp: job.finishedAt, data: job }
  const due = {
    id: 'dlv_0b8a9a1be6a64b2c8f0f6d1e5a7c9d33',
    type: 'job.finished',
    state: 'pending',
    jobId: job.id,
    createdAt: job.finishedAt,
    nextAttemptAt: job.finishedAt,
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
  const page = { total: 1, offset: 0, limit: 20, nextOffset: null }
  const one = (summary: string, value: unknown) => ({ example: { summary, value } })
  return {
    'listWebhooks 200': one('The only one', { ...page, webhooks: [webhook] }),
    'createWebhook 201': one('With its secret', withSecret),
    'getWebhook 200': one('Active', webhook),
    'changeWebhook 200': one('Told of finished jobs only', {
      ...webhook,
      events: ['job.finished'],
    }),
    'rotateWebhookSecret 200': one('Two secrets sign for a day', rotated),
    'testWebhook 202': one('Due at once', test),
    'listDeliveries 200': one('Delivered at the first attempt', {
      ...page,
      deliveries: [delivered],
    }),
    'replayDelivery 202': one('Due again', { ...due, attempts: [attempt] }),
    'replayDeliveries 202': one('All of them', { replayed: 12, nextSince: null }),
  }
}

export const WEBHOOK_BODY_EXAMPLES: Examples = {
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
  changeWebhook: {
    enable: { summary: 'Switch it on again', value: { state: 'active' } },
  },
  replayDeliveries: {
    day: { summary: 'Since midnight', value: { since: '2026-03-01T00:00:00Z' } },
  },
}

// Examples of the OpenAPI document about subscriptions: one that was made, found something, and was paused.

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

/** Returns examples of answers, by operationId and status; `job` is a final one. */
export function subscriptionExamples(job: { id: string }): Examples {
  const looked = {
    ...made,
    title: 'Small Workshop',
    lastLookedAt: '2026-03-02T14:12:03.000Z',
    nextLookAt: '2026-03-02T16:12:03.000Z',
    spentThisMonth: '0.016',
    jobs: [job.id],
  }
  const page = { total: 1, offset: 0, limit: 20, nextOffset: null }
  const one = (summary: string, value: unknown) => ({ example: { summary, value } })
  return {
    'listSubscriptions 200': one('The only one', { ...page, subscriptions: [looked] }),
    'createSubscription 201': one('Looked at in a moment', made),
    'getSubscription 200': one('Two new videos were bought', looked),
    'changeSubscription 200': one('Paused', { ...looked, state: 'paused', nextLookAt: null }),
  }
}

export const SUBSCRIPTION_BODY_EXAMPLES: Examples = {
  createSubscription: {
    fromNowOn: { summary: 'From now on', value: { url: made.url, monthlyCap: '2.50' } },
    backlog: {
      summary: 'And the last ten',
      value: { url: made.url, monthlyCap: '2.50', backlog: 10, everyHours: 6, formats: ['text'] },
    },
  },
  changeSubscription: {
    pause: { summary: 'Pause', value: { state: 'paused' } },
    cap: { summary: 'Another cap', value: { monthlyCap: '5' } },
  },
}
