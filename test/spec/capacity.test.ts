/**
 * Which order gets a place: a share for each account at work, 503 server_busy after every other refusal, never for
 * reads and replays.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import { testService } from '../support/service.ts'

// The service has no worker: every started job stays open. One account alone holds at most half of 4.
const { customer } = await testService(
  { after },
  { env: { ROLES: 'api', MAX_ACTIVE_JOBS: '4' }, leavesOpenJobs: true },
)
const [first, second, third, fourth, fifth] = [
  await customer(),
  await customer(),
  await customer(),
  await customer(),
  await customer(),
]
const line = (): string => `https://www.youtube.com/watch?v=jNQXAC9IVRw&at=${randomUUID()}`
const posts = async (one: Customer): Promise<number> =>
  (await one.asks('POST', '/jobs', { body: { urls: line(), maxVideos: 1 } })).status

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
  assert.deepEqual([await posts(second), await posts(second), await posts(second)], [201, 201, 503])

  const replay = await first.asks('POST', '/jobs', { body, headers: { 'Idempotency-Key': key } })
  assert.deepEqual([replay.status, replay.body.id], [200, started.id])
})

test('an account that holds nothing gets a place though others took all of them, and its share is smaller', async () => {
  assert.deepEqual([await posts(third), await posts(third)], [201, 503])
  assert.deepEqual([await posts(fourth), await posts(fourth)], [201, 503])
})

test('as many accounts at work as places refuse a further one, after every other refusal; a 503 uses no key up, and reads go on', async () => {
  const key = randomUUID()
  const asks = (body: object) =>
    fifth.asks('POST', '/jobs', { body, headers: { 'Idempotency-Key': key } })
  assert.equal((await asks({ urls: 'https://example.org/' })).body.error.code, 'invalid_url')
  assert.equal((await asks({ urls: line(), maxVideos: 0 })).body.error.code, 'invalid_request')
  assert.equal((await asks({ urls: line() })).status, 503)
  assert.equal((await asks({ urls: line() })).status, 503, 'not 409: the key was not used up')
  const poor = await customer('0.001')
  assert.equal((await poor.asks('POST', '/jobs', { body: { urls: line() } })).status, 402)
  const { jobs } = await fourth.gets('/jobs')
  const duplicate = await fourth.asks('POST', '/jobs', { body: { urls: jobs[0].input.urls } })
  assert.deepEqual([duplicate.status, duplicate.body.error.jobId], [409, jobs[0].id])

  await fourth.asks('POST', `/jobs/${jobs[0].id}/cancel`)
  assert.equal((await asks({ urls: line(), maxVideos: 1 })).status, 201)
})
