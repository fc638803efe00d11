/** A job and its balance are locked by one statement, whose result is read after both locks are held. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '../../src/kit/postgres/database.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import { lockJob, setBegun } from '../../src/store/jobs.ts'
import { appendEntries, lockBalance } from '../../src/store/ledger.ts'
import { lockJobWithBalance } from '../../src/store/locked-job.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  planVideos,
  recordingOf,
  videoLine,
} from '../support/money-fixtures.ts'
import { recordStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const { db, pool } = await testDatabase({ after })

/** Returns whether a session waits for another one's lock. */
async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return rows.length > 0
}

for (const first of ['balance', 'job'] as const) {
  test(`who waited for the ${first} sees what was changed meanwhile, of both`, async () => {
    const accountId = await openAccount(db, 80_000n)
    const { job } = await orderJob(db, { accountId, line: videoLine(1), maxVideos: 2 })
    const isLocked = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const holding = transact(db, async (tx) => {
      if (first === 'job') await lockJob(tx, job.id)
      const balance = first === 'balance' ? await lockBalance(tx, accountId) : null
      isLocked.resolve()
      await goesOn.promise
      await setBegun(tx, job.id, { lostAttempts: 2, state: 'running' })
      if (balance === null) return
      const entry = { kind: 'top_up', postedMicros: 5_000n, heldMicros: 0n } as const
      const posting = { reference: `test:${job.id}`, jobId: null, reason: null }
      await appendEntries(tx, balance, [{ entry, posting }])
    })
    await isLocked.promise
    const waiting = transact(db, (tx) => lockJobWithBalance(tx, { accountId, jobId: job.id }))
    await until('it waits', isSomebodyWaiting)
    goesOn.resolve()
    await holding
    const locked = await waiting
    assert.deepEqual(
      [locked.job.lostAttempts, locked.job.state, locked.balance.postedMicros],
      [2, 'running', first === 'balance' ? 85_000n : 80_000n],
    )
  })
}

test('rows that were recorded while the locks were waited for are counted', async () => {
  const accountId = await openAccount(db, 80_000n)
  const { job } = await orderJob(db, { accountId, line: videoLine(2), maxVideos: 2 })
  const begun = await beginJob(db, { accountId, jobId: job.id })
  assert.ok(begun !== null)
  const { attempt } = begun
  await planVideos(db, attempt, { before: 0, count: 2 })
  await recordRows(db, attempt, [recordingOf({ index: 1, isDelivered: true })], null)
  const lock = () => transact(db, (tx) => lockJobWithBalance(tx, { accountId, jobId: job.id }))
  assert.equal((await lock()).delivered, 1)

  const isLocked = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const holding = transact(db, async (tx) => {
    await lockBalance(tx, accountId)
    isLocked.resolve()
    await goesOn.promise
  })
  await isLocked.promise
  const [ended, counted] = [endJob(db, attempt, 'finish'), lock()]
  await until('they wait', isSomebodyWaiting)
  await recordRows(db, attempt, [recordingOf({ index: 2, isDelivered: true })], null)
  goesOn.resolve()
  await holding
  assert.equal(await ended, 'finished')
  assert.equal((await counted).delivered, null)
  const { rows } = await pool.query(
    'select charged_micros::int as charged from job where id = $1',
    [job.id],
  )
  assert.deepEqual(rows, [{ charged: 16_000 }])
})

test('the free work of the day is locked last, by who records as by who ends a job', async () => {
  const accountId = await openAccount(db, 80_000n)
  const line = `${videoLine(3)}\n${videoLine(4)}`
  const { job } = await orderJob(db, { accountId, line, maxVideos: 2 })
  const begun = await beginJob(db, { accountId, jobId: job.id })
  assert.ok(begun !== null)
  await planVideos(db, begun.attempt, { before: 0, count: 1 })
  await recordRows(db, begun.attempt, [recordingOf({ index: 1, isDelivered: false })], null)
  const { sent, stop } = recordStatements()
  try {
    assert.equal(await endJob(db, begun.attempt, 'finish'), 'finished')
  } finally {
    stop()
  }
  const at = (words: string): number => sent.findIndex((one) => one.includes(words))
  const [ofLibrary, ofDay] = [at('settle-listed'), at('insert into free_calls')]
  assert.ok(ofLibrary > -1 && ofDay > ofLibrary, `${ofLibrary}, ${ofDay}`)
})
