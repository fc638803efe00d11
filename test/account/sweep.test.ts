/** Rows that sign-in leaves behind are deleted in batches once they are over, and full rate buckets are forgotten. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { meterSite } from '../../src/store/authentication.ts'
import { takeAttempt } from '../../src/store/rate-buckets.ts'
import { deleteVoidRows, sweepRateLimits, sweepSignIn } from '../../src/features/accounts/access.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

/** Time for a bucket to fill, so long that none fills while a test runs. */
const DAY_SECONDS = 86_400
const { db, pool, connect } = await testDatabase({ after })

async function rows(): Promise<number[]> {
  const {
    rows: [found],
  } = await sql<{ counts: number[] }>`
    select array[(select count(*)::int from sign_in_verification), (select count(*)::int from sign_up),
      (select count(*)::int from rate_bucket)] as counts`.execute(db)
  return found?.counts ?? []
}

test('void rows go, others stay, and never more at once than asked', async () => {
  await sql`insert into sign_in_verification (id, identifier, value, expires_at)
    select n::text, 'i', 'v', now() + (case when n <= 2500 then -1 else 1 end) * interval '1 hour' from generate_series(1, 2600) n`.execute(
    db,
  )
  await sql`insert into sign_up (token_hash, browser_hash, email, password, expires_at)
    select sha256(n::text::bytea), ''::bytea, 'e', 'p', now() + (n - 3) * interval '1 hour' from generate_series(1, 5) n`.execute(
    db,
  )
  assert.equal(await deleteVoidRows(db, 10), 13, '10 challenges, 3 sign-ups')
  assert.equal(await sweepSignIn(db), 2490)
  assert.deepEqual(await rows(), [100, 2, 0])
  assert.equal(await sweepSignIn(db), 0)
})

test('of the rate limits those go that nobody asked for since they were full', async () => {
  for (const bucket of ['left', 'used', 'in the hands of another'])
    await takeAttempt(pool, { bucket, size: 5, everySeconds: 600 })
  await sql`update rate_bucket set updated_at = updated_at - interval '121 minutes' where id <> 'used'`.execute(
    db,
  )
  const other = await connect()
  await other.query('begin')
  await takeAttempt(other as never, {
    bucket: 'in the hands of another',
    size: 5,
    everySeconds: 600,
  })
  await sweepRateLimits(db)
  await other.query('commit')
  const { rows: left } = await sql<{ id: string }>`select id from rate_bucket order by id`.execute(
    db,
  )
  assert.deepEqual(
    left.map(({ id }) => id),
    ['in the hands of another', 'used'],
  )
})

test('a limit lets through as many as it holds, then tells the seconds, and fills again', async () => {
  const limit = { bucket: 'one', size: 3, everySeconds: DAY_SECONDS }
  const taken = await Promise.all(Array.from({ length: 10 }, () => takeAttempt(pool, limit)))
  assert.equal(taken.filter((seconds) => seconds === 0).length, 3)
  assert.ok(
    taken.every(
      (seconds) => seconds === 0 || (seconds > DAY_SECONDS / 2 && seconds <= DAY_SECONDS),
    ),
    taken.join(' '),
  )
  await sql`update rate_bucket set updated_at = updated_at - interval '1 day' where id = 'one'`.execute(
    db,
  )
  assert.deepEqual(
    [await takeAttempt(pool, limit), (await takeAttempt(pool, limit)) > 0],
    [0, true],
  )
})

test('who waited for the attempts of others is told the seconds that those left', async () => {
  const limit = { bucket: 'raced', size: 2, everySeconds: DAY_SECONDS }
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
    assert.ok(seconds > DAY_SECONDS / 2 && seconds <= DAY_SECONDS, `${seconds} s`)
    // The bucket is made full again: the next round finds it as if it was left long ago.
    await sql`update rate_bucket set updated_at = updated_at - interval '3 days' where id = 'raced'`.execute(
      db,
    )
  }
})

test('buckets that never appear end in an error, not in asking for ever', async () => {
  await sql`create function swallow() returns trigger language plpgsql as 'begin return null; end'`.execute(
    db,
  )
  await sql`create trigger swallow before insert on rate_bucket for each row execute function swallow()`.execute(
    db,
  )
  const limit = { bucket: 'swallowed', size: 1, everySeconds: 1 }
  await assert.rejects(takeAttempt(pool, limit), /are not there/)
  await assert.rejects(meterSite(pool, 'swallowed'), /are not there/)
  await sql`drop trigger swallow on rate_bucket`.execute(db)
  assert.equal(await takeAttempt(pool, limit), 0)
})
