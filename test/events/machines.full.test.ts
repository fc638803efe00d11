/** Event streams over processes that are killed, stopped, and cut off from their database: nothing is lost or told twice. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../conformance/customer.ts'
import type { Json } from '../../conformance/http.ts'
import { ofJob, openFleet, worstStallMs } from '../machines/fleet.ts'
import { openGate } from '../machines/gate.ts'
import { longestTurnMs } from '../stalls/measure.ts'
import {
  followWithEventSource,
  type Following,
  openEvents,
  videosOf,
} from '../support/event-streams.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const API = { ROLES: 'api', PUBLIC_URL: 'http://transcripts.test' }
const KILLS = 2
/** What the platform takes while a job must not end. */
const HELD_MS = 2_000
/** What the stream tells its clients to wait. */
const RETRY_MS = 2_000

const fleet = await openFleet({ after })
const { platform } = fleet
const [last, ...others] = await Promise.all([fleet.start(API), fleet.start(API), fleet.start(API)])
await fleet.start({ ROLES: 'worker', JOB_VIDEOS: '4' })

/** Every row of the job once, in order of completion, then its end by word or by 204. */
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
  platform.apply({ knobs: { latencyMs: 150 } })
  const who = await fleet.customer(last)
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

test('a process that stops ends its streams in order at once, and its clients are at another one within their retry', async () => {
  const [leaving, staying] = [await fleet.start(API), last]
  platform.apply({ knobs: { latencyMs: 150 } })
  const who = await fleet.customer(leaving)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 80 })
  const events = await openEvents(who, job)
  while ((await events.next())?.event !== 'video') continue
  platform.apply({ knobs: { latencyMs: HELD_MS } })
  const address = (): string => (leaving.isAlive() ? leaving : staying).address
  const following = followWithEventSource(who, job, address)
  await until('it is told', () => videosOf(following.told).length > 0)

  const startedAt = performance.now()
  const exit = leaving.ends('SIGTERM')
  const rest = await events.rest() // would throw, were the connection broken
  assert.ok(rest.every(({ event }) => event !== 'end'))
  assert.equal(await exit, 0)
  const stoppedMs = performance.now() - startedAt
  assert.ok(stoppedMs < 3_000, `streams do not hold the stop up: ${stoppedMs} ms`)
  await until('it is at the other', () =>
    following.connections.some((one) => one.address === staying.address && one.status === 200),
  )
  const movedMs = performance.now() - startedAt
  assert.ok(movedMs < 2 * RETRY_MS, `${movedMs} ms`)
  platform.clear()
  await following.closed
  await checkTold(following, fleet.moved(who, staying), job)
})

test('a database that is away for a while breaks no stream: what happened meanwhile is told afterwards', async () => {
  const gate = await openGate(fleet.database.url)
  const one = await fleet.start({ ...API, DATABASE_URL: gate.url })
  platform.apply({ knobs: { latencyMs: 150 } })
  const who = await fleet.customer(one)
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

test('500 finished rows are told without holding up the process for 50 ms, to one and to twenty at once', async () => {
  const ROWS = 500
  const one = await fleet.start(API, { isProbed: true })
  const who = await fleet.customer(one)
  const { job } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 1 })
  const first = job['progress'].processed + 1
  await fleet.database.pool.query(
    `insert into video_row (job_id, index, source, video_id, title, status, label, done, finished_at)
    select $1, n, 0, lpad(n::text, 11, 'v'), repeat('x', 100), 'unchanged', 'had before', n, now()
    from generate_series($2::int, $3::int) n`,
    [job['id'], first, ROWS],
  )
  await fleet.database.pool.query(
    'update job set processed = $2, discovered = $2, unchanged = unchanged + $2 - processed where id = $1',
    [job['id'], ROWS],
  )
  await (await openEvents(who, job)).rest() // a first stream of all loads code
  for (const followers of [1, 20]) {
    await worstStallMs(one)
    const told = await Promise.all(
      Array.from({ length: followers }, async () => (await openEvents(who, job)).rest()),
    )
    const stallMs = await worstStallMs(one)
    for (const each of told) assert.equal(videosOf(each).length, ROWS)
    assert.ok(stallMs < longestTurnMs(), `${followers} followers: ${stallMs} ms`)
  }
  await one.ends('SIGTERM')
})
