/** Stops: SIGTERM while idle, during jobs, requests and starts, and with the database away. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { holdAfter } from '../support/held-platform.ts'
import { launch } from '../support/service-process.ts'
import { until, within } from '../support/until.ts'
import { checkBooks, ofJob, openFleet, untilDelivered } from './fleet.ts'
import { openGate } from './gate.ts'

/** Grace in seconds; a stop that waited for it would take twice as long as it may here. */
const LONG_GRACE = '60'

const fleet = await openFleet({ after })
const { database, platform } = fleet

test('a stop during a job and a long poll: the request is answered, the job goes on elsewhere at no cost', async () => {
  holdAfter(platform, 4)
  const [leaving, staying] = await Promise.all([
    fleet.start({ ROLES: 'api,worker', JOB_VIDEOS: '2', STOP_GRACE: LONG_GRACE }),
    fleet.start({ ROLES: 'api', STOP_GRACE: LONG_GRACE }),
  ])
  const who = await fleet.customer(leaving)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 40 })
  await untilDelivered(database, job, 4)
  const polling = who.asks('GET', `/jobs/${job['id']}?wait=60`)
  await who.balance() // this later request is answered, so that the poll has arrived

  const exit = leaving.ends('SIGTERM')
  const polled = await polling
  assert.deepEqual([polled.status, polled.body['state']], [200, 'running'])
  const code = await within('what is in flight ends long before the grace is over', exit)
  assert.equal(code, 0, leaving.lines.map(({ msg }) => msg).join('; '))
  assert.equal(await ofJob(database, job['id'], 'is_held'), false)
  const before = await ofJob<number>(database, job['id'], 'success')

  platform.clear()
  const worker = await fleet.start({ ROLES: 'worker', STOP_GRACE: LONG_GRACE })
  const ended = await fleet.moved(who, staying).waitsFor(job)
  assert.deepEqual(
    [ended['state'], ended['progress'].counts.truncated],
    ['finished', ended['progress'].processed - 40],
  )
  assert.ok(ended['progress'].delivered > before)
  assert.equal(await ofJob(database, job['id'], 'lost_attempts'), 0)
  assert.equal(await ofJob(database, job['id'], 'attempt'), 2)
  await checkBooks(database)
  const stops = Promise.all([worker.ends('SIGTERM'), staying.ends('SIGINT')])
  assert.deepEqual(await within('an idle process stops at once', stops), [0, 0])
})

test('a stop ends in time although the platform hangs: the grace is over, the job is handed back', async () => {
  const one = await fleet.start({ ROLES: 'api,worker', STOP_GRACE: '1' })
  const who = await fleet.customer(one)
  platform.apply({ faults: [{ do: 'hang', on: ['player'] }] })
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 5 })
  await until(
    'the platform is asked',
    async () => (await ofJob(database, job['id'], 'is_planned')) === true,
  )
  // A stop that outlasts the grace and a margin would end by force, with another code than 0.
  assert.equal(await one.ends('SIGTERM'), 0)
  assert.deepEqual(
    [
      await ofJob(database, job['id'], 'is_held'),
      await ofJob(database, job['id'], 'lost_attempts'),
    ],
    [false, 0],
  )
  platform.clear()
})

test('a stop ends in time although the database is away, and with code 0', async () => {
  const gate = await openGate(database.url)
  const one = await fleet.start({ DATABASE_URL: gate.url, STOP_GRACE: '1' })
  const who = await fleet.customer(one)
  holdAfter(platform, 1)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 80 })
  await untilDelivered(database, job, 1)
  gate.cut()
  // A stop that outlasts the grace and a margin would end by force, with another code than 0.
  assert.equal(await one.ends('SIGTERM'), 0, one.noise.join('\n'))
  await gate.close()
  platform.clear()
})

test('a stop while the start still waits for its database ends at once', async () => {
  const gate = await openGate(database.url)
  gate.cut()
  const one = launch({ DATABASE_URL: gate.url })
  await until('it waits', () => one.lines.some(({ msg }) => msg.includes('waiting for it')))
  assert.equal(await within('it ends', one.ends('SIGTERM')), 0)
  await gate.close()
})
