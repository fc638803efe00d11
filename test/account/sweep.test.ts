/** What sign-in leaves behind is deleted when it is over, in batches, and limits forget who kept to them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { sweepSignIn } from '../../src/accounts/sweep-sign-in.ts'
import { takeAttempt } from '../../src/store/attempt-buckets.ts'
import { deleteVoidRows } from '../../src/accounts/sweep-sign-in.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const { db, pool, connect } = await testDatabase({ after })

async function rows(): Promise<number[]> {
  const {
    rows: [found],
  } = await sql<{ counts: number[] }>`
    select array[(select count(*)::int from sign_in_verification), (select count(*)::int from sign_up),
      (select count(*)::int from attempt_bucket)] as counts`.execute(db)
  return found?.counts ?? []
}

test('void rows go, others stay, and never more at once than asked', async () => {
  await sql`insert into sign_in_verification (id, identifier, value, expires_at)
    select n::text, 'i', 'v', now() + (case when n <= 2500 then -1 else 1 end) * interval '1 minute' from generate_series(1, 2600) n`.execute(
    db,
  )
  await sql`insert into sign_up (token_hash, browser_hash, email, password, expires_at)
    select sha256(n::text::bytea), ''::bytea, 'e', 'p', now() + (n - 3) * interval '1 hour' from generate_series(1, 5) n`.execute(
    db,
  )
  await takeAttempt(pool, { bucket: 'quick', size: 5, everySeconds: 0.001 })
  await takeAttempt(pool, { bucket: 'slow', size: 5, everySeconds: 600 })
  assert.equal(await deleteVoidRows(db, 10), 14, '10 challenges, 3 sign-ups, 1 limit')
  assert.equal(await sweepSignIn(db), 2490)
  assert.deepEqual(await rows(), [100, 2, 1])
  assert.equal(await sweepSignIn(db), 0)
})

test('a limit lets through as many as it holds, then tells the seconds, and fills again', async () => {
  const limit = { bucket: 'one', size: 3, everySeconds: 100 }
  const taken = await Promise.all(Array.from({ length: 10 }, () => takeAttempt(pool, limit)))
  assert.equal(taken.filter((seconds) => seconds === 0).length, 3)
  assert.ok(
    taken.every((seconds) => seconds === 0 || (seconds > 95 && seconds <= 100)),
    taken.join(' '),
  )
  await sql`update attempt_bucket set full_at = full_at - interval '100 seconds' where id = 'one'`.execute(
    db,
  )
  assert.deepEqual(
    [await takeAttempt(pool, limit), (await takeAttempt(pool, limit)) > 0],
    [0, true],
  )
})

test('who waited for the attempts of others is told the seconds that those left', async () => {
  const limit = { bucket: 'raced', size: 2, everySeconds: 100 }
  const other = await connect()
  for (const isKnown of [false, true]) {
    await other.query('begin')
    for (let n = 0; n < 2; n += 1)
      assert.equal(await takeAttempt(other as never, limit), 0, `${isKnown}`)
    const refused = takeAttempt(pool, limit)
    await until('the third attempt waits for the first two', async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount === 1
    })
    await other.query('commit')
    const seconds = await refused
    assert.ok(seconds > 90 && seconds <= 100, `${seconds} s`)
    // Full again: the next round finds the bucket as it was left long ago.
    await sql`update attempt_bucket set full_at = full_at - interval '1 hour' where id = 'raced'`.execute(
      db,
    )
  }
})
