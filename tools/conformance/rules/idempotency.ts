/** Rules of the Idempotency-Key (specification 4.1, decision 2). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Reply } from '../http.ts'
import { type Rule, rule } from '../rule.ts'
import { assertJob } from '../shapes.ts'

const keyed = (key: string | string[]) => ({ headers: { 'Idempotency-Key': key } })

function isReplay(reply: Reply, id: string): void {
  assert.deepEqual(
    [reply.status, reply.headers.get('idempotent-replayed'), reply.body['id']],
    [200, 'true', id],
  )
  assertJob(reply.body, { isPost: true })
}

export const idempotencyRules: Rule[] = [
  rule(
    'The same key with the same body answers 200 with the original job, its notices and Idempotent-Replayed',
    async (kit) => {
      const key = randomUUID()
      const body = { urls: kit.lines(1), maxVideos: 2 }
      const first = await kit.post(body, keyed(key))
      assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
      const { id, notices } = first.body
      const replay = await kit.post(body, keyed(key))
      isReplay(replay, id)
      assert.deepEqual(replay.body['notices'], notices)
      await kit.untilFinal(id)
      const late = await kit.post(body, keyed(key))
      isReplay(late, id)
      assert.equal(late.body['billing'].settled, true)
    },
  ),
  rule(
    'The same body is the same JSON: order of names and white space do not matter',
    async (kit) => {
      const key = randomUUID()
      const urls = kit.lines(1)
      const { id } = await kit.start({ urls, maxVideos: 1, language: 'en' }, keyed(key))
      isReplay(
        await kit.post(
          `\n{ "language" : "en",\t"maxVideos": 1.0, "urls": ${JSON.stringify(urls)} }`,
          keyed(key),
        ),
        id,
      )
      isReplay(
        await kit.post(
          { maxVideos: 1, urls, language: 'en' },
          { headers: { ...keyed(key).headers, 'Content-Type': 'application/json; charset=UTF-8' } },
        ),
        id,
      )
      const other = await kit.post({ urls: urls[0], maxVideos: 1, language: 'en' }, keyed(key))
      assert.deepEqual([other.status, other.body['error'].code], [409, 'idempotency_conflict'])
      await kit.untilFinal(id)
    },
  ),
  rule('Keys of 1 and of 255 characters are accepted', async (kit) => {
    const urls = kit.lines(1)
    for (const key of [randomUUID().slice(0, 1), randomUUID().padEnd(255, '~')]) {
      const reply = await kit.post({ urls, maxVideos: 1 }, keyed(key))
      assert.ok([200, 201, 409].includes(reply.status), `${reply.status}`)
      if (reply.status === 201) await kit.untilFinal(reply.body['id'])
      else if (reply.status === 409)
        assert.equal(reply.body['error'].code, 'idempotency_conflict', 'used by an earlier run')
    }
  }),
  rule('An empty, too long or repeated key answers 400', async (kit) => {
    const body = { urls: kit.lines(1) }
    for (const key of ['', 'x'.repeat(256), ['a', 'b'], ['same', 'same']]) {
      const reply = await kit.post(body, keyed(key))
      assert.deepEqual([reply.status, reply.body['error']?.code], [400, 'invalid_request'])
      assert.match(reply.body['error'].message, /Idempotency-Key/)
    }
  }),
  rule('A request refused with 4xx does not use its key up', async (kit) => {
    const key = randomUUID()
    const urls = kit.lines(1)
    for (const [body, status] of [
      [{ urls, maxVideos: 0 }, 400],
      ['{', 400],
      [{ urls: 'https://example.org/' }, 400],
    ] as const) {
      assert.equal((await kit.post(body, keyed(key))).status, status)
    }
    assert.equal(
      (
        await kit.ask('POST', '/jobs', {
          body: 'x',
          headers: { ...keyed(key).headers, 'Content-Type': 'text/plain' },
        })
      ).status,
      415,
    )
    const { id } = await kit.start({ urls, maxVideos: 1 }, keyed(key))
    await kit.untilFinal(id)
  }),
  rule('Identical requests at once make one job: one 201, the others 200', async (kit) => {
    const key = randomUUID()
    const body = { urls: kit.lines(1), maxVideos: 1 }
    await kit.ready(6)
    const replies = await Promise.all(Array.from({ length: 6 }, () => kit.post(body, keyed(key))))
    const first = replies.find(({ status }) => status === 201)
    assert.ok(first !== undefined)
    for (const reply of replies) if (reply !== first) isReplay(reply, first.body['id'])
    await kit.untilFinal(first.body['id'])
  }),
  rule(
    'A key belongs to one account',
    async (kit) => {
      const key = randomUUID()
      const { id } = await kit.start({ urls: kit.lines(1), maxVideos: 1 }, keyed(key))
      const other = await kit.post({ nothing: true }, { ...keyed(key), key: kit.options.secondKey })
      assert.equal(other.status, 400, 'not 409: the key is new to the other account')
      await kit.untilFinal(id)
    },
    'secondKey',
  ),
]
