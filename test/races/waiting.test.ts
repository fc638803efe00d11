/**
 * A waiting caller is told a job's end by the signal, whichever process ended it, and without one by the feed's look.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { type JobFeed, openJobFeed } from '../../src/features/jobs/job-feed.ts'
import { openDatabase } from '../../src/store/database.ts'
import { CHANNELS } from '../../src/store/signals.ts'
import { findJob, type JobRecord } from '../../src/store/jobs.ts'
import { testDatabase } from '../support/database.ts'
import { serversOf } from '../support/servers.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  planVideos,
  videoLine,
} from '../support/money-fixtures.ts'
import { recordStatements } from '../support/statements.ts'
import { within } from '../support/until.ts'

/** Interval that no test waits for: only a signal goes on. */
const NEVER_MS = 2 ** 30
const WAITERS = 5

const { db, pool, url, signals } = await testDatabase({ after })
// Before the signals are heard some may be missed, so that the feed looks at that moment: the last channel marks it.
const heard = Promise.withResolvers<void>()
after(signals.on(CHANNELS.at(-1)!, () => heard.resolve()))
signals.listen(serversOf(url))
await within('signals are heard', heard.promise)

function feedWith(lookMs: number): JobFeed {
  const log = pino({ level: 'silent' })
  const onCount = (): void => undefined
  const feed = openJobFeed({ db, pool, signals, log, onCount, ofAccountMax: 1, lookMs })
  after(() => feed.close())
  return feed
}
const feed = feedWith(NEVER_MS)
const accountId = await openAccount(db, 800_000n)
const other = openDatabase({ url, connectionsMax: 2, name: 'another process' })
after(() => other.close())
let line = 0

async function running(): Promise<{ job: JobRecord; end: (on: typeof db) => Promise<unknown> }> {
  const { job } = await orderJob(db, {
    accountId,
    line: videoLine((line += 1)),
    maxVideos: 2,
  })
  const begun = await beginJob(db, { accountId, jobId: job.id })
  assert.ok(begun !== null)
  await planVideos(db, begun.attempt, { before: 0, count: 2 })
  return { job, end: (on) => endJob(on, begun.attempt, 'finish') }
}

function waitFor(job: JobRecord, on = feed): Promise<JobRecord> {
  return on.untilFinal(job, { waitMs: 60_000, departure: () => new AbortController().signal })
}

/** Returns how many times a job was read while `work` lasted. */
async function readingsOf(work: () => Promise<unknown>): Promise<number> {
  const log = recordStatements()
  await work().finally(() => log.stop())
  return log.countOf('find-job ') + log.countOf('find-watched-jobs')
}

test('all who wait are given the job as it is stored, which is read at most once for each when it comes and once at its end', async () => {
  const { job, end } = await running()
  const told: JobRecord[] = []
  const readings = await readingsOf(async () => {
    const waiting = Array.from({ length: WAITERS }, () => waitFor(job))
    await end(db)
    told.push(...(await Promise.all(waiting)))
  })
  const stored = await findJob(db, { accountId, jobId: job.id })
  assert.deepEqual(told, Array(WAITERS).fill(stored))
  assert.ok(readings <= WAITERS + 1, `${readings} readings`)
})

test('an end between the look at a job and the wait for it is known', async () => {
  const { job, end } = await running()
  await end(db)
  const readings = await readingsOf(async () =>
    assert.equal((await waitFor(job)).state, 'finished'),
  )
  assert.equal(readings, 1)
})

test('an end by another process is known when its signal comes, also where that came before the wait', async () => {
  for (const isLate of [false, true]) {
    const { job, end } = await running()
    const isHeard = Promise.withResolvers<void>()
    const leave = signals.on('scriptorium_job', (jobId) => {
      if (jobId === job.id) isHeard.resolve()
    })
    const waiting = isLate ? null : waitFor(job)
    await end(other.db)
    await isHeard.promise
    const told = await (waiting ?? waitFor(job))
    leave()
    assert.deepEqual(told, await findJob(db, { accountId, jobId: job.id }))
  }
})

test('an end whose signal is lost is found by a look', async () => {
  const { job, end } = await running()
  const waiting = waitFor(job, feedWith(20))
  const mute = openDatabase({ url, connectionsMax: 1, name: 'mute process' })
  await end(Object.assign(mute.db, { send: () => undefined }))
  assert.equal((await waiting).state, 'finished')
  await mute.close()
})
