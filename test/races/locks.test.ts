/** A job and its balance are locked by one statement: what it returns is as it was when both locks were had. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '../../src/postgres/database.ts'
import { openQueue } from '../../src/postgres/queue.ts'
import { lockJob, setAttempt } from '../../src/store/jobs.ts'
import { appendEntries, lockBalance } from '../../src/store/ledger.ts'
import { lockJobWithBalance } from '../../src/store/locked-job.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount, orderJob, videoLine } from '../support/money-fixtures.ts'
import { until } from '../support/until.ts'

const { db, pool, url } = await testDatabase({ after })
const queue = await openQueue({ url, jobTimeLimitSeconds: 60, onError: () => undefined })
after(() => queue.close())

/** Whether a session waits for a lock of another. */
async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return rows.length > 0
}

for (const first of ['balance', 'job'] as const) {
  test(`who waited for the ${first} sees what was changed meanwhile, of both`, async () => {
    const accountId = await openAccount(db, 80_000n)
    const { job } = await orderJob(db, queue, { accountId, line: videoLine(1), maxVideos: 2 })
    const isLocked = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const holding = transact(db, async (tx) => {
      if (first === 'job') await lockJob(tx, job.id)
      const balance = first === 'balance' ? await lockBalance(tx, accountId) : null
      isLocked.resolve()
      await goesOn.promise
      await setAttempt(tx, job.id, { attempt: 7, lostAttempts: 2, state: 'running' })
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
      [locked.job.attempt, locked.job.state, locked.balance.postedMicros],
      [7, 'running', first === 'balance' ? 85_000n : 80_000n],
    )
  })
}
