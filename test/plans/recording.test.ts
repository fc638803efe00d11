/** Recording rows reads the rows that it records, not hundreds of others of the job. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '../../src/kit/postgres/database.ts'
import type { Tx } from '../../src/store/database.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  openAccount,
  orderJob,
  planVideos,
  recordVideos,
  videoLine,
} from '../support/money-fixtures.ts'

const VIDEOS = 500
const TOGETHER = 8
/** Each row is locked, updated, and looked up once more, since its transcript refers to it. */
const READS_A_ROW = 4

const { db, pool } = await testDatabase({ after })
const accountId = await openAccount(db, 80_000_000n)
const { job } = await orderJob(db, { accountId, line: videoLine(1), maxVideos: VIDEOS })
const begun = await beginJob(db, { accountId, jobId: job.id })
assert.ok(begun !== null)
const { attempt } = begun
await planVideos(db, attempt, { before: 0, count: VIDEOS })
await pool.query('vacuum analyze video_row')

/** Returns the rows of `video_row` that the connection has read since its counts were last sent on. */
async function readsOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as reads
    from pg_stat_xact_user_tables where relname = 'video_row'
  `.execute(tx)
  return rows[0]?.reads ?? 0
}

for (const mode of ['force_custom_plan', 'force_generic_plan']) {
  test(`${TOGETHER} rows of ${VIDEOS} are recorded without a look at the others, by ${mode}`, async () => {
    await assert.rejects(
      transact(db, async (tx) => {
        await sql`set local plan_cache_mode = ${sql.raw(mode)}`.execute(tx)
        const before = await readsOf(tx)
        const videos = Array.from({ length: TOGETHER }, (_, at) => at * 60 + 1)
        const recorded = await recordVideos(
          tx,
          attempt,
          videos.map((index) => ({ index, isDelivered: index % 120 === 1 })),
        )
        assert.equal(recorded.size, TOGETHER)
        const reads = (await readsOf(tx)) - before
        assert.ok(reads >= TOGETHER && reads <= TOGETHER * READS_A_ROW, `${reads} rows were read`)
        throw new Error('never mind')
      }),
      /never mind/,
    )
  })
}
