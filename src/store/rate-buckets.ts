/**
 * The table `rate_bucket`: token buckets that all processes share, of keys, accounts, networks and addresses.
 * What takes from them is one round trip, in which others (authentication.ts) read more.
 */
import assert from 'node:assert/strict'
import type pg from 'pg'
import { CompiledQuery, sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { run, statement } from '../kit/postgres/statement.ts'

/** A bucket that nobody asked for so long is full again and forgotten: none takes more than an hour to fill. */
const BUCKETS_KEPT_SECONDS = 2 * 3600

/** A bucket in SQL, of what `asked` (here `v`) names: its id, the most it holds, and tokens per second. */
export type BucketSql = { level: string; id: string; size: string; refill: string }

/** The bucket that `asked` names itself. */
export const OWN_BUCKET: BucketSql = {
  level: 'own',
  id: 'v.bucket',
  size: 'v.bucket_size',
  refill: 'v.refill',
}

/**
 * The beginning of a statement that takes a token from every one of the buckets, or from none. `asked` is a
 * select of at most one row with what the buckets are made of. What follows reads `decided`: the columns of
 * `asked`, each bucket's level before (null where it is missing), the time `at`, and `is_admitted`, which is
 * null where a bucket is missing and has to be made first.
 *
 * Everybody locks the rows in the order of their ids, and what is spent is what the locks gave: exact between
 * processes. The clock is read after that, once, so that no time is counted twice or lost. A refusal writes
 * nothing, but where the clock was set back: that adds nothing for the past and goes on from where it is.
 */
export function taking(asked: string, buckets: readonly BucketSql[]): string {
  const ids = `any(array[${buckets.map(({ id }) => id).join(', ')}])`
  const each = (text: (bucket: BucketSql) => string, between: string): string =>
    buckets.map(text).join(between)
  return `
  with asked as materialized (${asked}
  ), locked as materialized (
    select ${each(({ id, level }) => `b.id = ${id} as is_${level}`, ', ')}, b.tokens, b.updated_at
    from asked v join rate_bucket b on b.id = ${ids}
    order by b.id for update of b
  ), decided as materialized (
    select *, ${each(({ level }) => `${level} >= 1`, ' and ')} as is_admitted from ( -- offset 0: each level is computed once
      select v.*, at, ${each(({ level }) => `at < ${level}_at`, ' or ')} as is_set_back,
        ${each(
          levelOf,
          `,
        `,
        )}
      from asked v cross join (
        select clock_timestamp() as at, ${each(columnsOf, ', ')} from locked) found offset 0
    ) levels
  ), spent as (
    update rate_bucket b set updated_at = v.at,
      tokens = case b.id ${each(({ id, level }) => `when ${id} then v.${level}`, ' ')} end - v.is_admitted::int
    from decided v
    where b.id = ${ids} and (v.is_admitted or v.is_set_back)
  )`
}

/** The row of one bucket, as columns: null where it is missing. */
function columnsOf({ level }: BucketSql): string {
  return `max(tokens) filter (where is_${level}) as ${level}_tokens, max(updated_at) filter (where is_${level}) as ${level}_at`
}

/** What a bucket holds by now; null where it is missing, which `least` alone would pass over. */
function levelOf({ level, size, refill }: BucketSql): string {
  return `case when ${level}_at is not null then least(${size}, ${level}_tokens + ${refill}
          * greatest(0, extract(epoch from at - ${level}_at))::double precision) end as ${level}`
}

/** Makes the buckets full, for who asks for the first time and after a crash of the database. */
export function makingBuckets(asked: string, buckets: readonly BucketSql[]): string {
  return `
  with asked as (${asked})
  insert into rate_bucket (id, tokens, updated_at)
  select b.id, b.size, clock_timestamp() from asked v, lateral (
    values ${buckets.map(({ id, size }) => `(${id}, ${size})`).join(', ')}) b (id, size)
  on conflict (id) do nothing`
}

/** Two are enough: whoever made a bucket meanwhile is seen by the next statement, and new buckets are not swept. */
const ROUNDS_MAX = 5

/** What `ask` answers once the buckets are there; until then it makes them, and answers undefined. */
export async function untilMade<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const answer = await ask()
    if (answer !== undefined) return answer
  }
  assert.fail(`rate buckets were made ${ROUNDS_MAX} times, and are not there`)
}

/** A limit of attempts: `size` at once, one more every `everySeconds`. */
export type AttemptLimit = { bucket: string; size: number; everySeconds: number }

const BY_LIMIT = `
  select $1::text as bucket, $2::double precision as bucket_size, 1 / $3::double precision as refill`

type AttemptRow = { isTaken: boolean | null; level: number | null }

/** The first attempt makes the bucket and takes from it; null where others made it since the statement began. */
const TAKE_ATTEMPT = statement<AttemptRow>(
  'take-attempt',
  `${taking(BY_LIMIT, [OWN_BUCKET])}, made as (
    insert into rate_bucket (id, tokens, updated_at)
    select v.bucket, v.bucket_size - 1, v.at from decided v where v.is_admitted is null
    on conflict (id) do nothing returning true as is_made
  )
  select coalesce(v.is_admitted, (select is_made from made)) as "isTaken", v.own as level from decided v`,
)

/**
 * Takes one attempt. Returns 0 where it was free, else the seconds until the next one is; a refused attempt
 * takes nothing.
 */
export function takeAttempt(pool: pg.Pool, limit: AttemptLimit): Promise<number> {
  return takeBy((values) => run(pool, TAKE_ATTEMPT, values), limit)
}

/** The same in a transaction, whose end without a commit gives it back; until its end others wait for the bucket. */
export function takeAttemptIn(tx: Tx, limit: AttemptLimit): Promise<number> {
  return takeBy(async (values) => {
    const { rows } = await tx.executeQuery<AttemptRow>(CompiledQuery.raw(TAKE_ATTEMPT.text, values))
    return rows
  }, limit)
}

async function takeBy(
  ask: (values: unknown[]) => Promise<AttemptRow[]>,
  { bucket, size, everySeconds }: AttemptLimit,
): Promise<number> {
  return untilMade(async () => {
    const [row] = await ask([bucket, size, everySeconds])
    if (row?.isTaken === true) return 0
    if (row?.isTaken === false) return Math.max(1, Math.ceil((1 - (row.level ?? 0)) * everySeconds))
    return undefined
  })
}

/**
 * Forgets up to `rowsMax` buckets that are long full again, those of keys that are gone among them; passes
 * over those in use. Returns how many.
 */
export async function sweepBuckets(db: Db, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_bucket where id in (
      select id from rate_bucket where updated_at < clock_timestamp() - ${BUCKETS_KEPT_SECONDS}::double precision * interval '1 second'
      limit ${rowsMax} for update skip locked)
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
