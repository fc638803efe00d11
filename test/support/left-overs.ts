/** Left-overs that fail a test: open jobs, money held for nothing. */
import assert from 'node:assert/strict'
import type { TestDatabase } from './database.ts'

/** Fails where a closed service left something; `areJobsOpen` allows open jobs, each with its reserve. */
export async function checkLeftOvers(
  database: TestDatabase,
  { areJobsOpen }: { areJobsOpen: boolean },
): Promise<void> {
  const { pool } = database
  const open = await pool.query('select id, state from job where charged_micros is null')
  if (!areJobsOpen)
    assert.deepEqual(
      open.rows,
      [],
      'the test left open jobs; where it means to, say leavesOpenJobs',
    )
  const held =
    await pool.query(`select b.account_id, b.held_micros, coalesce(sum(j.reserved_micros), 0) as reserved
    from balance b left join job j on j.account_id = b.account_id and j.charged_micros is null
    group by b.account_id, b.held_micros having b.held_micros <> coalesce(sum(j.reserved_micros), 0)`)
  assert.deepEqual(held.rows, [], 'money is held that no open job has reserved')
}
