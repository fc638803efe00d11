/** Rules of decision 1: which refusal of POST /jobs comes before which. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Reply } from '../http.ts'
import { type Rule, rule } from '../rule.ts'

const got = (reply: Reply): [number, string | undefined] => [
  reply.status,
  reply.body['error']?.code,
]
const large = 'x'.repeat(70_000)

export const orderRules: Rule[] = [
  rule('415 comes before 413, 413 before malformed JSON', async (kit) => {
    assert.deepEqual(
      got(
        await kit.ask('POST', '/jobs', { body: large, headers: { 'Content-Type': 'text/plain' } }),
      ),
      [415, 'invalid_request'],
    )
    assert.deepEqual(got(await kit.ask('POST', '/jobs', { body: large })), [413, 'invalid_request'])
  }),
  rule('415 and 413 come before a bad Idempotency-Key', async (kit) => {
    const headers = { 'Idempotency-Key': 'x'.repeat(256) }
    assert.equal(
      (
        await kit.ask('POST', '/jobs', {
          body: '{}',
          headers: { ...headers, 'Content-Type': 'text/plain' },
        })
      ).status,
      415,
    )
    assert.equal((await kit.ask('POST', '/jobs', { body: large, headers })).status, 413)
  }),
  rule('A bad Idempotency-Key comes before the fields and before invalid_url', async (kit) => {
    for (const body of [{ nothing: 1 }, { urls: 'https://example.org/' }]) {
      const reply = await kit.post(body, { headers: { 'Idempotency-Key': 'x'.repeat(256) } })
      assert.deepEqual(got(reply), [400, 'invalid_request'])
      assert.match(reply.body['error'].message, /Idempotency-Key/)
    }
  }),
  rule('The fields come before invalid_url', async (kit) => {
    const reply = await kit.post({ urls: 'https://example.org/', maxVideos: 0 })
    assert.deepEqual(got(reply), [400, 'invalid_request'])
    assert.deepEqual(
      got(await kit.post({ urls: 'https://example.org/', publishedAfter: 'never' })),
      [400, 'invalid_request'],
    )
  }),
  rule(
    'A known key with a different body answers 409, also where that body is invalid',
    async (kit) => {
      const key = randomUUID()
      const body = { urls: kit.lines(1), maxVideos: 1 }
      const job = await kit.start(body, { headers: { 'Idempotency-Key': key } })
      for (const other of [
        { ...body, maxVideos: 2 },
        { ...body, maxVideos: 0 },
        { nothing: 1 },
        { urls: 'https://example.org/' },
        '[]',
        null,
        5,
      ]) {
        assert.deepEqual(got(await kit.post(other, { headers: { 'Idempotency-Key': key } })), [
          409,
          'idempotency_conflict',
        ])
      }
      await kit.untilFinal(job['id'])
    },
  ),
  rule(
    'insufficient_balance answers 402 after invalid_url, and nothing starts',
    async (kit) => {
      const key = kit.options.emptyKey
      assert.deepEqual(got(await kit.post({ urls: 'https://example.org/' }, { key })), [
        400,
        'invalid_url',
      ])
      assert.deepEqual(got(await kit.post({ urls: kit.lines(1) }, { key })), [
        402,
        'insufficient_balance',
      ])
      const held = randomUUID()
      assert.equal(
        (await kit.post({ urls: kit.lines(1) }, { key, headers: { 'Idempotency-Key': held } }))
          .status,
        402,
      )
      assert.equal(
        (await kit.post({ urls: kit.lines(1) }, { key, headers: { 'Idempotency-Key': held } }))
          .status,
        402,
        'a 402 uses no key up',
      )
      assert.equal((await kit.get('/jobs', { key }))['total'], 0)
    },
    'emptyKey',
  ),
]
