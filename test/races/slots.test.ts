/** What started a job is told by its columns, and each slot of a batch or a subscription has one job. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findReplay } from '../../src/features/jobs/start-job.ts'
import { hashBody, sentIdempotency } from '../../src/model/jobs/idempotency.ts'
import type { Starter } from '../../src/model/jobs/starter.ts'
import { findBatchJob, listBatchJobs } from '../../src/store/batches.ts'
import { findJob } from '../../src/store/jobs.ts'
import { testDatabase } from '../support/database.ts'
import {
  openAccount,
  type Order,
  orderJob,
  videoLine,
  wholeJob,
} from '../support/money-fixtures.ts'

const { db, pool } = await testDatabase({ after })
const AT_ONCE = 8
const NOTHING = { kind: null, id: null, slot: null }
const [BATCH, SUBSCRIPTION] = [`batch_${'0a'.repeat(16)}`, `sub_${'1b'.repeat(16)}`]
let lines = 0

/** Orders a job of a line of its own. */
async function orders(accountId: string, by: Pick<Order, 'key' | 'startedBy'>) {
  const line = videoLine((lines += 1))
  const { job, isReplay } = await orderJob(db, { accountId, line, maxVideos: 1, ...by })
  return { id: job.id, isReplay }
}

async function startOf(jobId: string): Promise<unknown> {
  const { rows } = await pool.query(
    'select started_by as kind, starter_id as id, start_slot as slot from job where id = $1',
    [jobId],
  )
  return rows[0]
}

const batchOf = async (accountId: string, jobId: string) =>
  (await findJob(db, { accountId, jobId }))!.batchId

/** The key by which 2.0.0 starts and finds the job of a slot. */
const keyBefore = ({ id, slot }: Starter): string => `follow:${id}:${slot}`

test('a job says which slot of what started it, and a caller’s says nothing, whatever the key', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const batch = (slot: number): Starter => ({ kind: 'batch', id: BATCH, slot })
  const starters: Starter[] = [
    batch(0),
    batch(1),
    { kind: 'subscription', id: SUBSCRIPTION, slot: 1 },
  ]
  const started: string[] = []
  for (const startedBy of starters) {
    const { id } = await orders(accountId, { startedBy })
    assert.deepEqual(await startOf(id), startedBy)
    const expected = startedBy.kind === 'batch' ? startedBy.id : null
    assert.equal(await batchOf(accountId, id), expected)
    started.push(id)
  }
  const keys = [null, 'mine', ...starters.map(keyBefore), `sent:${keyBefore(batch(0))}`]
  for (const key of keys) {
    const sent = key === null ? null : sentIdempotency(key, {}).key
    const { id, isReplay } = await orders(accountId, { key: sent })
    assert.deepEqual([isReplay, await startOf(id)], [false, NOTHING], String(key))
    assert.equal(await batchOf(accountId, id), null)
  }
  const jobOf = async (account: string, slot: number) =>
    (await findBatchJob(db, { accountId: account, id: BATCH, slot }))?.id ?? null
  assert.deepEqual([await jobOf(accountId, 1), await jobOf(accountId, 2)], [started[1], null])
  const listed = await listBatchJobs(db, accountId, [{ id: BATCH }, { id: 'batch_none' }])
  assert.deepEqual(
    listed.map(({ batchId, id }) => [batchId, id]),
    started.slice(0, 2).map((id) => [BATCH, id]),
  )
  const stranger = await openAccount(db, 0n)
  assert.equal(await jobOf(stranger, 0), null)
  assert.deepEqual(await listBatchJobs(db, stranger, [{ id: BATCH }]), [])
})

test('workers that start one slot at once make one job, also where they read other lines', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const startedBy = { kind: 'batch', id: BATCH, slot: 7 } as const
  const made = await Promise.all(
    Array.from({ length: AT_ONCE }, () => orders(accountId, { startedBy })),
  )
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  assert.equal(made.filter(({ isReplay }) => !isReplay).length, 1)
  const other = await orders(accountId, { startedBy: { ...startedBy, slot: 8 } })
  assert.notEqual(other.id, made[0]?.id)
  const moved = pool.query('update job set start_slot = 7 where id = $1', [other.id])
  await assert.rejects(moved, /"job_starter"/)
})

test('the end of a job wakes the batch that started it, and the end of a caller’s job wakes none', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const id = `batch_${'2c'.repeat(16)}`
  await pool.query(
    `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices, due_at)
    values ($1, $2, '{l}', 'h', 'en', '{}', 1, true, '{}', 'infinity')`,
    [id, accountId],
  )
  const ends = async (startedBy: Starter | null): Promise<boolean> => {
    const line = videoLine((lines += 1))
    await wholeJob(db, { accountId, line, maxVideos: 1, delivered: 1, startedBy })
    const { rows } = await pool.query('select due_at <= now() as due from batch where id = $1', [
      id,
    ])
    return rows[0].due
  }
  assert.deepEqual([await ends(null), await ends({ kind: 'batch', id, slot: 0 })], [false, true])
})

test('processes of this release and of 2.0.0 find each other’s job of a slot', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const [theirs, ours]: Starter[] = [4, 5].map((slot) => ({ kind: 'batch', id: BATCH, slot }))
  assert.ok(theirs !== undefined && ours !== undefined)
  const { id } = await orders(accountId, { key: keyBefore(theirs) })
  assert.deepEqual(await orders(accountId, { startedBy: theirs }), { id, isReplay: true })

  const { id: own } = await orders(accountId, { startedBy: ours })
  const asked = { key: keyBefore(ours), bodyHash: hashBody({ batchId: BATCH, slot: 5 }) }
  assert.equal((await findReplay(db, accountId, asked))?.id, own)

  // An erasure by 2.0.0 knows the key alone.
  await pool.query('update job set idempotency_key = null, body_hash = null where id = $1', [own])
  assert.deepEqual(await startOf(own), NOTHING)
})

test('a job that 2.0.0 starts has what its key says, and no other key says anything', async () => {
  const accountId = await openAccount(db, 1_000_000n)
  const told: [string, unknown][] = [
    [`follow:${BATCH}:12`, { kind: 'batch', id: BATCH, slot: 12 }],
    [`follow:${SUBSCRIPTION}:0`, { kind: 'subscription', id: SUBSCRIPTION, slot: 0 }],
    [`sent:follow:${BATCH}:1`, NOTHING],
    [`follow:${BATCH}:012`, NOTHING],
    [`follow:${BATCH}:9999999999`, NOTHING],
    [`follow:${BATCH}:`, NOTHING],
    [`follow:${BATCH}:1:1`, NOTHING],
    ['follow:me:1', NOTHING],
    ['order-1', NOTHING],
  ]
  for (const [key, start] of told)
    assert.deepEqual(await startOf((await orders(accountId, { key })).id), start, key)
})
