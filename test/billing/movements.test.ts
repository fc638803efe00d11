/** The statement as the website shows it: a job is one line, wherever its entries stand among others. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { addCredit, readMovements, readStatement } from '../../src/features/money/balance.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openAccount, orderJob, videoLine, wholeJob } from '../support/money-fixtures.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase({ after })

test('entries of jobs that ran beside each other stand together, each with its balance, on pages of any size', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  await openAccount(db, 5_000_000n)
  const { job: long } = await orderJob(db, { accountId, line: videoLine(1), maxVideos: 4 })
  const { job: open } = await orderJob(db, { accountId, line: videoLine(2), maxVideos: 2 })
  const grant = { accountId, micros: 500_000n, reference: 'grant:movements', reason: 'thanks' }
  await transact(db, (tx) => addCredit(tx, grant))
  const order = { accountId, line: videoLine(3), maxVideos: 3, delivered: 1, refused: 1 }
  const { jobId } = await wholeJob(db, order)
  await cancelJob(db, { accountId, jobId: long.id })

  const { movements, total } = await readMovements(db, { accountId, offset: 0, limit: 50 })
  assert.equal(total, 5)
  assert.deepEqual(
    movements.map((movement) => [movement.jobId, movement.entries.map(({ kind }) => kind)]),
    [
      [jobId, ['reserve', 'charge', 'release']],
      [null, ['top_up']],
      [open.id, ['reserve']],
      [long.id, ['reserve', 'release']],
      [null, ['top_up']],
    ],
  )
  const entries = movements.flatMap((movement) => movement.entries)
  const statement = await readStatement(db, { accountId, offset: 0, limit: 50 })
  const afterEach = (lines: typeof statement.entries) =>
    lines.map(({ number, after: left }) => [number, left]).sort(([a], [b]) => Number(a) - Number(b))
  assert.deepEqual(
    afterEach(entries),
    afterEach(statement.entries),
    'each once, as the ledger has it',
  )

  const single = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((offset) => readMovements(db, { accountId, offset, limit: 1 })),
  )
  assert.deepEqual(
    single.flatMap((page) => page.movements),
    movements,
  )
  assert.deepEqual([single[3]?.nextOffset, single[4]?.nextOffset], [4, null])
})
