/**
 * The statements that every request pays: finding a live key, taking a token from its bucket and its
 * account's and, for what pollers ask all day, reading that too. Each is one round trip, prepared once per connection.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type pg from 'pg'
import { LIMITS } from '../config.ts'
import type { Balance } from '../billing/ledger.ts'
import type { Db } from '../postgres/database.ts'
import { run, type Statement, statement } from '../postgres/statement.ts'
import { MARK_KEY_USED } from './accounts.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

export type Visit = {
  accountId: string
  /** Whether both buckets had a token for this request: the visitor's own and the account's. */
  isAdmitted: boolean
  /** Whether the account's had none. */
  isAccountSpent: boolean
  /** Of the visitor's own bucket, as what follows. */
  bucketSize: number
  /** Tokens left after this request, rounded down; 0 after a refusal. */
  remaining: number
  /** Until a request can be admitted, in seconds; 0 for one that was. */
  nextTokenSeconds: number
}

export type KeyVisit = Visit & { keyId: string }

type Levels = {
  visitorAccountId: string
  bucketSize: number
  refill: number
  /** Tokens before this request; null where a bucket has to be made first. */
  own: number | null
  total: number | null
  isAdmitted: boolean | null
}
type KeyLevels = Levels & { keyId: string }

/** Who spends: the live key with the hash $1. */
const BY_KEY = `
  select id, account_id, bucket, bucket_size, refill, last_used_at from api_key
  where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())
    and (select a.suspended_at is null from account a where a.id = account_id)`

/** The pages of the account $1, which share a bucket with its sessions' bearers. */
const BY_ACCOUNT = `
  select null::text as id, $1::text as account_id, 'sessions:' || $1 as bucket, ${LIMITS.sessionBucketSize} as bucket_size,
    ${LIMITS.sessionRefillPerSecond}::double precision as refill, null::timestamptz as last_used_at`

/** The bucket of all an account's keys together. One of a key that is larger, by hand, widens it. */
const ACCOUNT_BUCKET = `'account:' || v.account_id`
const ACCOUNT_SIZE = `greatest(${LIMITS.accountBucketSize}, v.bucket_size)`

/**
 * Takes a token from the account's bucket and from the visitor's own, or from neither. Everybody locks
 * the two rows in the order of their ids, and what is spent is what the locks gave: exact between
 * processes. The clock is read after that, once, so that no time is counted twice or lost. A refusal
 * writes nothing, but where the clock was set back: that adds nothing for the past and goes on from
 * where it is.
 *
 * Where a bucket is missing, `is_admitted` is null: both are to be made first.
 */
const taking = (visitor: string): string => `
  with visitor as materialized (${visitor}
  ), locked as materialized (
    select b.id = v.bucket as is_own, b.tokens, b.updated_at
    from visitor v join rate_bucket b on b.id = any(array[${ACCOUNT_BUCKET}, v.bucket])
    order by b.id for update of b
  ), decided as materialized (
    select *, own >= 1 and total >= 1 as is_admitted from ( -- offset 0: each level is computed once
      select v.*, at, at < own_at or at < total_at as is_set_back,
        ${level('own', 'v.bucket_size', 'v.refill')},
        ${level('total', ACCOUNT_SIZE, String(LIMITS.accountRefillPerSecond))}
      from visitor v cross join (
        select clock_timestamp() as at, ${column('own', 'is_own')}, ${column('total', 'not is_own')} from locked) found offset 0
    ) levels
  ), spent as (
    update rate_bucket b set updated_at = v.at, is_refused = not v.is_admitted,
      tokens = case b.id when v.bucket then v.own else v.total end - v.is_admitted::int
    from decided v
    where b.id = any(array[${ACCOUNT_BUCKET}, v.bucket]) and (v.is_admitted or v.is_set_back)
  )`

/** One of the two rows, as columns: null where it is missing. */
function column(bucket: string, isIt: string): string {
  return `max(tokens) filter (where ${isIt}) as ${bucket}_tokens, max(updated_at) filter (where ${isIt}) as ${bucket}_at`
}

/** What a bucket holds by now; null where it is missing, which `least` alone would pass over. */
function level(bucket: string, size: string, refill: string): string {
  return `case when ${bucket}_at is not null then least(${size}, ${bucket}_tokens + ${refill}
          * greatest(0, extract(epoch from at - ${bucket}_at))::double precision) end as ${bucket}`
}

const LEVELS = `v.account_id as "visitorAccountId", v.bucket_size as "bucketSize", v.refill,
    v.own, v.total, v.is_admitted as "isAdmitted"`

const VISIT = `${taking(BY_KEY)}, used as (${MARK_KEY_USED}
  )
  select v.id as "keyId", ${LEVELS}`

const VISIT_ONLY = statement<KeyLevels>('visit', `${VISIT} from decided v`)

const VISIT_SITE = statement<Levels>(
  'visit-site',
  `${taking(BY_ACCOUNT)} select ${LEVELS} from decided v`,
)

/** Full ones, for a visitor's first request and after a crash of the database. */
const makingBuckets = (visitor: string): string => `
  with visitor as (${visitor})
  insert into rate_bucket (id, tokens, is_refused, updated_at)
  select b.id, b.size, false, clock_timestamp() from visitor v, lateral (
    values (${ACCOUNT_BUCKET}, ${ACCOUNT_SIZE}), (v.bucket, v.bucket_size)) b (id, size)
  on conflict (id) do nothing`

const MAKE_KEY_BUCKETS = statement<unknown>('make-key-buckets', makingBuckets(BY_KEY))
const MAKE_SITE_BUCKETS = statement<unknown>('make-site-buckets', makingBuckets(BY_ACCOUNT))

/** Exported for the benchmark, which sends the same over a bare server. */
export const VISIT_BALANCE = statement<KeyLevels & Balance>(
  'visit-balance',
  `${VISIT}, b.posted_micros as "postedMicros", b.held_micros as "heldMicros"
  from decided v join balance b on b.account_id = v.account_id`,
)

export const VISIT_JOB = statement<KeyLevels & (JobRow | { id: null })>(
  'visit-job',
  `${VISIT}, j.* from decided v left join lateral (
    select ${JOB_COLUMNS} from job where id = $2 and account_id = v.account_id
  ) j on true`,
)

/** Takes a token for the live key with this hash; null where there is none, or its account is suspended. */
export async function visitApiKey(pool: pg.Pool, secretHash: Buffer): Promise<KeyVisit | null> {
  const row = await visit(pool, VISIT_ONLY, [secretHash], MAKE_KEY_BUCKETS)
  return row === null ? null : toKeyVisit(row)
}

/** The same, with what the account owns and has set aside, in micros. */
export async function visitBalance(
  pool: pg.Pool,
  secretHash: Buffer,
): Promise<(KeyVisit & { balance: Balance }) | null> {
  const row = await visit(pool, VISIT_BALANCE, [secretHash], MAKE_KEY_BUCKETS)
  return row === null ? null : { ...toKeyVisit(row), balance: row }
}

/** The same, with a job of the key's account; `job` is null where the account has none of this id. */
export async function visitJob(
  pool: pg.Pool,
  secretHash: Buffer,
  jobId: string,
): Promise<(KeyVisit & { job: JobRecord | null }) | null> {
  const row = await visit(pool, VISIT_JOB, [secretHash, jobId], MAKE_KEY_BUCKETS)
  return row === null ? null : { ...toKeyVisit(row), job: row.id === null ? null : toJob(row) }
}

/** Takes a token for a page of the website that the account has open. */
export async function visitSite(pool: pg.Pool, accountId: string): Promise<Visit> {
  const row = await visit(pool, VISIT_SITE, [accountId], MAKE_SITE_BUCKETS)
  assert(row !== null, 'an account that is named is a visitor')
  return toVisit(row)
}

/** Forgets buckets that are long full again, those of keys that are gone among them; passes over those in use. */
export async function sweepBuckets(db: Db): Promise<void> {
  await sql`
    delete from rate_bucket where id in (
      select id from rate_bucket where updated_at < clock_timestamp() - ${LIMITS.bucketsKeptSeconds}::double precision * interval '1 second'
      for update skip locked)
  `.execute(db)
}

/** Asks until the buckets are there: they may be swept between being made and being asked for. */
async function visit<Row extends Levels>(
  pool: pg.Pool,
  asked: Statement<Row>,
  values: [visitor: Buffer | string, ...rest: unknown[]],
  making: Statement<unknown>,
): Promise<Row | null> {
  for (;;) {
    const [row] = await run(pool, asked, values)
    if (row === undefined) return null
    if (row.isAdmitted !== null) return row
    await run(pool, making, values.slice(0, 1))
  }
}

function toKeyVisit(row: KeyLevels): KeyVisit {
  return { keyId: row.keyId, ...toVisit(row) }
}

function toVisit({ visitorAccountId, bucketSize, refill, own, total, isAdmitted }: Levels): Visit {
  const [ownLevel, totalLevel] = [own ?? 0, total ?? 0]
  return {
    accountId: visitorAccountId,
    isAdmitted: isAdmitted === true,
    isAccountSpent: totalLevel < 1,
    bucketSize,
    remaining: isAdmitted === true ? Math.floor(ownLevel - 1) : 0,
    nextTokenSeconds: Math.max(
      secondsUntilOne(ownLevel, refill),
      secondsUntilOne(totalLevel, LIMITS.accountRefillPerSecond),
    ),
  }
}

function secondsUntilOne(tokens: number, refillPerSecond: number): number {
  return tokens >= 1 ? 0 : (1 - tokens) / refillPerSecond
}
