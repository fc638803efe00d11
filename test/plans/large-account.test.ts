/**
 * What search and the line read of an account with many jobs: not its jobs, but what has changed and one job of each
 * account. What is counted agrees with the jobs whatever writes them.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteOldTexts } from '../../src/store/erasure.ts'
import { ACCOUNTS_IN_LINE, claimJob, listHeld, readLine } from '../../src/store/job-queue.ts'
import { stripJob } from '../../src/store/jobs.ts'
import {
  listOpenDelivering,
  placeAfter,
  readChangedJobs,
  readOwned,
} from '../../src/store/search-rows.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openWorkMeter, rowsOf } from '../large/work-meter.ts'
import { countTexts } from '../support/count-texts.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  planVideos,
  recordVideos,
  videoLine,
  wholeJob,
} from '../support/money-fixtures.ts'

const OLD_JOBS = 2_000
const OPEN_JOBS = 2_000
const ACCOUNTS_AT_WORK = 5
/** Rows of tables and of indexes that an answer may take: far below the jobs, and above what few accounts have. */
const FEW = 150

const OLD = `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats,
    max_videos, requested_max_videos, notices, reserved_micros, charged_micros, slots_used, discovered, processed, success)
  select 'old-' || n, $1::text, 'finished', now(), now(), '{x}', 'h' || n, 'en', '{text}', 9, 9, '{}', 72000, 8000, 1, 1, 1, 1
  from generate_series(1, $2::int) n`
const OPEN = `insert into job (id, account_id, state, created_at, urls, url_set_hash, language, formats, max_videos,
    requested_max_videos, notices, reserved_micros, waits_since)
  select 'open-' || n, ($1::text[])[n % array_length($1, 1) + 1], 'queued', now(), '{x}', 'h' || n, 'en', '{text}', 9, 9,
    '{}', 72000, now() - interval '1 day' + n * interval '1 second' from generate_series(1, $2::int) n`
const ENDED = `update job set state = 'finished', is_held = false, finished_at = now(), charged_micros = 0 where id = $1`

test('search reads of an account’s jobs those that are open and those that changed', async () => {
  const { db, pool, url } = await testDatabase({ after })
  const accountId = await openAccount(db, 80_000_000n)
  await pool.query(OLD, [accountId, OLD_JOBS])
  await countTexts(pool)
  await pool.query('vacuum analyze')
  const meter = await openWorkMeter({ after }, url)
  await meter.measure(() => readOwned(pool, accountId)) // reports what the connections did before
  const { value: before, work } = await meter.measure(() => readOwned(pool, accountId))
  assert.equal(before.owned, OLD_JOBS)
  assert.ok(rowsOf(work) < FEW, `${rowsOf(work)} rows were read`)

  const { jobId } = await wholeJob(db, {
    accountId,
    line: videoLine(1),
    maxVideos: 2,
    delivered: 2,
  })
  const found = await meter.measure(async () => {
    const owned = await readOwned(pool, accountId)
    const open = await listOpenDelivering(pool, accountId)
    const place = { accountId, after: placeAfter(before.fingerprint), limit: 1_000 }
    return { owned, open, changed: await readChangedJobs(pool, place) }
  })
  const { owned, open, changed } = found.value
  assert.equal(owned.owned, OLD_JOBS + 2)
  assert.notEqual(owned.fingerprint, before.fingerprint)
  assert.deepEqual(open, [])
  assert.deepEqual([changed.textJobs, changed.jobs.map(({ id }) => id)], [OLD_JOBS + 1, [jobId]])
  assert.ok(rowsOf(found.work) < FEW, `${rowsOf(found.work)} rows were read`)
})

test('the line reads one job of each account, and the few that are held', async () => {
  const { db, pool, url } = await testDatabase({ after })
  const accountIds = await Promise.all(
    Array.from({ length: ACCOUNTS_AT_WORK }, () => openAccount(db, 8_000_000n)),
  )
  await pool.query(OPEN, [accountIds, OPEN_JOBS])
  await pool.query('vacuum analyze')
  const meter = await openWorkMeter({ after }, url)
  await meter.measure(() => readLine(db)) // reports what the connections did before
  const claimed: string[] = []
  for (let turn = 0; turn < 2 * ACCOUNTS_AT_WORK; turn += 1) {
    const { accountId } = await readLine(db)
    const { value, work } = await meter.measure(() => claimJob(db, []))
    assert.equal(value?.accountId, accountId)
    assert.ok(rowsOf(work) < FEW, `${rowsOf(work)} rows were read for claim ${turn}`)
    claimed.push(value.jobId)
  }
  assert.deepEqual(
    claimed,
    Array.from({ length: 2 * ACCOUNTS_AT_WORK }, (_, at) => `open-${at + 1}`),
  )
  const { value: held, work } = await meter.measure(() => listHeld(db))
  assert.equal(held.length, claimed.length)
  assert.ok(rowsOf(work) < FEW, `${rowsOf(work)} rows were read`)
})

test('of a line of many accounts a claim reads a part, and all have their turn', async () => {
  const { db, pool, url } = await testDatabase({ after })
  const accountIds: string[] = []
  while (accountIds.length < 2 * ACCOUNTS_IN_LINE)
    accountIds.push(await openAccount(db, 8_000_000n))
  await pool.query(OPEN, [accountIds, accountIds.length])
  await pool.query('vacuum analyze')
  const meter = await openWorkMeter({ after }, url)
  await meter.measure(() => readLine(db)) // reports what the connections did before
  const served = new Set<string>()
  while (served.size < accountIds.length) {
    const { value, work } = await meter.measure(() => claimJob(db, []))
    assert.ok(value !== null && !served.has(value.accountId), 'one job of each account')
    assert.ok(rowsOf(work) < 2 * ACCOUNTS_IN_LINE + FEW, `${rowsOf(work)} rows were read`)
    served.add(value.accountId)
    await pool.query(ENDED, [value.jobId])
  }
  assert.equal(await claimJob(db, []), null)
})

test('what is counted agrees with the jobs, whatever ends them or takes their texts', async () => {
  const { db, pool } = await testDatabase({ after })
  const accountId = await openAccount(db, 80_000_000n)
  let place = placeAfter('')
  const agrees = async (what: string, changed: string[]): Promise<void> => {
    const { rows } = await pool.query<{ texts: number; jobs: number; lost: number }>(
      `select coalesce(sum(kept), 0)::int as texts, (count(*) filter (where kept > 0 and finished_at is not null))::int as jobs,
        coalesce(sum(success - kept), 0)::int as lost
      from (select *, case when texts_deleted_at is null then success - deleted_texts else 0 end as kept from job) j`,
    )
    const { owned, fingerprint } = await readOwned(pool, accountId)
    const { textJobs, jobs } = await readChangedJobs(pool, { accountId, after: place, limit: 9 })
    const lost = Number(fingerprint.split('/')[1])
    assert.deepEqual({ texts: owned, jobs: textJobs, lost }, rows[0], what)
    assert.deepEqual(jobs.map(({ id }) => id).sort(), changed.toSorted(), what)
    place = placeAfter(fingerprint)
  }
  const { job } = await orderJob(db, { accountId, line: videoLine(1), maxVideos: 9 })
  const begun = await beginJob(db, { accountId, jobId: job.id })
  assert.ok(begun !== null)
  await planVideos(db, begun.attempt, { before: 0, count: 3 })
  await recordVideos(
    db,
    begun.attempt,
    [1, 2].map((index) => ({ index, isDelivered: true })),
  )
  await agrees('recorded', [])
  await recordVideos(db, begun.attempt, [{ index: 3, isDelivered: true }])
  await endJob(db, begun.attempt, 'finish')
  await agrees('ended', [job.id])
  const other = await wholeJob(db, { accountId, line: videoLine(2), maxVideos: 9, delivered: 2 })
  const none = { accountId, line: videoLine(3), maxVideos: 9, delivered: 0, refused: 1 }
  await wholeJob(db, none)
  await agrees('two more', [other.jobId])
  await pool.query('update job set heartbeat = heartbeat + 1')
  await agrees('nothing of texts', [])
  await pool.query('update job set deleted_texts = 1 where id = $1', [job.id])
  await agrees('one text deleted', [job.id])
  await countTexts(pool)
  await agrees('counted again', [])
  await transact(db, (tx) => stripJob(tx, job.id, 'hash'))
  await agrees('stripped', [job.id])
  assert.equal(await deleteOldTexts(db, { keptDays: 0, jobsMax: 9 }), 2)
  await agrees('too old', [other.jobId])
})
