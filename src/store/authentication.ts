/**
 * The statements that every authenticated request runs: they find the live key and take a token from its bucket and its
 * account's. Variants also read what pollers ask for all day. Each is one round trip, prepared once per connection.
 */
import assert from 'node:assert/strict'
import type pg from 'pg'
import { LIMITS } from '../config/config.ts'
import type { Balance } from '../model/money/ledger.ts'
import type { AppScope, Audience } from '../model/oauth/authorization.ts'
import { run, type Statement, statement } from '../kit/postgres/statement.ts'
import { query, type Tx } from './database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'
import { untilMade } from './rate-buckets.ts'

/**
 * The account's bucket, for all its keys and pages together: 20 times a key's, however many keys are made and revoked.
 */
const ACCOUNT_BUCKET_SIZE = 1_200
const ACCOUNT_REFILL_PER_SECOND = 20

type BucketTerms = { size: number; refillPerSecond: number }
/** A bucket after a request, in tokens. */
type BucketLevel = BucketTerms & {
  /** Tokens left, rounded down. */
  remaining: number
  /** Seconds until there is one more, rounded up; 0 where it is full. */
  nextSeconds: number
}

/** Metering that admitted or refused a request: a token of each of two buckets. */
export type MeteredRequest = {
  accountId: string
  /** The key's or the website's bucket, and the account's, which all of its keys share. */
  buckets: { own: BucketLevel; account: BucketLevel }
  /** Whether both buckets had a token for this request: the account's, and the key's or the website's. */
  isAdmitted: boolean
  /** Whether the account's bucket had no token. */
  isAccountSpent: boolean
  /** Tokens left in the key's or the website's bucket after this request, rounded down; 0 after a refusal. */
  remaining: number
  /** Seconds until such a request can be admitted; 0 where this one was. */
  nextTokenSeconds: number
}

/** Scopes of an app's token, and the interfaces of the service for which it is good. */
type AppToken = { connectionId: string; scopes: AppScope[]; audience: Audience[] }

/** An owner's key; `isCapped` says whether its monthly spending is limited. */
export type OwnKey = { id: string; isCapped: boolean }

/**
 * The caller behind a key. `app` is null for an owner's key and the website, `own` is null for apps and the website,
 * and `scopes` is null where everything is allowed.
 */
export type AuthenticatedKey = MeteredRequest & {
  keyId: string
  app: AppToken | null
  own: OwnKey | null
  scopes: AppScope[] | null
}

type Levels = {
  requestAccountId: string
  bucketSize: number
  refill: number
  /** Tokens before this request; null where a bucket has to be made first. */
  own: number | null
  total: number | null
  isAdmitted: boolean | null
}
type KeyLevels = Levels & {
  keyId: string
  kind: 'key' | 'session' | 'app'
  isCapped: boolean
  connectionId: string | null
  scopes: AppScope[] | null
  audience: Audience[] | null
}

/** SQL that finds the live key with the hash $1. */
const BY_KEY = `
  select id, account_id, bucket, bucket_size, refill, last_used_at, connection_id, scopes, audience,
    kind, monthly_cap_micros is not null as is_capped from api_key
  where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())
    and (select a.suspended_at is null from account a where a.id = account_id)`

/** SQL that stands for the website's pages of account $1, which share a bucket with its sessions' bearers. */
const BY_ACCOUNT = `
  select null::text as id, $1::text as account_id, 'sessions:' || $1 as bucket, ${LIMITS.sessionBucketSize} as bucket_size,
    ${LIMITS.sessionRefillPerSecond}::double precision as refill, null::timestamptz as last_used_at`

/** The size of the account's bucket; a key whose own bucket an operator made larger widens it. */
const ACCOUNT_SIZE = `greatest(${ACCOUNT_BUCKET_SIZE}, v.bucket_size)`

/**
 * Takes a token from both buckets, or from neither. Every transaction locks the rows in the order of their ids. Where a
 * bucket's row is missing it has no level and `is_admitted` is null: the caller makes the row and asks again.
 */
const taking = (asked: string): string => `
  with asked as materialized (${asked}
  ), locked as materialized (
    select b.id = v.bucket as is_own, b.tokens, b.updated_at
    from asked v join rate_bucket b on b.id = any(array[v.bucket, 'account:' || v.account_id])
    order by b.id for update of b
  ), decided as materialized (
    select *, own >= 1 and total >= 1 as is_admitted from ( -- offset 0: each level is computed once
      select v.*, at, at < own_at or at < total_at as is_set_back,
        case when own_at is not null then least(v.bucket_size, own_tokens
          + v.refill * greatest(0, extract(epoch from at - own_at))::double precision) end as own,
        case when total_at is not null then least(${ACCOUNT_SIZE}, total_tokens
          + ${ACCOUNT_REFILL_PER_SECOND} * greatest(0, extract(epoch from at - total_at))::double precision) end as total
      from asked v cross join (
        select clock_timestamp() as at,
          max(tokens) filter (where is_own) as own_tokens, max(updated_at) filter (where is_own) as own_at,
          max(tokens) filter (where not is_own) as total_tokens, max(updated_at) filter (where not is_own) as total_at
        from locked) found offset 0
    ) levels
  ), spent as (
    update rate_bucket b set updated_at = v.at,
      tokens = case b.id when v.bucket then v.own else v.total end - v.is_admitted::int
    from decided v
    where b.id = any(array[v.bucket, 'account:' || v.account_id]) and (v.is_admitted or v.is_set_back)
  )`

/** Makes missing buckets, full: at a caller's first request, and after a crash of the database lost them. */
const making = (asked: string): string => `
  with asked as (${asked})
  insert into rate_bucket (id, tokens, updated_at)
  select b.id, b.size, clock_timestamp() from asked v, lateral (
    values (v.bucket, v.bucket_size), ('account:' || v.account_id, ${ACCOUNT_SIZE})) b (id, size)
  on conflict (id) do nothing`

const LEVELS = `v.account_id as "requestAccountId", v.bucket_size as "bucketSize", v.refill,
    v.own, v.total, v.is_admitted as "isAdmitted"`

/** Takes the tokens, and notes when the key was used, to the minute. */
const AUTHENTICATING = `${taking(BY_KEY)}, used as (
    update api_key k set last_used_at = now() from decided v
    where k.id = v.id and (v.last_used_at is null or v.last_used_at < now() - interval '1 minute')
  )
  select v.id as "keyId", v.connection_id as "connectionId", v.scopes, v.audience, v.kind, v.is_capped as "isCapped", ${LEVELS}`

const AUTHENTICATE = statement<KeyLevels>('authenticate', `${AUTHENTICATING} from decided v`)

const METER_SITE = statement<Levels>(
  'meter-site',
  `${taking(BY_ACCOUNT)} select ${LEVELS} from decided v`,
)

const MAKE_KEY_BUCKETS = statement<unknown>('make-key-buckets', making(BY_KEY))
const MAKE_SITE_BUCKETS = statement<unknown>('make-site-buckets', making(BY_ACCOUNT))

/** Exported for the benchmark, which sends this statement over a bare server. */
export const AUTHENTICATE_FOR_BALANCE = statement<KeyLevels & Balance>(
  'authenticate-for-balance',
  `${AUTHENTICATING}, b.posted_micros as "postedMicros", b.held_micros as "heldMicros"
  from decided v join balance b on b.account_id = v.account_id`,
)

export const AUTHENTICATE_FOR_JOB = statement<KeyLevels & (JobRow | { id: null })>(
  'authenticate-for-job',
  `${AUTHENTICATING}, j.* from decided v left join lateral (
    select ${JOB_COLUMNS} from job where id = $2 and account_id = v.account_id
  ) j on true`,
)

/** Rows that a request will need besides; they are read in the same round trip. */
export type ReadAlong = { kind: 'nothing' } | { kind: 'balance' } | { kind: 'job'; jobId: string }

/** A live key with what was read along; `job` is null where the account has no such job. */
export type Authenticated = AuthenticatedKey & { balance?: Balance; job?: JobRecord | null }

/** Takes a token for the live key with this hash; null where there is none, or its account is suspended. */
export async function authenticateKey(
  pool: pg.Pool,
  secretHash: Buffer,
  read: ReadAlong = { kind: 'nothing' },
): Promise<Authenticated | null> {
  const ask = <Row extends KeyLevels>(asking: Statement<Row>, ...more: string[]) =>
    takeTokens(pool, asking, [secretHash, ...more], MAKE_KEY_BUCKETS)
  if (read.kind === 'balance') {
    const row = await ask(AUTHENTICATE_FOR_BALANCE)
    return row && { ...toAuthenticatedKey(row), balance: row }
  }
  if (read.kind === 'job') {
    const row = await ask(AUTHENTICATE_FOR_JOB, read.jobId)
    return row && { ...toAuthenticatedKey(row), job: row.id === null ? null : toJob(row) }
  }
  const row = await ask(AUTHENTICATE)
  return row && toAuthenticatedKey(row)
}

/** A key that others may have read; one of an app has no prefix. */
export type ExposedKey = { email: string; name: string; prefix: string | null }

/**
 * Notes that a key came by plain http. Returns it where its owner is to be told: the first time, and never a bearer of
 * the website, which lives for minutes.
 */
export async function markKeySentInClear(tx: Tx, keyId: string): Promise<ExposedKey | null> {
  return query<ExposedKey>`
    update api_key k set sent_in_clear_at = now() from account a
    where k.id = ${keyId} and k.sent_in_clear_at is null and k.kind = 'key' and a.id = k.account_id
    returning a.email, k.name, k.prefix
  `.firstRow(tx)
}

/** Takes a token for a request of a website page that the account has open. */
export async function meterSite(pool: pg.Pool, accountId: string): Promise<MeteredRequest> {
  const row = await takeTokens(pool, METER_SITE, [accountId], MAKE_SITE_BUCKETS)
  assert(row !== null, 'an account that is named has buckets')
  return toMeteredRequest(row)
}

/** Returns null where no live key or account matches. Makes missing buckets, then asks again. */
function takeTokens<Row extends Levels>(
  pool: pg.Pool,
  asking: Statement<Row>,
  values: [asked: Buffer | string, ...rest: unknown[]],
  makingBuckets: Statement<unknown>,
): Promise<Row | null> {
  return untilMade(async () => {
    const [row] = await run(pool, asking, values)
    if (row === undefined) return null
    if (row.isAdmitted !== null) return row
    await run(pool, makingBuckets, values.slice(0, 1))
    return undefined
  })
}

function toAuthenticatedKey(row: KeyLevels): AuthenticatedKey {
  const own = row.kind === 'key' ? { id: row.keyId, isCapped: row.isCapped } : null
  const { keyId, connectionId, scopes, audience } = row
  // A constraint of the table gives an app's token all three values.
  const app =
    connectionId === null ? null : { connectionId, scopes: scopes ?? [], audience: audience ?? [] }
  return { keyId, app, own, scopes, ...toMeteredRequest(row) }
}

function toMeteredRequest(levels: Levels): MeteredRequest {
  const [own, total, isAdmitted] = [levels.own ?? 0, levels.total ?? 0, levels.isAdmitted === true]
  const { bucketSize, refill } = levels
  const accountSize = Math.max(ACCOUNT_BUCKET_SIZE, bucketSize)
  const taken = isAdmitted ? 1 : 0
  return {
    accountId: levels.requestAccountId,
    isAdmitted,
    isAccountSpent: total < 1,
    remaining: isAdmitted ? Math.floor(own - 1) : 0,
    buckets: {
      own: levelOf(own - taken, { size: bucketSize, refillPerSecond: refill }),
      account: levelOf(total - taken, {
        size: accountSize,
        refillPerSecond: ACCOUNT_REFILL_PER_SECOND,
      }),
    },
    nextTokenSeconds: Math.max(
      secondsUntilOne(own, refill),
      secondsUntilOne(total, ACCOUNT_REFILL_PER_SECOND),
    ),
  }
}

function levelOf(tokens: number, { size, refillPerSecond }: BucketTerms): BucketLevel {
  const remaining = Math.floor(tokens)
  const missing = remaining >= size ? 0 : remaining + 1 - tokens
  return { size, refillPerSecond, remaining, nextSeconds: Math.ceil(missing / refillPerSecond) }
}

function secondsUntilOne(tokens: number, refillPerSecond: number): number {
  return tokens >= 1 ? 0 : (1 - tokens) / refillPerSecond
}
