/** The prepared step to partitions by month, taken under a running service: nothing is lost, and all goes on as before. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { respelled } from '../support/respelled.ts'
import { addMonth, partitionRows } from '../support/growth.ts'
import { testService } from '../support/service.ts'
import { channelUrl, uploadsOf } from '../repeats/asking-again.ts'

const { platform, database, customer } = await testService({ after })
const { world } = platform
const owner = await customer('10')
const channel = world.channel('small')
const [newest] = uploadsOf(world, channel)
assert.ok(newest !== undefined)

async function rowsByTable(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ table: string; rows: number }>(
    `select tableoid::regclass::text as table, count(*)::int as rows from video_row group by 1`,
  )
  return Object.fromEntries(rows.map((row) => [row.table, row.rows]))
}

test('a service goes on over the step, and the rows of a month are a table of their own', async () => {
  const before = await owner.orders({ urls: channelUrl(channel), maxVideos: 3 })
  const texts = await owner.readsRows(before.job)
  const { video_row: rows = 0 } = await rowsByTable()
  assert.ok(rows >= 3)

  const client = await database.connect()
  const cutAt = new Date() // ids are no older than it from the next millisecond on
  await partitionRows(client, cutAt)
  await addMonth(client, 'next', cutAt, new Date(cutAt.getTime() + 3_600_000))
  assert.deepEqual(await rowsByTable(), { video_row_first: rows })

  const after = await owner.orders({ urls: channelUrl(channel), maxVideos: 3 })
  assert.equal(after.job.state, 'finished')
  assert.ok(after.job.progress.delivered > 0)
  const byTable = await rowsByTable()
  assert.equal(byTable['video_row_first'], rows)
  assert.ok((byTable['video_row_next'] ?? 0) > 0, 'the new job is in the new table')
  assert.deepEqual(await owner.readsRows(before.job), texts, 'the old one reads as before')
  assert.equal((await owner.asks('GET', `/jobs/${after.job.id}/files/zip`)).status, 200)

  const [videoId, other] = [newest.videoId, respelled(newest.videoId, 1)]
  const both = await owner.orders({ urls: [other, videoId].join('\n') })
  assert.equal(both.job.progress.counts['success'], 1, 'one video, one charge')
  assert.equal(both.job.progress.counts['skipped'], 1)
  assert.equal((await verifyLedger(database.db)).differences, 0)
})

test('a job’s rows are looked for in its month alone, and nothing refers to what is not there', async () => {
  const planOf = async (jobId: string): Promise<string> => {
    const { rows: lines } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain select * from video_row where job_id = '${jobId}' and index = 1`,
    )
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }
  const { rows: ids } = await database.pool.query<{ first: string; last: string }>(
    'select min(job_id) as first, max(job_id) as last from video_row',
  )
  assert.doesNotMatch(await planOf(ids[0]?.first ?? ''), /video_row_next/)
  assert.doesNotMatch(await planOf(ids[0]?.last ?? ''), /video_row_first/)

  // The parts of a reference to a partitioned table are proven with it; PostgreSQL 15 does not say so of each.
  const { rows: unproven } = await database.pool.query(
    `select conname from pg_constraint where not convalidated and conparentid = 0 and connamespace = 'public'::regnamespace`,
  )
  assert.deepEqual(unproven, [])
  await assert.rejects(
    database.pool.query(
      `insert into transcript (job_id, index, text_hash, words) values ($1, 999, '', 0)`,
      [ids[0]?.last],
    ),
    { code: '23503' },
  )
})
