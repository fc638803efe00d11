/**
 * Event streams over processes that are killed, stopped, and cut off from their database: nothing is lost or told
 * twice.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { ofJob, openFleet } from '../machines/fleet.ts'
import { openGate } from '../machines/gate.ts'
import {
  followWithEventSource,
  type Following,
  openEvents,
  videosOf,
} from '../support/event-streams.ts'
import { holdAfter } from '../support/held-platform.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { until, within } from '../support/until.ts'

const API = { ROLES: 'api', PUBLIC_URL: 'http://transcripts.test' }
const KILLS = 2
/** Grace in seconds; a stop that waited for streams would take twice as long as it may here. */
const LONG_GRACE = '60'

const fleet = await openFleet({ after })
const { platform } = fleet
const [last, ...others] = await Promise.all([fleet.start(API), fleet.start(API), fleet.start(API)])
await fleet.start({ ROLES: 'worker', JOB_VIDEOS: '4' })

/** Checks that every row of the job came once, in order of completion, then its end by word or by 204. */
async function checkTold(following: Following, who: Customer, job: Json): Promise<void> {
  const rows = await who.readsRows(job)
  const videos = following.told.filter(({ event }) => event === 'video')
  assert.deepEqual(
    videos.map(({ id }) => Number(id)),
    rows.map((_, at) => at + 1),
    'each row once, in order',
  )
  assert.deepEqual(
    videosOf(following.told).sort((a, b) => a['index'] - b['index']),
    rows.map((row) => ({ ...row, text: null, segments: null })),
  )
  const ends = following.told.filter(({ event }) => event === 'end').length
  assert.ok(ends <= 1)
  assert.equal(following.connections.at(-1)?.status, 204)
}

test('a client whose process is killed again and again is told every row once, by whoever lives', async () => {
  const who = await fleet.customer(last)
  holdAfter(platform, 1)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 80 })
  const processes = [...others, last]
  const living = (): ServiceProcess[] => processes.filter((one) => one.isAlive())
  const following = followWithEventSource(who, job, () => living()[0]?.address ?? '')
  for (let kills = 0; kills < KILLS; kills += 1) {
    const had = videosOf(following.told).length
    await until('it is told more', () => videosOf(following.told).length > had)
    const [doomed] = living()
    assert.equal(following.connections.at(-1)?.address, doomed?.address, 'where it is now')
    await doomed?.ends('SIGKILL')
  }
  platform.clear()
  await following.closed
  await checkTold(following, who, job)
  assert.ok(following.connections.length > KILLS, 'it was cut off as often')
  assert.ok(
    following.connections.every(({ lastEventId }, at) => at === 0 || Number(lastEventId) > 0),
  )
})

test('a process that stops ends its streams in order at once, and its clients are at another one before the job ends', async () => {
  const [leaving, staying] = [await fleet.start({ ...API, STOP_GRACE: LONG_GRACE }), last]
  holdAfter(platform, 4)
  const who = await fleet.customer(leaving)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 80 })
  const events = await openEvents(who, job)
  while ((await events.next())?.event !== 'video') continue
  const address = (): string => (leaving.isAlive() ? leaving : staying).address
  const following = followWithEventSource(who, job, address)
  await until('it is told', () => videosOf(following.told).length > 0)

  const exit = leaving.ends('SIGTERM')
  const rest = await events.rest() // throws where the connection was broken
  assert.ok(rest.every(({ event }) => event !== 'end'))
  assert.equal(await within('streams do not hold the stop up', exit), 0)
  await until('it is at the other', () =>
    following.connections.some((one) => one.address === staying.address && one.status === 200),
  )
  assert.equal(await ofJob(fleet.database, job['id'], 'state'), 'running')
  platform.clear()
  await following.closed
  await checkTold(following, fleet.moved(who, staying), job)
})

test('a database that is away for a while breaks no stream: what happened meanwhile is told afterwards', async () => {
  const gate = await openGate(fleet.database.url)
  const one = await fleet.start({ ...API, DATABASE_URL: gate.url })
  const who = await fleet.customer(one)
  holdAfter(platform, 1)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 80 })
  const following = followWithEventSource(who, job, () => one.address)
  await until('it is told', () => videosOf(following.told).length > 0)
  gate.cut()
  const told = following.told.length
  const recorded = (): Promise<number> => ofJob(fleet.database, job['id'], 'processed')
  const before = await recorded()
  await until('rows are recorded meanwhile', async () => (await recorded()) > before + 2)
  assert.ok(following.told.length <= told + 2, 'at most what was on its way')
  gate.open()
  platform.clear()
  await following.closed
  await checkTold(following, who, job)
  assert.deepEqual(
    following.connections.map(({ status }) => status),
    [200, 204],
    'it never had to connect again',
  )
  await one.ends('SIGTERM')
  await gate.close()
})
