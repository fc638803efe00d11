/** Rate limits out of a test's way. */
import type pg from 'pg'

/** More requests than a test sends, however fast its machine. */
const REQUESTS = 1_000_000

/** Lets the keys of an account ask without a limit, as an operator may: for tests that are about something else. */
export async function liftLimits(pool: pg.Pool, accountId: string): Promise<void> {
  await pool.query('update api_key set bucket_size = $2 where account_id = $1', [
    accountId,
    REQUESTS,
  ])
}

/** From now on no token comes to the keys that are there, so that their buckets tell exactly what was spent. */
export async function freezeBuckets(pool: pg.Pool): Promise<void> {
  await pool.query('update api_key set refill = 1e-9')
}

/** Makes every bucket full, as time would; in the order in which requests lock them, so that none waits for ever. */
export async function fillBuckets(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with spent as materialized (select id from rate_bucket order by id for update)
    delete from rate_bucket b using spent s where b.id = s.id`)
}
