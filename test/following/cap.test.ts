/** A cap that is used up, told when it is; and a list whose line is read otherwise since it was followed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asr } from '../../emulator/track-sets.ts'
import { testService } from '../support/service.ts'
import { deliveredBy, follows, read, stops, takenUpBy } from './customers.ts'
import { movableClock, passHours, passMonth, untilQuiet } from './time.ts'

const HOUR = 3_600_000

const clock = movableClock()
const at = await testService({ after }, { emulator: { now: clock.now } })
const { world } = at.platform

test('a cap that is used up is told when the job ends, and until there is more of it', async () => {
  const customer = await at.customer('1')
  const channel = world.channel('spanish')
  const made = await follows(customer, channel.handle, { monthlyCap: '0.008' })
  await untilQuiet(at)
  const fresh = [publishes('spanish')]
  await hoursPass(25)
  const told = async (): Promise<unknown[]> => {
    const { state, notice, spentThisMonth } = await read(customer, made)
    return [state, spentThisMonth, notice === null]
  }
  assert.deepEqual(await told(), ['cap_reached', '0.008', false])
  const requests = at.platform.log.counts().total
  await hoursPass(25)
  assert.ok(at.platform.log.counts().total > requests, 'looks go on')
  assert.deepEqual(await told(), ['cap_reached', '0.008', false], 'a look that finds nothing, too')

  const path = `/subscriptions/${made['id']}`
  const patched = await customer.asks('PATCH', path, { body: { monthlyCap: '0.012' } })
  assert.equal(patched.body['state'], 'cap_reached', 'not enough for one more')
  await customer.asks('PATCH', path, { body: { monthlyCap: '0.016' } })
  await untilQuiet(at)
  assert.deepEqual(await told(), ['active', '0.008', true])
  const lowered = await customer.asks('PATCH', path, { body: { monthlyCap: '0.008' } })
  assert.equal(lowered.body['state'], 'cap_reached')

  fresh.push(publishes('spanish'))
  await hoursPass(25)
  assert.deepEqual(await told(), ['cap_reached', '0.008', false])
  await at.database.pool.query(`update subscription_job set month = '2001-01'`)
  assert.deepEqual(await told(), ['active', '0.000', true], 'in a new month, before any look')
  await passMonth(at)
  await untilQuiet(at)
  assert.deepEqual(await told(), ['cap_reached', '0.008', false])
  assert.deepEqual(await deliveredBy(customer, (await read(customer, made))['jobs']), fresh)
  await stops(customer, made)
})

test('a list that was followed before its line was read otherwise is bought as it was', async () => {
  const customer = await at.customer('1')
  const { handle } = world.channel('spanish')
  const made = await follows(customer, handle, { monthlyCap: '1' })
  await untilQuiet(at)
  // An earlier release read the channel alone of such a line.
  const line = `https://www.youtube.com/${handle}?si=a,https://youtu.be/jNQXAC9IVRw`
  await at.database.pool.query('update subscription set line = $1 where id = $2', [
    line,
    made['id'],
  ])
  const fresh = publishes('spanish')
  await hoursPass(25)
  const { jobs } = await read(customer, made)
  assert.deepEqual(await takenUpBy(customer, jobs), [fresh])
  assert.deepEqual((await customer.gets(`/jobs/${jobs[0]}`))['input'].urls, [line])
  await stops(customer, made)
})

async function hoursPass(hours: number): Promise<void> {
  await passHours(at, clock, hours * HOUR)
  await untilQuiet(at)
}

function publishes(key: string): string {
  const facts = { publishedMs: clock.now(), tracks: [asr('en')] }
  return world.publish(world.channel(key), facts).videoId
}
