/** A full server: 503 server_busy after every other refusal, and never for reads and replays. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

// No worker: whatever is started stays open. One account holds at most half of 4.
const { customer } = await testService({ after }, { env: { ROLES: 'api', MAX_ACTIVE_JOBS: '4' } })
const [first, second, third] = [await customer(), await customer(), await customer()]
const line = (): string => `https://www.youtube.com/watch?v=jNQXAC9IVRw&at=${randomUUID()}`

test('one account holds at most half of the places; beyond that it alone is refused with 503', async () => {
  const key = randomUUID()
  const body = { urls: line(), maxVideos: 1 }
  const started = await first.startsJob(body, { 'Idempotency-Key': key })
  await first.startsJob({ urls: line(), maxVideos: 1 })
  const balance = await first.balance()
  const refused = await first.asks('POST', '/jobs', { body: { urls: line(), maxVideos: 1 } })
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'server_busy'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(refused.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
  assert.equal(await first.balance(), balance)
  await second.startsJob({ urls: line(), maxVideos: 1 })

  const replay = await first.asks('POST', '/jobs', { body, headers: { 'Idempotency-Key': key } })
  assert.deepEqual([replay.status, replay.body.id], [200, started.id])
})

test('a full server refuses everybody, after every other refusal; a 503 uses no key up, and reads go on', async () => {
  await second.startsJob({ urls: line(), maxVideos: 1 })
  const key = randomUUID()
  const asks = (body: object) => third.asks('POST', '/jobs', { body, headers: { 'Idempotency-Key': key } })
  assert.equal((await asks({ urls: 'https://example.org/' })).body.error.code, 'invalid_url')
  assert.equal((await asks({ urls: line(), maxVideos: 0 })).body.error.code, 'invalid_request')
  assert.equal((await asks({ urls: line() })).status, 503)
  assert.equal((await asks({ urls: line() })).status, 503, 'not 409: the key was not used up')
  const poor = await customer('0.001')
  assert.equal((await poor.asks('POST', '/jobs', { body: { urls: line() } })).status, 402)
  const { jobs } = await second.gets('/jobs')
  const twin = await second.asks('POST', '/jobs', { body: { urls: jobs[0].input.urls } })
  assert.deepEqual([twin.status, twin.body.error.jobId], [409, jobs[0].id])

  await second.asks('POST', `/jobs/${jobs[0].id}/cancel`)
  assert.equal((await asks({ urls: line(), maxVideos: 1 })).status, 201)
})
