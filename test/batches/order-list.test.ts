/** The list of all that was ordered: whatever its pages are, each job is in it once, by itself or by its batch. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { readOrders } from '../../src/features/batches/batches.ts'
import { batchesOfJobs } from '../../src/features/jobs/job-names.ts'
import { listBatchJobs } from '../../src/store/batches.ts'
import { ORDER_STATES } from '../../src/model/jobs/batch.ts'
import { searchOrders } from '../../src/store/order-list.ts'
import { testDatabase } from '../support/database.ts'
import { broughtNothing, linesOf, type ListedJob } from '../../web/src/order-lines.ts'
import { openAccount, orderJob, videoLine } from '../support/money-fixtures.ts'

const { db, pool } = await testDatabase({ after })

async function makeBatch(accountId: string, id: string): Promise<void> {
  await pool.query(
    `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices)
    values ($2, $1, '{a,b}', 'h', 'en', '{}', 1, true, '{}')`,
    [accountId, id],
  )
}

/** Places an order in time by its step, so that the list has one order. */
async function datesBy(step: number, table: 'batch' | 'job', id: string): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1, 0, step))
  await pool.query(`update ${table} set created_at = $1 where id = $2`, [at, id])
}

/** Orders one after the other: a job, a batch, its next job, or a job of a batch that was replaced. */
const STEPS = fc.array(fc.constantFrom('job', 'batch', 'part', 'orphan'), { maxLength: 12 })

test('pages of any size hold each job once, by itself or by its batch, and count alike', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(STEPS, fc.integer({ min: 1, max: 5 }), async (steps, limit) => {
      const accountId = await openAccount(db, 10_000_000n)
      const [batches, orphans]: [string[], string[]] = [[], []]
      const expected: string[] = []
      const jobs: string[] = []
      for (const [at, step] of steps.entries()) {
        made += 1
        const id = `batch_${made}`
        const of = step === 'part' ? batches.at(-1) : step === 'orphan' ? `gone_${made}` : undefined
        if (step === 'batch') {
          await makeBatch(accountId, id)
          await datesBy(at, 'batch', id)
          batches.push(id)
          expected.unshift(id)
          continue
        }
        const startedBy =
          of === undefined ? {} : { startedBy: { kind: 'batch', id: of, slot: at } as const }
        const { job } = await orderJob(db, {
          accountId,
          line: videoLine(made),
          maxVideos: 1,
          ...startedBy,
        })
        await datesBy(at, 'job', job.id)
        jobs.push(job.id)
        if (step !== 'part' || of === undefined) expected.unshift(job.id)
        if (step === 'orphan') orphans.push(job.id)
      }
      const listed: string[] = []
      for (let offset: number | null = 0; offset !== null;) {
        const { page, orders } = await readOrders(db, { accountId, offset, limit })
        assert.equal(page.total, expected.length)
        for (const { job, batch } of orders) listed.push(job?.id ?? batch?.batch.id ?? '')
        offset = page.nextOffset
      }
      assert.deepEqual(listed, expected)
      const named = await batchesOfJobs(db, accountId, jobs)
      const ofBatches = await listBatchJobs(
        db,
        accountId,
        batches.map((id) => ({ id })),
      )
      assert.deepEqual([...named.keys()].toSorted(), ofBatches.map(({ id }) => id).toSorted())
      assert.ok(
        orphans.every((id) => !named.has(id)),
        'a batch that is gone is not named',
      )
    }),
    { numRuns: 25 },
  )
})

test('orders are found by state and by words of names, notes and lines, among the newest that are looked at', async () => {
  const accountId = await openAccount(db, 10_000_000n)
  const makes = async (step: number, words: string): Promise<string> => {
    const line = videoLine(900 + step)
    const { job: made } = await orderJob(db, { accountId, line, maxVideos: 1 })
    await datesBy(step, 'job', made.id)
    await pool.query(`update job set ${words} where id = $1`, [made.id])
    return made.id
  }
  const named = await makes(1, `given_name = 'Interviews on Housing'`)
  const noted = await makes(2, `note = 'for the housing chapter'`)
  const lined = await makes(3, `urls = '{https://example.org/HOUSING}'`)
  await makes(4, `given_name = 'Gardens'`)
  await makeBatch(accountId, 'batch_housing')
  await datesBy(5, 'batch', 'batch_housing')
  await pool.query(
    `update batch set name = 'Housing 100%', state = 'stopped' where id = 'batch_housing'`,
  )
  const found = async (states: string[] | null, words: string | null, most = 10, offset = 0) => {
    const page = { accountId, offset, limit: 2, most }
    const { total, places } = await searchOrders(db, page, { states, words })
    return [total, ...places.map(({ id }) => id)]
  }
  assert.deepEqual(await found(null, 'housing'), [4, 'batch_housing', lined])
  assert.deepEqual(await found(null, 'housing', 10, 2), [4, noted, named])
  assert.deepEqual(await found([...ORDER_STATES.open], 'HOUSING'), [3, lined, noted])
  assert.deepEqual(await found([...ORDER_STATES.stopped], null), [1, 'batch_housing'])
  assert.deepEqual(await found(null, '%'), [1, 'batch_housing'], 'no sign has a meaning')
  assert.deepEqual(await found(null, 'housing', 3), [2, 'batch_housing', lined], 'of the newest')
  assert.deepEqual(await found(null, 'nothing of this'), [0])
})

function job(id: string, counts: Record<string, number>, more: Partial<ListedJob> = {}): ListedJob {
  const processed = Object.values(counts).reduce((sum, rows) => sum + rows, 0)
  const progress = { counts, processed, delivered: counts['success'] ?? 0, discovered: processed }
  return { id, state: 'finished', error: null, progress, ...more } as ListedJob
}

test('jobs that found only what was there fold where they stand side by side, and no other does', () => {
  const quiet = (id: string): ListedJob => job(id, { unchanged: 22, no_captions: 2 })
  const loud = [
    job('new', { success: 1, unchanged: 22 }),
    job('lone', { no_captions: 1 }),
    job('blocked', { unchanged: 1, blocked_suspect: 1 }),
    job('wrong', { invalid_url: 1 }),
    job('cut', { unchanged: 1, truncated: 1 }),
    job('cancelled', {}, { state: 'cancelled' }),
  ]
  assert.ok(loud.every((one) => !broughtNothing(one)))
  const orders = [quiet('1'), quiet('2'), loud[0]!, quiet('3'), ...loud, quiet('4'), job('5', {})]
  const lines = linesOf(orders.map((one) => ({ job: one, batch: null })))
  const ids = lines.map(({ jobs }) => jobs.map(({ id }) => id))
  assert.deepEqual(ids, [['1', '2'], ['new'], ['3'], ...loud.map(({ id }) => [id]), ['4', '5']])
})
