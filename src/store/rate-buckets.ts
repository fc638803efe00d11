/**
 * The table `rate_bucket`: token buckets of keys, accounts, networks and addresses, shared by all processes. Taking
 * from a bucket is one round trip; requests with a key and pages take from two at once (authentication.ts).
 *
 * The level is read under the lock of the bucket's row, so it is exact between processes. The clock is read after the
 * lock is held, so that no time is counted twice or lost. A refusal writes nothing, except where the clock was set
 * back: then nothing is added for the past, and the bucket goes on from the new time.
 */
import assert from 'node:assert/strict'
import { type Db, query } from './database.ts'
import { type Executor, run, statement } from '../kit/postgres/statement.ts'

/** A bucket unused for this long is full again and is deleted: none takes more than an hour to fill. */
const BUCKETS_KEPT_SECONDS = 2 * 3600

/**
 * Two rounds are enough, since the second statement sees a bucket that another process made, and new buckets are not
 * swept.
 */
const ROUNDS_MAX = 5

/**
 * Repeats `ask` until it answers. It answers undefined after it made the missing buckets. Throws after ROUNDS_MAX
 * rounds.
 */
export async function untilMade<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const answer = await ask()
    if (answer !== undefined) return answer
  }
  assert.fail(`rate buckets were made ${ROUNDS_MAX} times, and are not there`)
}

/** A limit of attempts: `size` at once, and one more every `everySeconds`. */
export type AttemptLimit = { bucket: string; size: number; everySeconds: number }

type AttemptRow = { isTaken: boolean | null; level: number | null }

/**
 * $1: the bucket, $2: its size, $3: seconds per token. The first attempt makes the bucket and takes from it; `isTaken`
 * is null where another process made it since the statement began.
 */
const TAKE_ATTEMPT = statement<AttemptRow>(
  'take-attempt',
  `
  with locked as materialized (
    select tokens, updated_at from rate_bucket where id = $1 for update
  ), decided as materialized (
    select at, level, level >= 1 as is_admitted, at < updated_at as is_set_back from ( -- offset 0: it is computed once
      select at, updated_at, case when updated_at is not null then least($2::double precision, tokens
        + greatest(0, extract(epoch from at - updated_at))::double precision / $3::double precision) end as level
      from (select clock_timestamp() as at, max(tokens) as tokens, max(updated_at) as updated_at from locked) found offset 0
    ) levels
  ), spent as (
    update rate_bucket b set updated_at = v.at, tokens = v.level - v.is_admitted::int
    from decided v where b.id = $1 and (v.is_admitted or v.is_set_back)
  ), made as (
    insert into rate_bucket (id, tokens, updated_at)
    select $1, $2 - 1, v.at from decided v where v.is_admitted is null
    on conflict (id) do nothing returning true as is_made
  )
  select coalesce(v.is_admitted, (select is_made from made)) as "isTaken", v.level from decided v`,
)

/**
 * Takes one attempt. Returns 0 where it was admitted, otherwise the seconds until the next one is; a refused attempt
 * takes nothing. In a transaction, a rollback gives the attempt back, and until the end others wait for the bucket.
 */
export async function takeAttempt(
  on: Executor,
  { bucket, size, everySeconds }: AttemptLimit,
): Promise<number> {
  return untilMade(async () => {
    const [row] = await run(on, TAKE_ATTEMPT, [bucket, size, everySeconds])
    if (row?.isTaken === true) return 0
    if (row?.isTaken === false) return Math.max(1, Math.ceil((1 - (row.level ?? 0)) * everySeconds))
    return undefined
  })
}

/**
 * Deletes up to `rowsMax` buckets that have long been full again, among them those of deleted keys; skips those in use.
 * Returns how many.
 */
export async function sweepBuckets(db: Db, rowsMax: number): Promise<number> {
  return query`
    delete from rate_bucket where id in (
      select id from rate_bucket where updated_at < clock_timestamp() - ${BUCKETS_KEPT_SECONDS}::double precision * interval '1 second'
      limit ${rowsMax} for update skip locked)
  `.rowCount(db)
}
