/** Rules of long polling (decision 40). */
import assert from 'node:assert/strict'
import { type Rule, rule } from '../rule.ts'

/** Half of the wait that was asked for, in milliseconds. */
const AT_ONCE_MS = 30_000

export const waitingRules: Rule[] = [
  rule('?wait=N answers as soon as the job is final', async (kit) => {
    const { id } = await kit.start({ urls: kit.lines(1), maxVideos: 1 })
    const job = await kit.get(`/jobs/${id}?wait=60`)
    assert.equal(job['billing'].settled, true)
    const startedAt = performance.now()
    await kit.get(`/jobs/${id}?wait=60`)
    assert.ok(performance.now() - startedAt < AT_ONCE_MS, 'a final job is answered at once')
  }),
  rule('Prefer: wait=N on POST answers with the job when it is final', async (kit) => {
    const reply = await kit.post(
      { urls: kit.lines(1), maxVideos: 1 },
      { headers: { Prefer: 'respond-async, wait=60' } },
    )
    assert.deepEqual([reply.status, reply.body['billing']?.settled], [201, true])
    assert.equal(reply.headers.get('preference-applied'), 'wait=60')
  }),
  rule('A preference that is not understood is passed over', async (kit) => {
    const reply = await kit.post(
      { urls: kit.lines(1), maxVideos: 1 },
      { headers: { Prefer: 'wait=soon; handling=strict' } },
    )
    assert.equal(reply.status, 201)
    await kit.untilFinal(reply.body['id'])
  }),
  rule('wait is a whole number from 0 to 60', async (kit) => {
    const { id } = await kit.finished()
    for (const wait of ['61', '-1', '', 'x', '1.5', '1&wait=1']) {
      const reply = await kit.ask('GET', `/jobs/${id}?wait=${wait}`)
      assert.deepEqual([reply.status, reply.body['error']?.code], [400, 'invalid_request'], wait)
      assert.match(reply.body['error'].message, /^wait /)
    }
    for (const wait of ['0', '60'])
      assert.equal((await kit.ask('GET', `/jobs/${id}?wait=${wait}`)).status, 200)
    assert.equal((await kit.ask('GET', '/jobs/none?wait=60')).status, 404)
  }),
]
