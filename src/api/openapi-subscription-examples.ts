/** Examples of the OpenAPI document about subscriptions: one that was made, found something, and was paused. */

type Examples = Record<string, Record<string, { summary: string; value: unknown }>>

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
