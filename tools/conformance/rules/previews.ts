/** Rules of /previews (decisions 42 and 53). */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import { type Rule, rule } from '../rule.ts'

const FIELDS =
  'id state createdAt expiresAt input sources wouldTake unchanged costAtMost costExpected costAgain notices'
const SOURCE_FIELDS =
  'line kind title channelName pictureUrl videos isComplete newestAt oldestAt delivered owned knownNegative wouldTake error'
const USD = /^\d+\.\d{3,6}$/

export const previewRules: Rule[] = [
  rule(
    'A preview says what a job would take up, line by line, and is read again by its id',
    async (kit) => {
      const urls = kit.lines(2)
      const headers = { Prefer: 'wait=30' }
      const made = await kit.ask('POST', '/previews', { body: { urls, maxVideos: 2 }, headers })
      assert.equal(made.status, 201)
      const { body: preview } = made
      assert.deepEqual(Object.keys(preview).sort(), FIELDS.split(' ').sort())
      assert.equal(preview['state'], 'ready')
      assert.ok(Date.parse(preview['expiresAt']) > Date.parse(preview['createdAt']))
      assert.match(preview['costAtMost'], USD)
      assert.match(preview['costExpected'], USD)
      assert.deepEqual(preview['input'].urls, urls)
      const sources = preview['sources'] as Json[]
      assert.deepEqual(
        sources.map(({ line }) => line),
        urls,
      )
      for (const source of sources) {
        const { ownedFrom: _, ...fields } = source // only where another order brought it
        assert.deepEqual(Object.keys(fields).sort(), SOURCE_FIELDS.split(' ').sort())
        assert.equal(source['kind'], 'video')
      }
      assert.deepEqual(await kit.get(`/previews/${preview['id']}?wait=1`), preview)
    },
  ),
  rule('The same body within the hour is the same preview', async (kit) => {
    const body = { urls: kit.lines(1), maxVideos: 1 }
    const [one, two] = [
      await kit.ask('POST', '/previews', { body }),
      await kit.ask('POST', '/previews', { body }),
    ]
    assert.deepEqual([one.status, two.status, two.body['id']], [201, 201, one.body['id']])
  }),
  rule(
    'A preview takes the body of POST /jobs, with the maximum of a batch, and refuses what these refuse',
    async (kit) => {
      const ask = async (body: Json) => {
        const { status, body: answer } = await kit.ask('POST', '/previews', { body })
        return [status, answer['error']?.code]
      }
      assert.deepEqual(await ask({ urls: 'https://example.org/' }), [400, 'invalid_url'])
      assert.deepEqual(await ask({ urls: kit.lines(1), maxVideos: 50_001 }), [
        400,
        'invalid_request',
      ])
      assert.deepEqual(await ask({ maxVideos: 1 }), [400, 'invalid_request'])
    },
  ),
  rule(
    'A preview that is not there is 404; a job that names it is started all the same, with a notice',
    async (kit) => {
      for (const id of ['prv_none', '..', 'a%20b'])
        assert.equal((await kit.ask('GET', `/previews/${id}`)).status, 404, id)
      const body = { urls: kit.lines(1), maxVideos: 1 }
      const reply = await kit.ask('POST', '/jobs?preview=prv_none', { body })
      assert.equal(reply.status, 201)
      kit.started.set(reply.body['id'], reply.body)
      assert.match(reply.body['notices'].join(), /The preview was not used/)
      await kit.untilFinal(reply.body['id'])
    },
  ),
]
