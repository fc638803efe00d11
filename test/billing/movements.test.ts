/** The statement as the website shows it: a job is one line, wherever its entries stand, and all adds up. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import {
  addCredit,
  readBalance,
  readMovements,
  readStatement,
} from '../../src/features/money/balance.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openAccount, orderJob, videoLine, wholeJob } from '../support/money-fixtures.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase({ after })

test('entries of jobs that ran beside each other stand together, on pages of any size', async () => {
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
      [long.id, ['reserve', 'release']],
      [jobId, ['reserve', 'charge', 'release']],
      [null, ['top_up']],
      [open.id, ['reserve']],
      [null, ['top_up']],
    ],
  )
  const entries = movements.flatMap((movement) => movement.entries)
  const statement = await readStatement(db, { accountId, offset: 0, limit: 50 })
  const hashes = (lines: { hash: string }[]) => lines.map(({ hash }) => hash).sort()
  assert.deepEqual(hashes(entries), hashes(statement.entries), 'each once, as the ledger has it')

  const single = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((offset) => readMovements(db, { accountId, offset, limit: 1 })),
  )
  assert.deepEqual(
    single.flatMap((page) => page.movements),
    movements,
  )
  assert.deepEqual([single[3]?.nextOffset, single[4]?.nextOffset], [4, null])
})

/** Acts of an account whose jobs run beside each other: each job is started, and later settled. */
const ACTS = fc.array(
  fc.record({ act: fc.constantFrom('start', 'settle', 'add'), nth: fc.nat(9) }),
  {
    minLength: 1,
    maxLength: 24,
  },
)

test('however reserves, charges and releases follow each other, each balance is the one below and its change', async () => {
  await fc.assert(
    fc.asyncProperty(ACTS, fc.integer({ min: 1, max: 7 }), async (acts, limit) => {
      const accountId = await openAccount(db, 1_000_000n)
      const open: string[] = []
      for (const [at, { act, nth }] of acts.entries()) {
        const reference = `${accountId}:${at}`
        if (act === 'add')
          await transact(db, (tx) =>
            addCredit(tx, { accountId, micros: 8_000n, reference, reason: null }),
          )
        if (act === 'start') {
          const order = { accountId, line: videoLine(at + 1), maxVideos: 3 }
          if (nth < 7) open.push((await orderJob(db, order)).job.id)
          else await wholeJob(db, { ...order, delivered: nth - 6, refused: 0 })
        }
        const [jobId] = act === 'settle' ? open.splice(nth % Math.max(1, open.length), 1) : []
        if (jobId !== undefined) await cancelJob(db, { accountId, jobId })
      }
      const pages = await Promise.all(
        [0, 1, 2, 3].map((nth) => readMovements(db, { accountId, offset: nth * limit, limit })),
      )
      const movements = pages.flatMap((page) => page.movements)
      const now = await readBalance(db, accountId)
      assert.equal(movements[0]?.after.postedMicros, now.availableMicros + now.heldMicros)
      for (const [at, { after: left, entries }] of movements.entries()) {
        const below = movements[at + 1]?.after.postedMicros
        const change = entries.reduce((sum, { postedMicros }) => sum + postedMicros, 0n)
        if (below !== undefined) assert.equal(left.postedMicros, below + change)
      }
    }),
    { numRuns: 25 },
  )
})
