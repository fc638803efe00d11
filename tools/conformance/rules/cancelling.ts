/** Rules of POST /jobs/{id}/cancel (decision 30). */
import assert from 'node:assert/strict'
import { type Rule, rule } from '../rule.ts'
import { assertJob } from '../shapes.ts'

export const cancelRules: Rule[] = [
  rule(
    'Cancelling a job that is not final answers 202; it ends as cancelled and is charged what it delivered',
    async (kit) => {
      const { id } = await kit.start({ urls: kit.lines() })
      const reply = await kit.ask('POST', `/jobs/${id}/cancel`)
      assert.ok([200, 202].includes(reply.status))
      assertJob(reply.body)
      if (reply.status === 202) assert.match(reply.body['state'], /^cancel(ling|led)$/)
      const end = await kit.untilFinal(id)
      assertJob(end)
      assert.equal(end['state'], reply.status === 202 ? 'cancelled' : reply.body['state'])
    },
  ),
  rule(
    'Cancelling a final job answers 200 and changes nothing; a body is not looked at',
    async (kit) => {
      const { id } = await kit.finished()
      const before = await kit.get(`/jobs/${id}`)
      for (const ask of [
        {},
        { body: '' },
        { body: {} },
        { body: 'no json', headers: { 'Content-Type': 'text/plain' } },
      ]) {
        const reply = await kit.ask('POST', `/jobs/${id}/cancel`, ask)
        assert.deepEqual([reply.status, reply.body], [200, before])
      }
    },
  ),
  rule('Cancelling an unknown job answers 404', async (kit) => {
    assert.equal((await kit.ask('POST', '/jobs/none/cancel')).status, 404)
  }),
]
