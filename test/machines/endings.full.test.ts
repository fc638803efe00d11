/** Jobs whose worker is lost, too slow or broken: how they end. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { takeBackSilent } from '../../src/features/jobs/attempt.ts'
import { beat, listHeld } from '../../src/store/job-queue.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { claimOpen } from '../support/claims.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { checkBooks, ofJob } from './fleet.ts'

const { database, platform, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', DATABASE_POOL: '5' } },
)
const { pool, db } = database
afterEach(() => platform.clear())

/**
 * Starts a worker, and waits until it has delivered at least `rows`; it goes on slowly until the platform is cleared.
 */
async function workerWellInto(job: Json, rows = 3) {
  holdAfter(platform, rows)
  const worker = await another({ ROLES: 'worker', JOB_VIDEOS: '2', STOP_GRACE: '0' })
  await until(
    'some rows are delivered',
    async () => (await ofJob<number>(database, job['id'], 'success')) >= rows,
  )
  return worker
}

async function isSettledWith(who: Customer, job: Json, state: string): Promise<Json> {
  const ended = await who.waitsFor(job)
  assert.equal(ended['state'], state)
  assert.equal(ended['billing'].settled, true)
  assert.equal(ended['billing'].chargedTranscripts, ended['progress'].delivered)
  const rows = await who.readsRows(job)
  assert.equal(
    rows.filter(({ status }) => status === 'success').length,
    ended['progress'].delivered,
  )
  await checkBooks(database)
  return ended
}

/** Takes the job back from its attempt, as if that was lost. */
async function lose(job: Json, lostBefore: number): Promise<void> {
  await pool.query(
    'update job set attempt = attempt + 1, is_held = false, is_lost = true, has_progress = false, lost_attempts = $2 where id = $1',
    [job['id'], lostBefore],
  )
}

test('a job that its workers lost too often is interrupted, and what it delivered is charged', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 100 })
  const worker = await workerWellInto(job)
  await lose(job, 4)
  await until(
    'the outdated worker lets go',
    async () => (await ofJob(database, job['id'], 'state')) === 'interrupted',
  )
  const ended = await isSettledWith(who, job, 'interrupted')
  assert.match(ended['error'], /was lost 5 times.*delivered is kept and charged.*same URLs again/s)
  assert.ok(ended['progress'].delivered >= 3 && ended['progress'].delivered < 100)
  await worker.close()
})

test('a job that lost fewer attempts than its budget goes on and finishes', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 30 })
  const worker = await workerWellInto(job)
  await lose(job, 3)
  platform.clear()
  await until(
    'the job is final',
    async () => (await ofJob<string>(database, job['id'], 'state')) !== 'running',
  )
  const ended = await isSettledWith(who, job, 'finished')
  assert.equal(await ofJob(database, job['id'], 'lost_attempts'), 4)
  const { counts } = ended['progress']
  assert.equal(ended['progress'].processed - counts.truncated, 30)
  await worker.close()
})

test('a job that takes longer than it may is interrupted, with what it delivered by then', async () => {
  const who = await customer()
  holdAfter(platform, 3)
  const worker = await another({ ROLES: 'worker', JOB_VIDEOS: '2', JOB_TIME_LIMIT: '15' })
  const ended = await isSettledWith(
    who,
    await who.startsJob({ urls: ['@dailynotes'], maxVideos: 100 }),
    'interrupted',
  )
  assert.match(ended['error'], /after 1 minutes?, the longest a job may take/)
  assert.ok(ended['progress'].delivered > 0)
  await worker.close()
})

test('a fault of ours ends the job as failed, settled, told once to the operator and plainly to the customer', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 100 })
  const first = await workerWellInto(job)
  await first.close()
  assert.equal(await ofJob(database, job['id'], 'is_held'), false, 'a stop hands the job back')
  await pool.query(
    `update job_source set line = 'no source at all', state = 'waiting' where job_id = $1`,
    [job['id']],
  )
  await pool.query('update job set is_planned = false where id = $1', [job['id']])

  const second = await another({ ROLES: 'worker' })
  const said: unknown[][] = []
  second.context.log.error = (...given: unknown[]) => void said.push(given)
  const ended = await isSettledWith(who, job, 'failed')
  assert.match(ended['error'], /went wrong on our side.*delivered is kept and charged/s)
  assert.doesNotMatch(ended['error'], /no source at all/)
  assert.ok(ended['progress'].delivered >= 3)
  assert.deepEqual(
    said.map(([fields]) => (fields as Json)['jobId']),
    [job['id']],
  )
  await second.close()
})

test('a job that is taken back from its worker goes to another one, and is charged once', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 20 })
  const first = await workerWellInto(job)
  assert.equal(await takeBackSilent(db, await listHeld(db)), 1)
  platform.clear()
  const second = await another({ ROLES: 'worker' })
  await isSettledWith(who, job, 'finished')
  assert.ok((await ofJob<number>(database, job['id'], 'attempt')) >= 2)
  await Promise.all([first.close(), second.close()])
})

test('many who find a worker silent at once take a job back once, and none whose heart went on', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 20 })
  await claimOpen(db, { jobId: job['id'], accountId: who.accountId })
  const held = await listHeld(db)
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeBackSilent(db, held)))
  assert.deepEqual(taken.sort(), [0, 0, 0, 0, 0, 0, 0, 1])
  const attempt = await claimOpen(db, { jobId: job['id'], accountId: who.accountId })
  const seen = await listHeld(db)
  await beat(db, [attempt])
  assert.equal(await takeBackSilent(db, seen), 0)
  const cancelled = await who.asks('POST', `/jobs/${job['id']}/cancel`)
  assert.equal(cancelled.body['state'], 'cancelled')
  assert.deepEqual(await listHeld(db), [])
})

test('a final job without its settlement cannot be: neither half can be written alone', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 20 })
  for (const half of [
    `state = 'finished'`,
    `charged_micros = 0`,
    `state = 'finished', charged_micros = 0`,
    'finished_at = now()',
  ]) {
    await assert.rejects(
      pool.query(`update job set ${half} where id = $1`, [job['id']]),
      { code: '23514', constraint: 'job_settled_when_final' },
      half,
    )
  }
  await who.asks('POST', `/jobs/${job['id']}/cancel`)
})
