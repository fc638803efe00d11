/** Rate limits that tests of other subjects remove. */
import type pg from 'pg'

/** Bucket size above the requests of any test, however fast its machine. */
const REQUESTS = 1_000_000

/** Lets the keys of an account ask without a limit, as an operator may, for tests of other subjects. */
export async function liftLimits(pool: pg.Pool, accountId: string): Promise<void> {
  await pool.query('update api_key set bucket_size = $2 where account_id = $1', [
    accountId,
    REQUESTS,
  ])
}

/** Stops the refill of the existing keys, so that their buckets show exactly what was spent. */
export async function freezeBuckets(pool: pg.Pool): Promise<void> {
  await pool.query('update api_key set refill = 1e-9')
}

/** Fills every bucket, as time would, in the order in which requests lock them, so that there is no deadlock. */
export async function fillBuckets(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with spent as materialized (select id from rate_bucket order by id for update)
    delete from rate_bucket b using spent s where b.id = s.id`)
}
