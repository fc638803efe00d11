/**
 * The statements that every request pays: finding a live key, taking a token from its bucket and, for
 * what pollers ask all day, reading that too. Each is one round trip, prepared once per connection.
 */
import type pg from 'pg'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

export type KeyVisit = {
  keyId: string
  accountId: string
  /** Whether the bucket had a token for this request. */
  isAdmitted: boolean
  bucketSize: number
  /** Tokens left after this request, rounded down. */
  remaining: number
  /** Until the next whole token, in seconds; 0 while some are left. */
  nextTokenSeconds: number
}

/**
 * The bucket's row lock makes it exact between processes; the clock is read after the lock was got,
 * once, so that no time is counted twice or lost. A refusal takes nothing. A clock that was set back
 * adds nothing for the past and goes on from where it is.
 */
const VISIT = `
  with visitor as (
    select id, account_id, bucket, bucket_size, refill, last_used_at from api_key
    where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())
      and (select a.suspended_at is null from account a where a.id = account_id)
  ), spent as (
    insert into rate_bucket as b (id, tokens, is_refused, updated_at)
    select bucket, bucket_size - 1, false, clock_timestamp() from visitor
    on conflict (id) do update set (tokens, is_refused, updated_at) = (
      select case when level >= 1 then level - 1 else level end, level < 1, at
      from (
        select at, least(v.bucket_size, b.tokens + v.refill
          * greatest(0, extract(epoch from at - b.updated_at))::double precision) as level
        from visitor v, (select clock_timestamp() as at offset 0) clock
      ) filled)
    returning tokens, is_refused
  ), used as (
    update api_key k set last_used_at = now() from visitor v
    where k.id = v.id and (v.last_used_at is null or v.last_used_at < now() - interval '1 minute')
  )
  select v.id as "keyId", v.account_id as "visitorAccountId", v.bucket_size as "bucketSize", v.refill,
    s.tokens, s.is_refused as "isRefused"`

const VISIT_ONLY = `${VISIT} from visitor v cross join spent s`

/** Exported for the benchmark, which sends the same over a bare server. */
export const VISIT_BALANCE = `${VISIT}, b.posted_micros as "postedMicros", b.held_micros as "heldMicros"
  from visitor v cross join spent s join balance b on b.account_id = v.account_id`

export const VISIT_JOB = `${VISIT}, j.* from visitor v cross join spent s left join lateral (
    select ${JOB_COLUMNS} from job where id = $2 and account_id = v.account_id
  ) j on true`

type VisitRow = {
  keyId: string
  visitorAccountId: string
  bucketSize: number
  refill: number
  tokens: number
  isRefused: boolean
}

/** Takes a token for the live key with this hash; null where there is none, or its account is suspended. */
export async function visitApiKey(pool: pg.Pool, secretHash: Buffer): Promise<KeyVisit | null> {
  const { rows } = await pool.query<VisitRow>({ name: 'visit', text: VISIT_ONLY, values: [secretHash] })
  return rows[0] === undefined ? null : toVisit(rows[0])
}

/** The same, with what the account owns and has set aside, in micros. */
export async function visitBalance(
  pool: pg.Pool,
  secretHash: Buffer,
): Promise<(KeyVisit & { balance: { postedMicros: bigint; heldMicros: bigint } }) | null> {
  const { rows } = await pool.query<VisitRow & { postedMicros: bigint; heldMicros: bigint }>(
    { name: 'visit-balance', text: VISIT_BALANCE, values: [secretHash] },
  )
  const [row] = rows
  return row === undefined ? null : { ...toVisit(row), balance: row }
}

/** The same, with a job of the key's account; `job` is null where the account has none of this id. */
export async function visitJob(
  pool: pg.Pool,
  secretHash: Buffer,
  jobId: string,
): Promise<(KeyVisit & { job: JobRecord | null }) | null> {
  const { rows } = await pool.query<VisitRow & (JobRow | { id: null })>(
    { name: 'visit-job', text: VISIT_JOB, values: [secretHash, jobId] },
  )
  const [row] = rows
  return row === undefined ? null : { ...toVisit(row), job: row.id === null ? null : toJob(row) }
}

function toVisit(row: VisitRow): KeyVisit {
  return {
    keyId: row.keyId,
    accountId: row.visitorAccountId,
    isAdmitted: !row.isRefused,
    bucketSize: row.bucketSize,
    remaining: row.isRefused ? 0 : Math.floor(row.tokens),
    nextTokenSeconds: row.tokens >= 1 ? 0 : (1 - row.tokens) / row.refill,
  }
}
