/** Who waits for a job that this process ends is told how it ended, and reads nothing; any other end is read. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import type { JobRecord } from '../../src/store/jobs.ts'
import { findJob } from '../../src/store/jobs.ts'
import { sendEnded } from '../../src/features/jobs/send-ended.ts'
import { openJobWaits } from '../../src/features/jobs/wait-for-job.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { openSignals } from '../../src/store/signals.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  planVideos,
  videoLine,
} from '../support/money-fixtures.ts'
import { recordStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const { db, pool, url } = await testDatabase({ after })
const signals = openSignals({ url, db })
after(() => signals.close())
// Until then nobody knows what was missed, so whoever waits looks once when they are.
await until('signals are heard', async () => {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'scriptorium signals'
    and query like 'listen%look'`,
  )
  return rowCount === 1
})
const waits = openJobWaits({ db, signals })
after(() => waits.close())
const accountId = await openAccount(db, 800_000n)
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

function waitFor(job: JobRecord): Promise<JobRecord> {
  return waits.untilFinal(job, { waitMs: 60_000, departure: () => new AbortController().signal })
}

/** While `work` lasts no timer rings: whoever waits is woken by what happens, and looks for no other reason. */
async function withoutTimers<T>(work: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['setTimeout'] })
  return work().finally(() => mock.timers.reset())
}

/** How many jobs were looked at while `work` lasted. */
async function looksOf(work: () => Promise<unknown>): Promise<number> {
  const log = recordStatements()
  await withoutTimers(work).finally(() => log.stop())
  return log.countOf('find-job ')
}

test('who waits is given the job as it is stored, without a look', async () => {
  const { job, end } = await running()
  let told: JobRecord | null = null
  const looks = await looksOf(async () => {
    const waiting = waitFor(job)
    await end(db)
    told = await waiting
  })
  assert.deepEqual([told, looks], [await findJob(db, { accountId, jobId: job.id }), 0])
})

test('an end between the look at a job and the wait for it is known', async () => {
  const { job, end } = await running()
  await end(db)
  const looks = await looksOf(async () => assert.equal((await waitFor(job)).state, 'finished'))
  assert.equal(looks, 0)
})

test('an end by another process is read when its signal comes, also where that came before the wait', async () => {
  const other = openDatabase({ url, connectionsMax: 2, name: 'another process' })
  after(() => other.close())
  for (const isLate of [false, true]) {
    const { job, end } = await running()
    const isHeard = Promise.withResolvers<void>()
    const leave = signals.on('scriptorium_job', (jobId) => {
      if (jobId === job.id) isHeard.resolve()
    })
    const told = await withoutTimers(async () => {
      const waiting = isLate ? null : waitFor(job)
      await end(other.db)
      await isHeard.promise
      return waiting ?? waitFor(job)
    })
    leave()
    assert.deepEqual(told, await findJob(db, { accountId, jobId: job.id }))
  }
})

test('ends are remembered up to so many bytes, the latest first', async () => {
  const { job, end } = await running()
  await end(db)
  const asked = Array.from({ length: 4 }, (_, at): JobRecord => {
    return { ...job, id: `long-${at}`, urls: ['x'.repeat(600_000)] }
  })
  for (const one of asked)
    await transact(db, async (tx) => sendEnded(tx, { ...one, state: 'finished' }))
  const [first, , , last] = asked
  const isKnown = async (one: JobRecord): Promise<boolean> => {
    const wait = { waitMs: 50, departure: () => new AbortController().signal }
    return (await waits.untilFinal(one, wait)).state === 'finished'
  }
  assert.deepEqual([await isKnown(last!), await isKnown(first!)], [true, false])
})
