/** Jobs that take turns at a worker's places: all of them end, none is harmed, and small ones do not wait. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'
import { checkBooks, ofJob } from './fleet.ts'
import { until } from '../support/until.ts'

const { service, database, platform, customer } = await testService(
  { after },
  { env: { WORKER_JOBS: '2' }, emulator: { latencyMs: 100 } },
)
const list = platform.world.uploads(platform.world.channel('medium'), null)
/** Order over twelve pages, of which the list's own dates rule out all but the last. */
const LONG = {
  urls: ['@dailynotes'],
  maxVideos: 500,
  publishedBefore: new Date(list.at(1190).publishedMs).toISOString().slice(0, 10),
}

const parked = async (): Promise<number> => {
  const { values } = await service.context.metrics.jobsParked.get()
  return values[0]?.value ?? 0
}
const facts = (rows: Json[]): unknown[] =>
  rows.map(({ videoId, status, text }) => [videoId, status, text?.length])

test('jobs without deliveries take turns, each goes on where it stopped, and a small one is done before them', async () => {
  const first = await customer()
  const alone = await first.waitsFor(await first.startsJob(LONG))
  const wanted = facts(await first.readsRows(alone))
  assert.equal(await parked(), 0, 'nobody waited')
  assert.ok(alone['progress'].delivered > 0)

  const crowd = await Promise.all(Array.from({ length: 4 }, () => customer()))
  const jobs = await Promise.all(crowd.map((one) => one.startsJob(LONG)))
  await until('they are at work', async () => (await discovered(jobs)) >= 300)
  const few = await customer()
  const small = await few.waitsFor(await few.startsJob({ urls: ['@tallerpequeno'], maxVideos: 1 }))
  assert.equal(small['progress'].delivered, 1)
  for (const [at, job] of jobs.entries()) {
    const who = crowd[at] as Customer
    const ended = await who.waitsFor(job)
    assert.equal(ended['state'], 'finished')
    assert.deepEqual(facts(await who.readsRows(job)), wanted)
    assert.equal(await ofJob(database, job['id'], 'lost_attempts'), 0, 'a turn costs no attempt')
  }
  const attempts = await Promise.all(
    jobs.map((job) => ofJob<number>(database, job['id'], 'attempt')),
  )
  assert.ok(
    attempts.every((count) => count > 1),
    `attempts: ${attempts.join(' ')}`,
  )
  assert.ok((await parked()) >= 4)
  const { rows: earlier } = await database.pool.query(
    'select j.id from job j join job s on j.finished_at <= s.finished_at where s.id = $1 and j.id = any($2)',
    [small['id'], jobs.map(({ id }) => id)],
  )
  assert.deepEqual(earlier, [], 'all of them ended later')
  await checkBooks(database)
})

test('a job between two turns is cancelled at once', async () => {
  const crowd = await Promise.all(Array.from({ length: 5 }, () => customer()))
  const jobs = await Promise.all(crowd.map((one) => one.startsJob(LONG)))
  const between = async (): Promise<number> => {
    const waits = await Promise.all(
      jobs.map((job) => ofJob<boolean>(database, job['id'], "state = 'running' and not is_held")),
    )
    return waits.indexOf(true)
  }
  for (let cancelled = 0; cancelled === 0;) {
    await until('one waits for its next turn', async () => (await between()) >= 0)
    const at = await between()
    if (at < 0) continue
    const { body } = await (crowd[at] as Customer).asks('POST', `/jobs/${jobs[at]?.['id']}/cancel`)
    if (body['state'] === 'cancelled') cancelled += 1
    else for (const list of [jobs, crowd]) list.splice(at, 1) // the job's turn came at the same moment
  }
  for (const [at, job] of jobs.entries())
    await (crowd[at] as Customer).asks('POST', `/jobs/${job['id']}/cancel`)
  await until(
    'all is settled',
    async () =>
      (await database.pool.query('select from job where charged_micros is null')).rowCount === 0,
  )
  await checkBooks(database)
})

async function discovered(jobs: Json[]): Promise<number> {
  const all = await Promise.all(jobs.map((job) => ofJob<number>(database, job['id'], 'discovered')))
  return all.reduce((sum, count) => sum + count, 0)
}
