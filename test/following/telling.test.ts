/**
 * Webhooks that are told of subscriptions: findings and decisions of a look, and an owner's changes, each in the same
 * commit.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { asr } from '../../emulator/track-sets.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { deliveriesOf, makesWebhook } from '../webhooks/hooked-jobs.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { follows, read, stops } from './customers.ts'
import { movableClock, passHours, untilQuiet } from './time.ts'

const HOUR = 3_600_000

const clock = movableClock()
const env = { WEBHOOK_ALLOW_PRIVATE: 'true', STOP_GRACE: '0' }
const at = await testService({ after }, { env, emulator: { now: clock.now } })
const { world } = at.platform

test('a webhook that asks for it is told of new videos and of each change of state, as the subscription was then', async (t) => {
  const receiver = await startReceiver(t)
  const customer = await at.customer('1')
  const states = ['found', 'cap_reached', 'paused'].map((word) => `subscription.${word}`)
  const asking = await makesWebhook(customer, receiver.url, { events: states })
  const unasking = await makesWebhook(customer, `${receiver.url}/jobs`)
  const made = await follows(customer, world.channel('small').handle, { monthlyCap: '0.008' })
  await untilQuiet(at)
  world.publish(world.channel('small'), { publishedMs: clock.now(), tracks: [asr('en')] })
  await hoursPass(25)
  await hoursPass(25)
  const pause = { body: { state: 'paused' } }
  const { body: paused } = await customer.asks('PATCH', `/subscriptions/${made['id']}`, pause)
  await until('all are told', () => receiver.received.length === 4)
  const told = receiver.received.filter(({ path }) => path === '/hook')
  const [found, reached, last] = states.map(
    (type) => told.find(({ event }) => event['type'] === type)?.event['data'],
  )
  assert.deepEqual([found.state, found.jobs], ['active', paused['jobs']])
  assert.deepEqual([reached.state, reached.spentThisMonth], ['cap_reached', '0.008'])
  assert.deepEqual(last, paused)
  for (const one of told) new StandardWebhook(asking['secret']).verify(one.body, one.headers)
  assert.deepEqual(
    (await deliveriesOf(customer, unasking)).map(({ type }) => type),
    ['job.finished'],
  )

  const since = { body: { since: made['createdAt'] } }
  const again = await customer.asks('POST', `/webhooks/${asking['id']}/replay`, since)
  assert.deepEqual(again.body, { replayed: 3, nextSince: null })
  await until('all are told again', () => receiver.received.length === 7)
  const repeated = receiver.received.slice(4).map(({ id, body }) => `${id} ${body}`)
  assert.deepEqual(repeated.toSorted(), told.map(({ id, body }) => `${id} ${body}`).toSorted())
  await stops(customer, made)
})

test('what cannot be told does not happen: a change of state and its deliveries are one commit', async () => {
  const customer = await at.customer('1')
  await makesWebhook(customer, 'http://127.0.0.1:9/', { events: ['subscription.paused'] })
  const made = await follows(customer, world.channel('small').handle, { monthlyCap: '1' })
  await untilQuiet(at)
  const { pool } = at.database
  await pool.query(
    `alter table webhook_delivery add constraint untold check (type <> 'subscription.paused') not valid`,
  )
  const pauses = () =>
    customer.asks('PATCH', `/subscriptions/${made['id']}`, { body: { state: 'paused' } })
  assert.equal((await pauses()).status, 500)
  assert.equal((await read(customer, made))['state'], 'active')
  await pool.query('alter table webhook_delivery drop constraint untold')
  assert.equal((await pauses()).body['state'], 'paused')
  await stops(customer, made)
})

async function hoursPass(hours: number): Promise<void> {
  await passHours(at, clock, hours * HOUR)
  await untilQuiet(at)
}
