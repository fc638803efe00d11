/** Idempotency raced: many requests at once, over two services as in two processes. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import type { Reply, Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'

const AT_ONCE = 50

// The service has no worker: a job that ends on its own would end the race too.
const { platform, database, address, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api' } },
)
const second = (await another()).address ?? ''
const { videos } = truthOf(platform.world, { limit: AT_ONCE })
const buyer = await customer('10')

/** Every other request goes to the other service. */
function postAll(bodies: Json[], keyOf: (at: number) => string): Promise<Reply[]> {
  return Promise.all(
    bodies.map((body, at) =>
      buyer.asks('POST', `${at % 2 === 0 ? address : second}/api/v1/jobs`, {
        body,
        headers: { 'Idempotency-Key': keyOf(at) },
      }),
    ),
  )
}

/** Returns a URL set not used before. */
function lines(count = 1): string[] {
  return videos
    .slice(0, count)
    .map(({ videoId }) => `https://www.youtube.com/watch?v=${videoId}&race=${randomUUID()}`)
}

async function cancel(job: Json, owner = buyer): Promise<void> {
  assert.equal((await owner.asks('POST', `/jobs/${job.id}/cancel`)).status, 202)
}

const count = (answers: Reply[], status: number): number =>
  answers.filter((answer) => answer.status === status).length
const same = <T>(value: T): T[] => Array.from({ length: AT_ONCE }, () => value)

test('50 identical requests at once make one job: one 201 and 49 times 200', async () => {
  const key = randomUUID()
  const answers = await postAll(same({ urls: lines(), maxVideos: 1 }), () => key)
  assert.deepEqual([count(answers, 201), count(answers, 200)], [1, AT_ONCE - 1])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  for (const answer of answers)
    assert.equal(answer.headers.get('idempotent-replayed'), answer.status === 200 ? 'true' : null)
  await cancel(answers[0]!.body)
})

test('50 requests with one key and different bodies make one job: one 201 and 49 times 409', async () => {
  const key = randomUUID()
  const answers = await postAll(
    Array.from({ length: AT_ONCE }, () => ({ urls: lines(), maxVideos: 1 })),
    () => key,
  )
  assert.deepEqual([count(answers, 201), count(answers, 409)], [1, AT_ONCE - 1])
  for (const { status, body } of answers)
    if (status === 409) assert.equal(body.error.code, 'idempotency_conflict')
  await cancel(answers.find(({ status }) => status === 201)!.body)
})

test('50 requests for one URL set with different keys make one job: the others are told its id', async () => {
  const answers = await postAll(same({ urls: lines(20) }), () => randomUUID())
  const started = answers.filter(({ status }) => status === 201)
  assert.equal(started.length, 1)
  for (const { status, body } of answers) {
    if (status !== 201)
      assert.deepEqual(
        [status, body.error.code, body.error.jobId],
        [409, 'job_in_progress', started[0]!.body.id],
      )
  }
  await cancel(started[0]!.body)
})

test('keys that differ only by the words that ours begin with make a job each', async () => {
  const keys = ['follow:x', 'sent:follow:x', 'sent:sent:follow:x']
  const bodies = keys.map(() => ({ urls: lines(), maxVideos: 1 }))
  const answers = await postAll([...bodies, ...bodies], (at) => keys[at % keys.length] ?? '')
  assert.deepEqual([count(answers, 201), count(answers, 200)], [keys.length, keys.length])
  for (const [at] of keys.entries())
    assert.equal(answers[at]?.body.id, answers[at + keys.length]?.body.id)
  for (const { status, body } of answers) if (status === 201) await cancel(body)
})

test('jobs started at once never reserve more than there is', async () => {
  const poor = await customer('0.100')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      poor.asks('POST', `${at % 2 === 0 ? address : second}/api/v1/jobs`, {
        body: { urls: lines(), maxVideos: 3 },
      }),
    ),
  )
  const reserved = answers
    .filter(({ status }) => status === 201)
    .reduce((sum, { body }) => sum + Math.round(Number(body.billing.reserved) * 1e6), 0)
  assert.ok(reserved > 0 && reserved <= 100_000, `${reserved} micros of 100,000`)
  for (const { status } of answers) assert.ok([201, 402].includes(status), String(status))
  for (const { status, body } of answers) if (status === 201) await cancel(body, poor)
})

test('nothing that was refused left a job or a reserve behind', async () => {
  const { rows } = await database.pool.query<{
    held: bigint
    open: bigint
    jobs: bigint
    reserves: bigint
  }>(`
    select (select sum(held_micros) from balance)::bigint as held,
      (select count(*) from job where charged_micros is null) as open,
      (select count(*) from job) as jobs,
      (select count(*) from ledger_entry where kind = 'reserve') as reserves`)
  const [row] = rows
  assert.deepEqual([row!.held, row!.open], [0n, 0n])
  assert.equal(row!.jobs, row!.reserves)
})
