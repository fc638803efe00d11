/** Rules of specification section 5: which callers are let in, and the checks that come before all others. */
import assert from 'node:assert/strict'
import type { Reply } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const UNKNOWN_KEY = `sk_${'A'.repeat(49)}`

const unauthorized = (reply: Reply): void => {
  assert.deepEqual([reply.status, reply.body['error']?.code], [401, 'unauthorized'])
  assert.ok(!reply.headers.has('x-ratelimit-limit') && !reply.headers.has('x-ratelimit-remaining'))
}
const bearing = (
  kit: Kit,
  value: string | string[],
  method = 'GET',
  path = '/balance',
): Promise<Reply> => kit.ask(method, path, { key: null, headers: { Authorization: value } })

export const accessRules: Rule[] = [
  rule(
    'A request without a key is refused with 401, WWW-Authenticate and no rate-limit headers',
    async (kit) => {
      for (const path of ['/balance', '/jobs', '/jobs/x', '/jobs/x/results', '/jobs/x/files/zip']) {
        unauthorized(await kit.ask('GET', path, { key: null }))
      }
      unauthorized(await kit.ask('POST', '/jobs', { key: null, body: { urls: [] } }))
    },
  ),
  rule('An unknown, cut, empty or doubled key is refused with 401', async (kit) => {
    const { apiKey } = kit
    for (const value of [
      `Bearer ${UNKNOWN_KEY}`,
      `Bearer ${apiKey.slice(0, -1)}`,
      `Bearer ${apiKey}x`,
      'Bearer',
      'Bearer ',
      '',
      `Bearer ${apiKey} ${apiKey}`,
      `Bearer ${apiKey}, Bearer ${apiKey}`,
      `Bearer "${apiKey}"`,
      `Bearer ${apiKey.toUpperCase()}`,
    ])
      unauthorized(await bearing(kit, value))
  }),
  rule('Other schemes and keys without a scheme are refused with 401', async (kit) => {
    const { apiKey } = kit
    for (const value of [
      apiKey,
      `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
      `Token ${apiKey}`,
      `Bearer:${apiKey}`,
    ]) {
      unauthorized(await bearing(kit, value))
    }
  }),
  rule('A key in the query string or in another header is not accepted', async (kit) => {
    const { apiKey } = kit
    unauthorized(
      await kit.ask('GET', `/balance?api_key=${apiKey}&access_token=${apiKey}&key=${apiKey}`, {
        key: null,
      }),
    )
    unauthorized(
      await kit.ask('GET', '/balance', {
        key: null,
        headers: { 'X-API-Key': apiKey, Cookie: `key=${apiKey}` },
      }),
    )
  }),
  rule('The case of the scheme does not matter', async (kit) => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const reply = await kit.ask('GET', '/balance', {
        headers: { Authorization: `${scheme} ${kit.apiKey}` },
      })
      assert.equal(reply.status, 200)
    }
  }),
  rule(
    '401 comes before 404 and 405, before 415 and 413, and before malformed JSON',
    async (kit) => {
      unauthorized(await kit.ask('GET', '/no/such/route', { key: null }))
      unauthorized(await kit.ask('GET', '', { key: null }))
      unauthorized(await kit.ask('GET', '/', { key: null }))
      unauthorized(await kit.ask('DELETE', '/jobs', { key: null }))
      unauthorized(await kit.ask('GET', '/jobs/%zz', { key: null }))
      unauthorized(
        await kit.ask('POST', '/jobs', {
          key: null,
          body: 'x',
          headers: { 'Content-Type': 'text/plain' },
        }),
      )
      unauthorized(await kit.ask('POST', '/jobs', { key: null, body: 'x'.repeat(70_000) }))
      unauthorized(await kit.ask('POST', '/jobs', { key: null, body: '{' }))
      unauthorized(await bearing(kit, `Bearer ${UNKNOWN_KEY}`, 'POST', '/jobs'))
    },
  ),
  rule(
    'A job or file of another account answers byte for byte like a missing one',
    async (kit) => {
      const { id } = await kit.finished()
      const key = kit.options.secondKey
      const missing = '00000000-0000-7000-8000-000000000000'
      for (const path of ['', '/results', '/files/zip', '/files/all.txt', '/files/1.txt']) {
        const [foreign, none] = [
          await kit.ask('GET', `/jobs/${id}${path}`, { key }),
          await kit.ask('GET', `/jobs/${missing}${path}`, { key }),
        ]
        assert.deepEqual([foreign.status, foreign.body['error'].code], [404, 'not_found'])
        assert.deepEqual(foreign.bytes, none.bytes)
        assert.deepEqual(namesOf(foreign), namesOf(none))
      }
      const [foreign, none] = [
        await kit.ask('POST', `/jobs/${id}/cancel`, { key }),
        await kit.ask('POST', `/jobs/${missing}/cancel`, { key }),
      ]
      assert.equal(foreign.status, 404)
      assert.deepEqual(foreign.bytes, none.bytes)
    },
    'secondKey',
  ),
  rule(
    'Another account sees neither the jobs nor the keys of this one',
    async (kit) => {
      const { id } = await kit.finished()
      const { jobs } = await kit.get('/jobs?limit=50', { key: kit.options.secondKey })
      assert.ok(jobs.every((job: { id: string }) => job.id !== id))
    },
    'secondKey',
  ),
]

function namesOf({ headers }: Reply): string[] {
  return [...headers.keys()]
}
