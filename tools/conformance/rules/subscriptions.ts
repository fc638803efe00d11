/**
 * Rules of /subscriptions (decision 43). They follow a playlist that does not exist, so that nothing is ever bought.
 */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const NOWHERE = 'https://www.youtube.com/playlist?list=PLconformanceFollowsNothing0000'
/** Host that never exists (RFC 6761). */
const HOOK = 'https://webhooks.invalid/hook'
const FIELDS = [
  'createdAt',
  'id',
  'jobs',
  'lastLookedAt',
  'monthlyCap',
  'nextLookAt',
  'notice',
  'spentThisMonth',
  'state',
  'title',
  'url',
]

export const subscriptionRules: Rule[] = [
  rule('A subscription is made, read, listed and deleted, with exactly its fields', (kit) =>
    withSubscription(kit, { monthlyCap: '0.5' }, async (made) => {
      assert.deepEqual(Object.keys(made).sort(), FIELDS)
      assert.deepEqual(
        [made['url'], made['state'], made['monthlyCap'], made['spentThisMonth'], made['jobs']],
        [NOWHERE, 'active', '0.500', '0.000', []],
      )
      const read = await kit.get(`/subscriptions/${made['id']}`)
      assert.deepEqual([read['id'], read['createdAt']], [made['id'], made['createdAt']])
      const { total, subscriptions } = await kit.get('/subscriptions?limit=100')
      assert.ok(total >= 1)
      assert.ok(subscriptions.some(({ id }: Json) => id === made['id']))
      assert.equal((await kit.ask('DELETE', `/subscriptions/${made['id']}`)).status, 204)
      assert.equal((await kit.ask('GET', `/subscriptions/${made['id']}`)).status, 404)
    }),
  ),
  rule(
    'PATCH changes the cap and the state of a subscription; paused, it has no next look',
    (kit) =>
      withSubscription(kit, { monthlyCap: '1' }, async ({ id }) => {
        const patch = (body: Json) => kit.ask('PATCH', `/subscriptions/${id}`, { body })
        const paused = (await patch({ state: 'paused' })).body
        assert.deepEqual([paused['state'], paused['nextLookAt']], ['paused', null])
        assert.equal((await patch({ monthlyCap: '2.5' })).body['monthlyCap'], '2.500')
        assert.equal((await patch({ everyHours: 6 })).body['everyHours'], 6)
        assert.equal('everyHours' in (await patch({ everyHours: null })).body, false)
        const active = (await patch({ state: 'active' })).body
        assert.equal(active['state'], 'active')
        assert.notEqual(active['nextLookAt'], null)
        for (const body of [
          {},
          { state: 'gone' },
          { monthlyCap: '-1' },
          { monthlyCap: 1 },
          { everyHours: 0 },
          { everyHours: 169 },
          { url: 'x' },
        ])
          assert.equal((await patch(body)).status, 400, JSON.stringify(body))
      }),
  ),
  rule(
    'A subscription is refused without a cap, for a video, for two lines and for the same twice',
    (kit) =>
      withSubscription(kit, { monthlyCap: '1' }, async () => {
        const refused: [Json, string][] = [
          [{ url: `${NOWHERE}0` }, 'invalid_request'],
          [{ url: `${NOWHERE}0`, monthlyCap: '0.007' }, 'invalid_request'],
          [{ url: `${NOWHERE}0`, monthlyCap: '1e3' }, 'invalid_request'],
          [{ url: `${NOWHERE}0`, monthlyCap: '1', backlog: 501 }, 'invalid_request'],
          [
            { url: `${NOWHERE}0`, monthlyCap: '1', publishedAfter: '2026-02-30' },
            'invalid_request',
          ],
          [{ url: `${NOWHERE}0\n${NOWHERE}1`, monthlyCap: '1' }, 'invalid_request'],
          [{ url: NOWHERE, monthlyCap: '1' }, 'invalid_request'],
          [{ url: 'dQw4w9WgXcQ', monthlyCap: '1' }, 'invalid_url'],
          [{ url: 'https://example.org/', monthlyCap: '1' }, 'invalid_url'],
        ]
        for (const [body, code] of refused) {
          const answer = await kit.ask('POST', '/subscriptions', { body })
          assert.deepEqual(
            [answer.status, answer.body['error']?.['code']],
            [400, code],
            JSON.stringify(body),
          )
        }
      }),
  ),
  rule('A webhook that asks for it is told of a subscription that pauses, as it was then', (kit) =>
    withSubscription(kit, { monthlyCap: '1' }, async ({ id }) => {
      const body = { url: HOOK, events: ['subscription.paused'] }
      const { body: webhook } = await kit.ask('POST', '/webhooks', { body })
      try {
        const pause = { body: { state: 'paused' } }
        const { body: paused } = await kit.ask('PATCH', `/subscriptions/${id}`, pause)
        const { deliveries } = await kit.get(`/webhooks/${webhook['id']}/deliveries`)
        assert.equal(deliveries.length, 1)
        const [{ type, jobId, payload }] = deliveries
        assert.deepEqual([type, jobId], ['subscription.paused', null])
        assert.deepEqual([payload.type, payload.data], [type, paused])
      } finally {
        await kit.ask('DELETE', `/webhooks/${webhook['id']}`)
      }
    }),
  ),
]

async function withSubscription(
  kit: Kit,
  body: Json,
  check: (made: Json) => Promise<void>,
): Promise<void> {
  const made = await kit.ask('POST', '/subscriptions', { body: { url: NOWHERE, ...body } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  try {
    await check(made.body)
  } finally {
    await kit.ask('DELETE', `/subscriptions/${made.body['id']}`)
  }
}
