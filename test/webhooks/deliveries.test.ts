/** Webhooks told of final jobs: signed, at least once, by a schedule, and without one delaying another. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { readClock } from '../../src/store/database.ts'
import { RETRY_SECONDS } from '../../src/model/webhooks/webhook.ts'
import { startMailBox } from '../account/mail-box.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { deliveriesOf, endsJob, makesWebhook, passTime, untilTried } from './hooked-jobs.ts'
import { type Received, startReceiver } from './receiver.ts'
import { WEBHOOK_FAILING_SECONDS } from '../../src/features/webhooks/deliver.ts'
import { SECRET_OVERLAP_SECONDS } from '../../src/features/webhooks/webhooks.ts'

const PUBLIC_URL = 'https://texts.example'
const mailBox = await startMailBox({ after })
const { database, customer, another } = await testService(
  { after },
  {
    env: {
      ROLES: 'api',
      STOP_GRACE: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      PUBLIC_URL,
      ...mailBox.env,
    },
  },
)
let working: Promise<unknown> | null = null
/** Starts one worker for all tests, at the first that needs it. */
const works = (): Promise<unknown> => (working ??= another({ ROLES: 'worker' }))

/** Verifies with both libraries, which throw where a signature is wrong or too old. */
function verified({ body, headers }: Received, secret: string): Received {
  assert.deepEqual(new StandardWebhook(secret).verify(body, headers), JSON.parse(body))
  new SvixWebhook(secret).verify(body, headers)
  return { body, headers } as Received
}

test('what ended while no worker was up is delivered, signed, once each; every ending is told', async (t) => {
  const receiver = await startReceiver(t)
  const [buyer, other] = [await customer(), await customer()]
  const webhook = await makesWebhook(buyer, receiver.url)
  const picky = await makesWebhook(buyer, `${receiver.url}/failed`, { events: ['job.failed'] })
  const ended = []
  for (const event of ['finish', 'cancel', 'fail', 'interrupt'] as const)
    ended.push(await endsJob(database, buyer, event))
  await endsJob(database, other, 'fail')
  assert.equal(receiver.received.length, 0)
  const [waiting] = await deliveriesOf(buyer, webhook)
  assert.deepEqual([waiting?.['state'], waiting?.['attempts']], ['pending', []])

  await works()
  await until('all are delivered', () => receiver.received.length >= 5)
  const told = receiver.received.filter(({ path }) => path === '/hook')
  const types = ['job.finished', 'job.cancelled', 'job.failed', 'job.interrupted']
  assert.deepEqual(told.map(({ event }) => event['type']).sort(), [...types].sort())
  for (const [place, job] of ended.entries()) {
    const one = told.find(({ event }) => event['type'] === types[place])
    assert.ok(one !== undefined)
    verified(one, webhook['secret'])
    assert.throws(() => verified(one, picky['secret']))
    const sent = { type: types[place], timestamp: job['finishedAt'], data: job }
    assert.equal(one.body, JSON.stringify(sent))
    assert.equal(one.headers['content-type'], 'application/json')
  }
  const failed = receiver.received.filter(({ path }) => path === '/hook/failed')
  assert.deepEqual(
    failed.map(({ event }) => event['data'].id),
    [ended[2]?.['id']],
  )
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 5)
  await until('all are written down', async () =>
    (await deliveriesOf(buyer, webhook)).every(({ state }) => state === 'delivered'),
  )
  assert.deepEqual((await buyer.gets('/webhooks'))['webhooks'][0].state, 'active')
})

test('a receiver that fails is asked eight times by the schedule, always with the same webhook-id', async (t) => {
  await works()
  const receiver = await startReceiver(t)
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, receiver.url)
  receiver.answers = () => ({ status: 500, body: 'not \0 now' })
  await endsJob(database, buyer)
  for (const [failed, seconds] of RETRY_SECONDS.entries()) {
    const { attempts, nextAttemptAt } = await untilTried(buyer, webhook, failed + 1)
    const last = attempts.at(-1)
    assert.deepEqual([last.number, last.status, last.reply], [failed + 1, 500, 'not \uFFFD now'])
    const [triedAt, lookedAt] = [new Date(last.at), await readClock(database.db)]
    const failedAt = new Date(Date.parse(nextAttemptAt) - seconds * 1000)
    assert.ok(failedAt >= triedAt && failedAt <= lookedAt, `${nextAttemptAt} after ${failed + 1}`)
    await passTime(database, seconds)
  }
  const given = await untilTried(buyer, webhook, RETRY_SECONDS.length + 1)
  assert.deepEqual([given['state'], given['nextAttemptAt']], ['failed', null])
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)

  receiver.answers = () => ({ status: 201, body: 'x'.repeat(200_000) })
  const path = `/webhooks/${webhook['id']}/deliveries/${given['id']}/replay`
  assert.equal((await buyer.asks('POST', path)).status, 202)
  const again = await untilTried(buyer, webhook, 9)
  assert.deepEqual(
    [again['state'], again['attempts'].at(-1).reply],
    ['delivered', 'x'.repeat(1024)],
  )
  assert.equal((await buyer.gets(`/webhooks/${webhook['id']}`))['failingSince'], null)
})

test('five days without a success disable a webhook; its owner is mailed, and switches it on', async (t) => {
  await works()
  const receiver = await startReceiver(t)
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, receiver.url)
  receiver.answers = () => 503
  await endsJob(database, buyer)
  await untilTried(buyer, webhook, 1)
  await passTime(database, WEBHOOK_FAILING_SECONDS - 3600)
  await untilTried(buyer, webhook, 2)
  const state = async () => (await buyer.gets(`/webhooks/${webhook['id']}`))['state']
  assert.equal(await state(), 'active', 'an hour is missing')
  await passTime(database, 3600)
  await untilTried(buyer, webhook, 3)
  const off = await buyer.gets(`/webhooks/${webhook['id']}`)
  assert.deepEqual([off['state'], off['disabledBecause']], ['disabled', 'failing'])
  const { rows } = await database.pool.query('select email from account where id = $1', [
    buyer.accountId,
  ])
  const mail = await mailBox.newestTo(rows[0].email)
  assert.match(mail.subject, /webhook .* was switched off/)
  assert.ok(mail.text.includes(`${PUBLIC_URL}/webhooks/${webhook['id']}`))

  const missed = await endsJob(database, buyer)
  assert.equal((await deliveriesOf(buyer, webhook)).length, 1, 'a disabled webhook is told nothing')
  receiver.answers = () => 204
  const on = await buyer.asks('PATCH', `/webhooks/${webhook['id']}`, { body: { state: 'active' } })
  assert.deepEqual(
    [on.body['state'], on.body['disabledBecause'], on.body['failingSince']],
    ['active', null, null],
  )
  const since = { since: missed['createdAt'] }
  const replay = await buyer.asks('POST', `/webhooks/${webhook['id']}/replay`, { body: since })
  assert.deepEqual([replay.status, replay.body], [202, { replayed: 1, nextSince: null }])
  await until('the missed one arrives', () =>
    receiver.received.some(({ event }) => event['data'].id === missed['id']),
  )
})

test('one failure after a quiet week disables nothing; a second one of the same delivery does', async (t) => {
  await works()
  const receiver = await startReceiver(t)
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, receiver.url)
  const fails = async (): Promise<string> => {
    receiver.answers = () => 503
    await database.pool.query(
      'update webhook set failing_since = now() - make_interval(secs => $1) where id = $2',
      [WEBHOOK_FAILING_SECONDS, webhook['id']],
    )
    await endsJob(database, buyer)
    await untilTried(buyer, webhook, 1)
    return (await buyer.gets(`/webhooks/${webhook['id']}`))['state']
  }
  assert.equal(await fails(), 'active')
  receiver.answers = () => 204
  await passTime(database, RETRY_SECONDS[0])
  assert.equal((await untilTried(buyer, webhook, 2))['state'], 'delivered')
  assert.equal((await buyer.gets(`/webhooks/${webhook['id']}`))['failingSince'], null)

  assert.equal(await fails(), 'active')
  await passTime(database, RETRY_SECONDS[0])
  assert.equal((await untilTried(buyer, webhook, 2))['state'], 'pending')
  assert.equal((await buyer.gets(`/webhooks/${webhook['id']}`))['disabledBecause'], 'failing')
})

test('a receiver that answers 410 is asked no more; another address and state bring what waited', async (t) => {
  await works()
  const [gone, next] = [await startReceiver(t), await startReceiver(t)]
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, gone.url)
  gone.answers = ({ event }) => (event['type'] === 'job.failed' ? 410 : 500)
  await endsJob(database, buyer)
  await untilTried(buyer, webhook, 1)
  await endsJob(database, buyer, 'fail')
  await until(
    'it is disabled',
    async () => (await buyer.gets(`/webhooks/${webhook['id']}`))['disabledBecause'] === 'gone',
  )
  await passTime(database, 5)
  const test410 = await buyer.asks('POST', `/webhooks/${webhook['id']}/test`)
  assert.deepEqual([test410.status, test410.headers.get('x-invalid-field')], [400, 'state'])
  const change = { url: next.url, state: 'active' }
  await buyer.asks('PATCH', `/webhooks/${webhook['id']}`, { body: change })
  await passTime(database, 5)
  await until('what waited goes on', () => next.received.length > 0)
  assert.deepEqual([gone.received.length, next.received[0]?.event['type']], [2, 'job.finished'])
})

test('a test that fails changes nothing of its webhook', async (t) => {
  await works()
  const receiver = await startReceiver(t)
  const buyer = await customer()
  for (const status of [503, 410]) {
    receiver.answers = () => status
    const webhook = await makesWebhook(buyer, receiver.url)
    const path = `/webhooks/${webhook['id']}`
    const before = await buyer.gets(path)
    assert.equal((await buyer.asks('POST', `${path}/test`)).status, 202)
    assert.equal((await untilTried(buyer, webhook, 1))['state'], 'failed')
    assert.deepEqual(await buyer.gets(path), before)
  }
})

test('after a rotation both secrets verify for a day, then the new one alone', async (t) => {
  await works()
  const receiver = await startReceiver(t)
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, receiver.url)
  const { body: rotated } = await buyer.asks('POST', `/webhooks/${webhook['id']}/rotate`)
  assert.notEqual(rotated['secret'], webhook['secret'])
  const test = async (): Promise<Received> => {
    const count = receiver.received.length
    await buyer.asks('POST', `/webhooks/${webhook['id']}/test`)
    await until('the test arrives', () => receiver.received.length > count)
    return receiver.received.at(-1) as Received
  }
  const both = await test()
  assert.equal(both.event['type'], 'webhook.test')
  const { links } = both.event['data'] as { links: Record<string, string> }
  assert.ok(Object.values(links).every((link) => link.startsWith(`${PUBLIC_URL}/api/v1/jobs/`)))
  verified(both, webhook['secret'])
  verified(both, rotated['secret'])
  await passTime(database, SECRET_OVERLAP_SECONDS)
  const one = await test()
  verified(one, rotated['secret'])
  assert.throws(() => verified(one, webhook['secret']))
  const stored = await database.pool.query('select w::text from webhook w')
  for (const secret of [webhook['secret'], rotated['secret']])
    assert.ok(!JSON.stringify(stored.rows).includes(secret.slice(6, 30)), 'no secret lies open')
})

test('a slow receiver has four requests at once over all processes, and delays nobody else', async (t) => {
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)]
  const { promise, resolve } = Promise.withResolvers<number>()
  slow.answers = () => promise
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, slow.url)
  await works()
  await another({ ROLES: 'worker' })
  for (let n = 0; n < 8; n += 1) await endsJob(database, buyer)
  await until('the slow one is busy', () => slow.open === 4)
  await makesWebhook(buyer, quick.url)
  for (let n = 0; n < 4; n += 1) await endsJob(database, buyer)
  await until('the quick one has its own', () => quick.received.length === 4)
  assert.equal(slow.received.length, 4)
  resolve(204)
  await until('the slow one catches up', async () =>
    (await deliveriesOf(buyer, webhook)).every(({ state }) => state === 'delivered'),
  )
  assert.deepEqual(
    [slow.received.length, new Set(slow.received.map(({ id }) => id)).size],
    [12, 12],
  )
})
