/**
 * What final jobs cost, from the tables `job`, `api_key` and those of apps: lines, days and months for the money page,
 * and what keys with a monthly cap spent.
 */
import { type RawBuilder, sql } from 'kysely'
import type {
  ChargedJob,
  Spender,
  SpendingDay,
  SpendingMonth,
  UsageRow,
} from '../model/money/spending.ts'
import type { Spending } from './app-connections.ts'
import { type Db, query } from './database.ts'

/** `month` is like `2026-11`, in UTC; `spender` is a key's id, a connection's id or `website`. Null means all. */
export type SpendingFilter = { accountId: string; month: string | null; spender: string | null }

/**
 * The lines of the list that are asked for: from an offset, or behind a line, which stays right while lines are added.
 */
type LinesAsked = { limit: number; offset?: number; behind?: ChargedJob | null; onlyPaid?: boolean }

/**
 * Returns charged jobs, newest charge first, without open jobs, and without those that cost nothing where `onlyPaid`.
 * Only the lines of the page's jobs are looked at.
 */
export async function listChargedJobs(
  db: Db,
  filter: SpendingFilter,
  { limit, offset = 0, behind = null, onlyPaid = false }: LinesAsked,
): Promise<ChargedJob[]> {
  const rest =
    behind === null ? sql`` : sql`and (j.finished_at, j.id) < (${behind.chargedAt}, ${behind.id})`
  const paid = onlyPaid ? sql`and j.charged_micros <> 0` : sql``
  return query<ChargedJob>`
    select j.id, j.state, j.urls[1] as "firstLine", cardinality(j.urls) as lines, j.given_name as "givenName", j.success as transcripts, coalesce(j.charged_micros, 0) as "chargedMicros",
      j.finished_at as "chargedAt", coalesce(j.key_id, j.connection_id, 'website') as "spenderId",
      coalesce(k.name, c.name) as "spenderName"
    from (
      select j.* from job j where ${matching(filter)} ${rest} ${paid}
      order by j.finished_at desc, j.id desc limit ${limit} offset ${offset}
    ) j left join api_key k on k.id = j.key_id
      left join app_connection a on a.id = j.connection_id left join oauth_client c on c.id = a.client_id
    order by j.finished_at desc, j.id desc
  `.rows(db)
}

/** Returns how many charged jobs there are, and their sums. */
export async function sumChargedJobs(db: Db, filter: SpendingFilter) {
  return query<{ jobs: number; transcripts: number; chargedMicros: bigint }>`
    select count(*)::int as jobs, coalesce(sum(j.success), 0)::int as transcripts,
      coalesce(sum(j.charged_micros), 0)::bigint as "chargedMicros"
    from job j where ${matching(filter)}
  `.onlyRow(db)
}

/** The days (UTC) on which jobs ended, in order. */
export async function listSpendingDays(db: Db, filter: SpendingFilter): Promise<SpendingDay[]> {
  return query<SpendingDay>`
    select to_char(j.finished_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      sum(j.success)::int as transcripts, sum(j.charged_micros)::bigint as "chargedMicros"
    from job j where ${matching(filter)} group by 1 order by 1
  `.rows(db)
}

/** The last `days` (UTC) of each of these accounts, today included, in order; days on which no job ended are 0. */
export async function listDaysOf(
  db: Db,
  accountIds: readonly string[],
  days: number,
): Promise<(SpendingDay & { accountId: string })[]> {
  return query<SpendingDay & { accountId: string }>`
    select a.id as "accountId", to_char(d.day, 'YYYY-MM-DD') as day, coalesce(j.transcripts, 0) as transcripts,
      coalesce(j.charged, 0) as "chargedMicros"
    from unnest(${accountIds}::text[]) as a (id) cross join (
      select (now() at time zone 'utc')::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) d left join (
      select account_id, (finished_at at time zone 'utc')::date as day, sum(success)::int as transcripts,
        sum(charged_micros)::bigint as charged
      from job where account_id = any(${accountIds}::text[])
        and finished_at >= ((now() at time zone 'utc')::date - ${days - 1}::int)::timestamp at time zone 'utc'
      group by 1, 2
    ) j on j.account_id = a.id and j.day = d.day order by a.id, d.day
  `.rows(db)
}

/** The months (UTC) in which jobs ended, the latest first. */
export async function listSpendingMonths(db: Db, accountId: string): Promise<SpendingMonth[]> {
  return query<SpendingMonth>`
    select to_char(finished_at at time zone 'UTC', 'YYYY-MM') as month, sum(charged_micros)::bigint as "chargedMicros"
    from job where account_id = ${accountId} and finished_at is not null group by 1 order by 1 desc
  `.rows(db)
}

/** Costs of jobs by month (UTC) and spender, the latest month and what cost most first. */
export async function listUsage(db: Db, accountId: string): Promise<UsageRow[]> {
  return query<UsageRow>`
    select u.month, u."spenderId", coalesce(k.name, c.name) as "spenderName", u.jobs, u.transcripts, u."chargedMicros" from (
      select to_char(finished_at at time zone 'UTC', 'YYYY-MM') as month, coalesce(key_id, connection_id, 'website') as "spenderId",
        key_id, connection_id, count(*)::int as jobs, sum(success)::int as transcripts, sum(charged_micros)::bigint as "chargedMicros"
      from job where account_id = ${accountId} and finished_at is not null group by 1, 2, 3, 4
    ) u left join api_key k on k.id = u.key_id
      left join app_connection a on a.id = u.connection_id left join oauth_client c on c.id = a.client_id
    order by u.month desc, u."chargedMicros" desc, u."spenderId"
  `.rows(db)
}

/** The spenders of jobs that ended: keys and apps by name, deleted ones without a name, and the website. */
export async function listSpenders(db: Db, accountId: string): Promise<Spender[]> {
  return query<Spender>`
    select s.id, coalesce(k.name, c.name) as name from (
      select distinct coalesce(key_id, connection_id, 'website') as id, key_id, connection_id
      from job where account_id = ${accountId} and finished_at is not null
    ) s left join api_key k on k.id = s.key_id
      left join app_connection a on a.id = s.connection_id left join oauth_client c on c.id = a.client_id
    order by s.id = 'website' desc, name nulls last, s.id
  `.rows(db)
}

function matching({ accountId, month, spender }: SpendingFilter): RawBuilder<unknown> {
  const parts = [sql`j.account_id = ${accountId} and j.finished_at is not null`]
  if (month !== null) {
    const start = sql`${`${month}-01`}::timestamp at time zone 'UTC'`
    const end = sql`(${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC'`
    parts.push(sql`j.finished_at >= ${start} and j.finished_at < ${end}`)
  }
  if (spender !== null) parts.push(sql`coalesce(j.key_id, j.connection_id, 'website') = ${spender}`)
  return sql.join(parts, sql` and `)
}

/** Returns, by key id, what each of the account's capped keys spent in this calendar month (UTC), in micros. */
export async function listKeySpendings(db: Db, accountId: string): Promise<Map<string, bigint>> {
  const rows = await query<{ id: string; spentMicros: bigint }>`
    select k.id, ${SPENT} from api_key k
    where k.account_id = ${accountId} and k.kind = 'key' and k.monthly_cap_micros is not null
  `.rows(db)
  return new Map(rows.map(({ id, spentMicros }) => [id, spentMicros]))
}

/** SQL for what the jobs of key `k` reserved or were charged in this calendar month (UTC). */
const SPENT = sql`(select coalesce(sum(coalesce(j.charged_micros, j.reserved_micros)), 0)::bigint from job j
    where j.key_id = k.id and j.created_at >= date_trunc('month', now(), 'UTC')) as "spentMicros"`

/**
 * Returns what a capped key may spend this month and has spent; null where it was revoked, or has no cap any more.
 * Under the balance's lock, which every job start holds, no other transaction adds to the spending.
 */
export async function readKeySpending(db: Db, keyId: string): Promise<Spending | null> {
  return query<Spending>`
    select coalesce(k.monthly_cap_micros, 0) as "capMicros", ${SPENT}
    from api_key k where k.id = ${keyId} and k.revoked_at is null and k.monthly_cap_micros is not null
  `.firstRow(db)
}
