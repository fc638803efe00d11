/** API and worker as processes of their own: the work of each, and what holds over all of them. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Json, Reply } from '../../tools/conformance/http.ts'
import { askHealth } from '../../src/ask-health.ts'
import { readConfig } from '../../src/config/config.ts'
import { holdAfter } from '../support/held-platform.ts'
import { until } from '../support/until.ts'
import { checkBooks, ofJob, openFleet, untilDelivered } from './fleet.ts'

const fleet = await openFleet({ after })
const { database, platform } = fleet
/** Where the worker tells of its health, once it was started. */
let healthAddress = ''
const API = { ROLES: 'api', MAX_ACTIVE_JOBS: '4' }
const [first, second] = await Promise.all([fleet.start(API), fleet.start(API)])

test('one Idempotency-Key at two processes makes one job', async () => {
  const customer = await fleet.customer(first)
  const there = fleet.moved(customer, second)
  const ask = {
    body: { urls: ['@smallworkshop'], maxVideos: 2 },
    headers: { 'Idempotency-Key': 'both' },
  }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      (at % 2 === 0 ? customer : there).asks('POST', '/jobs', ask),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    ...Array.from({ length: 9 }, () => 200),
    201,
  ])
  assert.equal(new Set(answers.map(({ body }) => body['id'])).size, 1)
  assert.equal(await customer.balance(), '9.984')
  await customer.asks('POST', `/jobs/${answers[0]?.body['id']}/cancel`)
})

test('one key has one bucket at all processes', async () => {
  const customer = await fleet.customer(first, 10, { isLimited: true })
  const there = fleet.moved(customer, second)
  // The bucket of this key does not refill in the test's time.
  await database.pool.query('update api_key set refill = 0.000001 where account_id = $1', [
    customer.accountId,
  ])
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, at) =>
      (at % 2 === 0 ? customer : there).asks('GET', '/balance'),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 60)
})

test('the maximum of jobs counts those accepted anywhere, and a refusal costs nothing', async () => {
  const customers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => fleet.customer(at % 2 === 0 ? first : second, 1)),
  )
  const ask = {
    body: { urls: ['@dailynotes'], maxVideos: 3 },
    headers: { 'Idempotency-Key': 'mine' },
  }
  const answers: Reply[] = []
  for (const customer of customers) answers.push(await customer.asks('POST', '/jobs', ask))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 503, 503],
  )

  for (const [at, { status, body, headers }] of answers.entries()) {
    if (status === 201) continue
    assert.equal(body['error'].code, 'server_busy')
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(await customers[at]!.balance(), '1.000')
  }
  const refused = answers.findIndex(({ status }) => status === 503)
  const accepted = answers.findIndex(({ status }) => status === 201)
  const done = await customers[accepted]!.asks(
    'POST',
    `/jobs/${answers[accepted]?.body['id']}/cancel`,
  )
  assert.equal(done.body['state'], 'cancelled', 'a queued job is cancelled at once')
  const again = await customers[refused]!.asks('POST', '/jobs', ask)
  assert.equal(again.status, 201, 'the key was not used up by the refusal')
  for (const [at, { status, body }] of answers.entries()) {
    if (status === 201) await customers[at]!.asks('POST', `/jobs/${body['id']}/cancel`)
  }
  await customers[refused]!.asks('POST', `/jobs/${again.body['id']}/cancel`)
})

test('a process with the role api alone never runs a job; a worker that comes later does', async () => {
  const customer = await fleet.customer(first)
  const job = await customer.startsJob({ urls: ['@smallworkshop'], maxVideos: 5 })
  const { body: waited } = await customer.asks('GET', `/jobs/${job['id']}?wait=1`)
  assert.equal(waited['state'], 'queued')
  assert.equal(platform.log.counts().total, 0)

  const worker = await fleet.start(
    { ROLES: 'worker', JOB_VIDEOS: '4', HEALTH_PORT: '1' },
    { preload: path.join(import.meta.dirname, 'any-port-process.ts') },
  )
  const ready = worker.lines.find(({ msg }) => msg === 'scriptorium is ready')
  healthAddress = String(ready?.['healthAddress'])
  assert.equal(worker.address, '', 'a worker answers no callers')
  const { body: ended } = await customer.asks('GET', `/jobs/${job['id']}?wait=30`)
  assert.equal(ended['state'], 'finished')
  assert.equal(ended['progress'].counts.truncated, ended['progress'].processed - 5)

  const there = fleet.moved(customer, second)
  assert.deepEqual(
    await there.gets(`/jobs/${job['id']}`).then((one) => one['progress']),
    ended['progress'],
  )
  assert.equal((await there.readsRows(job)).length, ended['progress'].processed)
  const said = worker.lines.filter(({ msg }) => msg === 'job ended')
  assert.deepEqual(
    said.map((line) => [line['jobId'], line['attempt'], line['state']]),
    [[job['id'], 1, 'finished']],
  )
  assert.equal(
    [first, second].flatMap(({ lines }) => lines).filter(({ msg }) => msg === 'job ended').length,
    0,
  )
})

test('a worker tells of its health and its requests at HEALTH_PORT, and of nothing else', async () => {
  const ask = (at: string) => fetch(`${healthAddress}${at}`)
  assert.deepEqual([(await ask('/healthz')).status, (await ask('/readyz')).status], [200, 200])
  const metrics = await (await ask('/metrics')).text()
  assert.match(metrics, /scriptorium_platform_requests_total\{[^}]*outcome="ok"[^}]*\} [1-9]/)
  assert.match(metrics, /scriptorium_rows_total\{status="success"\} [1-9]/)
  const other = await ask('/api/v1/jobs')
  assert.deepEqual([other.status, ((await other.json()) as Json)['error'].code], [404, 'not_found'])
})

test('the command `health` asks each role at its own port, and says what is missing', async () => {
  const said: string[] = []
  const health = (env: Record<string, string>, ...words: string[]): Promise<number> =>
    askHealth(readConfig(env), words, (sentence) => said.push(sentence))
  const worker = { ROLES: 'worker', PORT: '1', HEALTH_PORT: new URL(healthAddress).port }
  const api = { PORT: new URL(first.address).port, HEALTH_PORT: '1', HOST: '0.0.0.0' }
  for (const env of [worker, api])
    assert.deepEqual([await health(env), await health(env, '--ready')], [0, 0])
  assert.deepEqual(said, [])

  assert.equal(await health({ PORT: '1' }), 1)
  assert.match(said[0] ?? '', /127\.0\.0\.1:1\/healthz does not answer: .*ECONNREFUSED/)
  await assert.rejects(health({ ROLES: 'worker' }), /HEALTH_PORT is 0, .* ROLES=worker; set it/)
  await assert.rejects(health(api, '--fast'), /usage: health/)
})

test('a cancel at one process stops the worker in another one, and its requests', async () => {
  holdAfter(platform, 8)
  const customer = await fleet.customer(first)
  const job = await customer.startsJob({ urls: ['@dailynotes'], maxVideos: 200 })
  await untilDelivered(database, job, 8)

  const { status, body } = await fleet
    .moved(customer, second)
    .asks('POST', `/jobs/${job['id']}/cancel`)
  assert.equal(status, 202)
  assert.match(body['state'], /^cancell(ing|ed)$/)
  await until(
    'it is cancelled',
    async () => (await ofJob(database, job['id'], 'state')) === 'cancelled',
  )
  const cancelledAt = Date.now()
  const ended = await customer.gets(`/jobs/${job['id']}?wait=1`)
  assert.deepEqual(
    [ended['progress'].delivered, ended['billing'].chargedTranscripts],
    Array(2).fill(ended['progress'].counts.success),
  )
  assert.equal(
    (await customer.readsRows(job)).length,
    ended['progress'].processed,
    'what was in flight has no row',
  )

  const later = await customer.asks('POST', `/jobs/${job['id']}/cancel`)
  assert.deepEqual(
    [later.status, later.body],
    [200, await customer.gets(`/jobs/${job['id']}`)],
    'a final job stays as it is',
  )
  // Requests that were under way may still be answered: the date and the captions of each video.
  const begun = platform.log.recent(50).filter(({ atMs }) => atMs > cancelledAt)
  assert.deepEqual(begun, [], 'no request begins after the cancel')
  platform.clear()
})

test('the books of all processes agree', async () => {
  await checkBooks(database)
})
