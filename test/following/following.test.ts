/** Following a source: new videos only, within the cap, and honest about obstacles. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { asr } from '../../emulator/track-sets.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { startMailBox } from '../account/mail-box.ts'
import { testService } from '../support/service.ts'
import { deliveredBy, follows, read, stops, takenUpBy } from './customers.ts'
import { movableClock, passMonth, passHours, untilQuiet } from './time.ts'

const HOUR = 3_600_000
const CAPTIONED = { tracks: [asr('en')] }

const clock = movableClock()
const mailBox = await startMailBox({ after })
const at = await testService({ after }, { env: mailBox.env, emulator: { now: clock.now } })
const { world } = at.platform

test('a channel is followed from now on: its backlog is not bought, and a new video is bought once', async () => {
  const customer = await at.customer('1')
  const channel = world.channel('small')
  const made = await follows(customer, channel.handle, { monthlyCap: '1' })
  await untilQuiet(at)
  assert.deepEqual([made['state'], (await read(customer, made))['jobs']], ['active', []])

  const fresh = [publishes('small'), publishes('small')]
  await hoursPass(25)
  const { jobs, spentThisMonth, title, lastLookedAt, neverFound } = await read(customer, made)
  assert.deepEqual([jobs.length, neverFound], [1, undefined])
  assert.deepEqual(await deliveredBy(customer, jobs), fresh)
  assert.deepEqual([spentThisMonth, title], ['0.016', channel.title])
  assert.ok(lastLookedAt !== null)
  const job = await customer.gets(`/jobs/${jobs[0]}`)
  assert.deepEqual([job['input'].urls, job['input'].maxVideos], [[channel.handle], 2])

  await hoursPass(25)
  await hoursPass(25)
  assert.equal((await read(customer, made))['jobs'].length, 1)
  await stops(customer, made)
})

test('a deletion moves an old video up into the page, and it is not bought', async () => {
  const customer = await at.customer('1')
  const made = await follows(customer, world.channel('medium').handle, { monthlyCap: '1' })
  await untilQuiet(at)
  const fresh = publishes('medium')
  world.revise(fresh, { isListed: false, state: 'not_found' })
  await hoursPass(25)
  const kept = publishes('medium')
  await hoursPass(25)
  assert.deepEqual(await deliveredBy(customer, (await read(customer, made))['jobs']), [kept])
  await stops(customer, made)
})

test('with a backlog the latest videos are bought too, the oldest first, and none of them twice', async () => {
  const customer = await at.customer('1')
  const channel = world.channel('renamed')
  const made = await follows(customer, channel.handle, { monthlyCap: '1', backlog: 3 })
  await untilQuiet(at)
  const list = world.uploads(channel, null)
  const latest = [2, 1, 0].map((place) => list.at(place).videoId)
  await hoursPass(25)
  const { jobs } = await read(customer, made)
  assert.deepEqual(await takenUpBy(customer, jobs), latest)
  assert.equal(jobs.length, 1)
  await stops(customer, made)
})

test('what the account owns by other orders is followed without being bought again, unless that is wished', async () => {
  const customer = await at.customer('1')
  const channel = world.channel('renamed')
  const list = world.uploads(channel, null)
  const latest = [3, 2, 1, 0].map((place) => list.at(place).videoId)
  const { job } = await customer.orders({ urls: latest.slice(1, 3) })
  const bought = await takenUpBy(customer, [job['id']], 'success')
  assert.ok(bought.length > 0)
  const made = await follows(customer, channel.handle, { monthlyCap: '1', backlog: 4 })
  await untilQuiet(at)
  await hoursPass(25)
  const taken = await takenUpBy(customer, (await read(customer, made))['jobs'])
  assert.deepEqual(
    taken,
    latest.filter((id) => !bought.includes(id)),
  )
  assert.equal(made['owned'], undefined)
  await stops(customer, made)

  const url = `https://www.youtube.com/channel/${channel.channelId}`
  const again = await follows(customer, url, { monthlyCap: '1', backlog: 4, owned: 'again' })
  await untilQuiet(at)
  await hoursPass(25)
  const all = await takenUpBy(customer, (await read(customer, again))['jobs'])
  assert.deepEqual([all, again['owned']], [latest, 'again'])
  await stops(customer, again)
})

test('of a playlist the backlog from a date on is its last entries, and no date is asked for twice', async () => {
  const customer = await at.customer('1')
  const list = world.playlist('seven')
  const url = `https://www.youtube.com/playlist?list=${list.playlistId}`
  const wanted = { monthlyCap: '1', backlog: 2, publishedAfter: '2005-01-01' }
  const last = [5, 6].map((place) => list.at(place).videoId)
  const dates = (): number => at.platform.log.counts().byKindAndClient['player WEB'] ?? 0
  const before = dates()
  const made = await follows(customer, url, wanted)
  await untilQuiet(at)
  assert.deepEqual(await takenUpBy(customer, (await read(customer, made))['jobs']), last)
  const asked = dates()
  await stops(customer, made)
  const again = await follows(customer, url, wanted)
  await untilQuiet(at)
  assert.ok(asked > before)
  assert.equal(dates(), asked)
  await stops(customer, again)
})

test('the cap of the month holds, in order of age, and the next month buys the rest', async () => {
  const customer = await at.customer('1')
  const made = await follows(customer, world.channel('german').handle, { monthlyCap: '0.024' })
  await untilQuiet(at)
  const fresh = Array.from({ length: 5 }, () => publishes('german'))
  await hoursPass(25)
  await hoursPass(3)
  let now = await read(customer, made)
  assert.deepEqual(await deliveredBy(customer, now['jobs']), fresh.slice(0, 3))
  assert.deepEqual([now['state'], now['spentThisMonth']], ['cap_reached', '0.024'])
  assert.match(now['notice'], /month’s limit/)

  await customer.asks('PATCH', `/subscriptions/${made['id']}`, { body: { monthlyCap: '0.032' } })
  await untilQuiet(at)
  now = await read(customer, made)
  assert.deepEqual(await deliveredBy(customer, now['jobs']), fresh.slice(0, 4))

  await passMonth(at)
  await untilQuiet(at)
  now = await read(customer, made)
  assert.deepEqual(await deliveredBy(customer, now['jobs']), fresh)
  assert.deepEqual([now['state'], now['spentThisMonth']], ['active', '0.008'])
  await stops(customer, made)
})

test('an empty balance is told by one mail, however many subscriptions and days, and credit goes on', async () => {
  const customer = await at.customer('0')
  const two = [
    await follows(customer, world.channel('spanish').handle, { monthlyCap: '1', backlog: 1 }),
    await follows(customer, world.channel('unicode').handle, { monthlyCap: '1', backlog: 1 }),
  ]
  await untilQuiet(at)
  for (let days = 0; days < 3; days += 1) await hoursPass(24)
  for (const one of two) assert.equal((await read(customer, one))['state'], 'out_of_money')
  const about = (): string[] =>
    mailBox.mails.filter(({ subject }) => /balance is empty/.test(subject)).map(({ to }) => to)
  assert.equal(about().length, 1)

  const requests = at.platform.log.counts().total
  await hoursPass(5)
  assert.equal(at.platform.log.counts().total, requests, 'nobody looks while there is no money')
  await addsCredit(customer)
  await hoursPass(5)
  for (const one of two) {
    const now = await read(customer, one)
    assert.deepEqual([now['state'], now['jobs'].length], ['active', 1])
    await stops(customer, one)
  }
  assert.equal(about().length, 1)
})

test('who adds credit and resumes by hand is told again when the balance is empty again', async () => {
  const customer = await at.customer('0')
  const made = await follows(customer, world.channel('spanish').handle, {
    monthlyCap: '1',
    backlog: 1,
  })
  await untilQuiet(at)
  await addsCredit(customer)
  const resumed = await customer.asks('PATCH', `/subscriptions/${made['id']}`, {
    body: { state: 'active' },
  })
  assert.equal(resumed.status, 200)
  await untilQuiet(at)
  assert.equal((await read(customer, made))['jobs'].length, 1)
  const { rows } = await at.database.pool.query(
    'select kind from subscription_mail where account_id = $1',
    [customer.accountId],
  )
  assert.deepEqual(rows, [], 'the next empty balance is told anew')
  await stops(customer, made)
})

test('a channel that is gone is told once, after it was missing for two days', async () => {
  const customer = await at.customer('1')
  const made = await follows(customer, world.channel('terminated').handle, { monthlyCap: '1' })
  await untilQuiet(at)
  const atFirst = await read(customer, made)
  assert.deepEqual([atFirst['state'], atFirst['neverFound']], ['active', true])
  for (let days = 0; days < 4; days += 1) await hoursPass(25)
  const { state, nextLookAt, notice } = await read(customer, made)
  assert.deepEqual([state, nextLookAt], ['gone', null])
  assert.match(notice, /no longer exists/)
  const told = mailBox.mails.filter(({ subject }) => /no longer exists/.test(subject))
  assert.equal(told.length, 1)

  const dearer = { body: { monthlyCap: '2' } }
  const { body } = await customer.asks('PATCH', `/subscriptions/${made['id']}`, dearer)
  assert.deepEqual([body['state'], body['monthlyCap'], body['notice']], ['gone', '2.000', notice])
  await stops(customer, made)
})

test('late captions are fetched when they come, within three days, and given up afterwards', async () => {
  const customer = await at.customer('1')
  const made = await follows(customer, world.channel('noshorts').handle, { monthlyCap: '1' })
  await untilQuiet(at)
  const late = publishes('noshorts', { tracks: [] })
  const never = publishes('noshorts', { tracks: [] })
  await hoursPass(25)
  await hoursPass(25)
  world.revise(late, CAPTIONED)
  await hoursPass(25)
  assert.deepEqual(await deliveredBy(customer, (await read(customer, made))['jobs']), [late])
  // Three days pass from the look that learnt of the first answer; each try takes one look to ask, and one to learn the
  // answer.
  for (let day = 0; day < 3; day += 1) await hoursPass(25)
  const { rows } = await at.database.pool.query('select video_id from subscription_video')
  assert.deepEqual(rows, [], 'nothing waits any more')
  world.revise(never, CAPTIONED)
  const before = (await read(customer, made))['jobs'].length
  await hoursPass(25)
  assert.equal((await read(customer, made))['jobs'].length, before)
  await stops(customer, made)
})

test('a failed look is not a look, and what was published meanwhile is found after it', async () => {
  const customer = await at.customer('1')
  const made = await follows(customer, world.channel('streams').handle, { monthlyCap: '1' })
  await untilQuiet(at)
  const { lastLookedAt } = await read(customer, made)
  at.platform.apply({ faults: [{ do: 'server_error', on: 'browse' }] })
  const fresh = publishes('streams')
  await hoursPass(25)
  const failed = await read(customer, made)
  at.platform.clear()
  assert.match(failed['notice'], /failed/)
  assert.ok(Date.parse(failed['lastLookedAt']) <= Date.parse(lastLookedAt))
  await hoursPass(25)
  assert.deepEqual(await deliveredBy(customer, (await read(customer, made))['jobs']), [fresh])
  await stops(customer, made)
})

test('a caller’s own Idempotency-Key neither blocks a subscription nor finds its job', async () => {
  const customer = await at.customer('1')
  const channel = world.channel('nolists')
  const made = await follows(customer, channel.handle, { monthlyCap: '1' })
  await untilQuiet(at)
  const starts = async (slot: number, body: Json): Promise<{ status: number; body: Json }> => {
    const headers = { 'Idempotency-Key': `follow:${made['id']}:${slot}` }
    return customer.asks('POST', '/jobs', { body, headers })
  }
  const { body: own } = await starts(1, { urls: '@dailynotes', maxVideos: 1 })
  const fresh = publishes('nolists')
  await hoursPass(25)
  const [jobId] = (await read(customer, made))['jobs']
  assert.deepEqual(await deliveredBy(customer, [jobId]), [fresh])
  const again = await starts(1, { urls: '@dailynotes', maxVideos: 1 })
  assert.deepEqual([again.status, again.body['id']], [200, own['id']])
  await stops(customer, made)
})

async function hoursPass(hours: number): Promise<void> {
  await passHours(at, clock, hours * HOUR)
  await untilQuiet(at)
}

function publishes(key: string, facts = CAPTIONED as object): string {
  return world.publish(world.channel(key), { publishedMs: clock.now(), ...facts }).videoId
}

async function addsCredit({ accountId }: Customer): Promise<void> {
  const credit = { accountId, micros: 1_000_000n, reference: `test:${accountId}`, reason: null }
  await transact(at.database.db, (tx) => addCredit(tx, credit))
}
