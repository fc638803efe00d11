/** Jobs that end without a transcript use up the day's allowance; those that deliver never meet it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addCredit } from '../../src/features/money/balance.ts'
import { freeCalls } from '../../src/features/jobs/free-calls.ts'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { JOBS_FOR_NOTHING_MIN } from '../../src/model/jobs/allowance.ts'
import { Problem } from '../../src/kit/problem.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { addFreeCalls, readFreeCalls } from '../../src/store/free-calls.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount, orderJob, videoLine, wholeJob } from '../support/money-fixtures.ts'

const { db, pool } = await testDatabase({ after })
const terms = { callsPerDay: 0, callsPerUsd: 250 }
/** The jobs of 0.4 USD, as many as the floor. Most of them are counted by the statement that jobs count with. */
const ALLOWED = JOBS_FOR_NOTHING_MIN
const MICROS = 400_000n

/** Starts a job and cancels it; returns its notices. */
async function circle(accountId: string, line: string): Promise<string> {
  const { job } = await orderJob(db, { accountId, line, maxVideos: 1, terms })
  await cancelJob(db, { accountId, jobId: job.id })
  return job.notices.join()
}

/** Goes round until a start is refused. Returns how often it went, the refusal, and the notices of the last start. */
async function circles(
  accountId: string,
  lineOf = videoLine,
): Promise<{ rounds: number; refusal: Problem; notices: string }> {
  let notices = ''
  for (let rounds = 0; rounds <= 10 * ALLOWED; rounds += 1) {
    try {
      notices = await circle(accountId, lineOf(rounds))
    } catch (error) {
      assert.ok(error instanceof Problem)
      return { rounds, refusal: error, notices }
    }
  }
  throw new Error('the circle has no end')
}

test('start and cancel in a circle ends within the allowance, until midnight or until credit is added', async () => {
  const accountId = await openAccount(db, MICROS)
  await circle(accountId, videoLine(0))
  assert.equal((await readFreeCalls(db, accountId)).jobs, 1)
  await addFreeCalls(db, accountId, { jobs: ALLOWED - 4 })
  const { rounds, refusal, notices } = await circles(accountId)
  assert.equal(rounds, 3)
  assert.match(notices, /Today 99 jobs .* when it is 100/)
  assert.deepEqual([refusal.code, refusal.status], ['rate_limited', 429])
  const seconds = Number(refusal.headers['Retry-After'])
  assert.ok(seconds >= 1 && seconds <= 86_400, `${seconds}`)
  assert.equal((await readFreeCalls(db, accountId)).jobs, ALLOWED)

  const reference = `more:${accountId}`
  await transact(db, (tx) => addCredit(tx, { accountId, micros: MICROS, reference, reason: null }))
  await addFreeCalls(db, accountId, { jobs: ALLOWED - 2 })
  assert.equal((await circles(accountId)).rounds, 2, '250 for each dollar: 200 in all')

  await pool.query('update free_calls set day = day - 1')
  assert.equal(await circle(accountId, videoLine(0)), '')
})

test('jobs that deliver are never refused, whatever an allowance is used up', async () => {
  const accountId = await openAccount(db, 2_000_000n)
  const none = { callsPerDay: 0, callsPerUsd: 0 }
  await addFreeCalls(db, accountId, { jobs: ALLOWED - 1 })
  for (let round = 0; round < 3; round += 1) {
    const order = { accountId, line: videoLine(round), maxVideos: 1, terms: none }
    await wholeJob(db, { ...order, delivered: 1 })
  }
  assert.equal((await readFreeCalls(db, accountId)).jobs, ALLOWED - 1)
})

test('long lines, which are kept as well, use up the allowance sooner', async () => {
  const accountId = await openAccount(db, MICROS)
  const long = (round: number) => `https://youtu.be/${videoLine(round)}?x=${'y'.repeat(4_000)}`
  await addFreeCalls(db, accountId, { jobs: ALLOWED - 4 })
  const { rounds } = await circles(accountId, (round) => `${long(round)}\n${long(round + 1_000)}`)
  assert.ok(rounds <= 2, `${rounds}`)
})

test('a call is made where the day has room for it and for what is owed, and not with one left for two', async () => {
  for (const [callsPerDay, again, listing] of [
    [2, null, 1],
    [3, 'told', 3],
  ] as const) {
    const accountId = await openAccount(db, 0n)
    const calls = freeCalls(db, accountId, { callsPerDay, callsPerUsd: 0 })
    const told = await calls.ask(async (onCall) => {
      for (let n = 0; n < 2; n += 1) onCall() // one was taken, the other is owed
      return 'told'
    })
    assert.equal(told, 'told')
    assert.equal(await calls.ask(async () => 'told'), again)
    assert.equal(calls.spent, again === null ? 'day' : null)
    assert.equal((await readFreeCalls(db, accountId)).listing, listing)
    await calls.settle()
    assert.equal((await readFreeCalls(db, accountId)).listing, callsPerDay)
  }
})
