/** The table `account_usage`: what each account made the service do, day by day (UTC). */
import { sql } from 'kysely'
import { type Db, query } from './database.ts'

export type Usage = {
  /** Requests to the platform. */
  calls: number
  /** Bytes that the platform sent, compressed. */
  receivedBytes: number
  /** The account's part of the workers' CPU time. */
  cpuMs: number
  /** Bytes of stored transcripts, compressed. */
  storedBytes: number
}

export type UsageCost = Usage & {
  /** Jobs that ended, what they delivered and what was charged for it. */
  jobs: number
  delivered: number
  chargedMicros: bigint
}

export type AccountCost = UsageCost & { accountId: string; email: string }

export const COST_COLUMNS = ['calls', 'bytes', 'cpu', 'stored', 'money'] as const
export type CostColumn = (typeof COST_COLUMNS)[number]

const ORDER: Record<CostColumn, string> = {
  calls: 'calls',
  bytes: 'receivedBytes',
  cpu: 'cpuMs',
  stored: 'storedBytes',
  money: 'chargedMicros',
}
const TODAY = sql`(now() at time zone 'utc')::date`
const SUMS = sql`coalesce(sum(calls), 0)::double precision as calls,
  coalesce(sum(received_bytes), 0)::double precision as "receivedBytes",
  coalesce(sum(cpu_ms), 0)::double precision as "cpuMs",
  coalesce(sum(stored_bytes), 0)::double precision as "storedBytes"`

/**
 * Adds to today's sums (UTC) of all accounts in one statement, ordered by account so that two processes cannot
 * deadlock. Deleted accounts are left out.
 */
export async function addUsage(db: Db, used: ReadonlyMap<string, Usage>): Promise<void> {
  if (used.size === 0) return
  const rows = [...used].map(([accountId, usage]) => ({
    accountId,
    ...usage,
    cpuMs: Math.round(usage.cpuMs),
  }))
  await sql`
    insert into account_usage (account_id, day, calls, received_bytes, cpu_ms, stored_bytes)
    select u."accountId", ${TODAY}, u.calls, u."receivedBytes", u."cpuMs", u."storedBytes"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u ("accountId" text, calls bigint,
      "receivedBytes" bigint, "cpuMs" bigint, "storedBytes" bigint)
    where (select deleted_at is null from account where id = u."accountId")
    order by u."accountId"
    on conflict (account_id, day) do update set calls = account_usage.calls + excluded.calls,
      received_bytes = account_usage.received_bytes + excluded.received_bytes,
      cpu_ms = account_usage.cpu_ms + excluded.cpu_ms,
      stored_bytes = account_usage.stored_bytes + excluded.stored_bytes
  `.execute(db)
}

/** Returns what one account used in the last `days`, today included. */
export async function readUsage(
  db: Db,
  { accountId, days }: { accountId: string; days: number },
): Promise<Usage> {
  return query<Usage>`
    select ${SUMS} from account_usage where account_id = ${accountId} and day > ${TODAY} - ${days}::int
  `.onlyRow(db)
}

/** The accounts that cost most in the last `days`, today included; the first one costs the most. */
export async function listCosts(
  db: Db,
  { days, by, limit }: { days: number; by: CostColumn; limit: number },
): Promise<AccountCost[]> {
  return query<AccountCost>`
    select * from (${costs(days)}) cost where ${sql.ref(ORDER[by])} > 0
    order by ${sql.ref(ORDER[by])} desc, "accountId" limit ${limit}
  `.rows(db)
}

export type Totals = UsageCost & { accounts: number }

export async function readTotals(db: Db, days: number): Promise<Totals> {
  return query<Totals>`
    select count(*)::int as accounts, coalesce(sum(calls), 0)::double precision as calls,
      coalesce(sum("receivedBytes"), 0)::double precision as "receivedBytes",
      coalesce(sum("cpuMs"), 0)::double precision as "cpuMs",
      coalesce(sum("storedBytes"), 0)::double precision as "storedBytes",
      coalesce(sum(jobs), 0)::int as jobs, coalesce(sum(delivered), 0)::int as delivered,
      coalesce(sum("chargedMicros"), 0)::bigint as "chargedMicros"
    from (${costs(days)}) cost
  `.onlyRow(db)
}

/** Every account that used or ended something: measured use beside the jobs that were settled. */
function costs(days: number) {
  return sql`
    select a.id as "accountId", a.email, coalesce(u.calls, 0) as calls, coalesce(u."receivedBytes", 0) as "receivedBytes",
      coalesce(u."cpuMs", 0) as "cpuMs", coalesce(u."storedBytes", 0) as "storedBytes",
      coalesce(j.jobs, 0) as jobs, coalesce(j.delivered, 0) as delivered, coalesce(j.charged, 0)::bigint as "chargedMicros"
    from (
      select account_id, ${SUMS} from account_usage where day > ${TODAY} - ${days}::int group by account_id
    ) u full join (
      select account_id, count(*)::int as jobs, sum(success)::int as delivered, sum(charged_micros) as charged
      from job where finished_at >= (${TODAY} - ${days - 1}::int) at time zone 'utc' group by account_id
    ) j using (account_id)
    join account a on a.id = account_id`
}

type StoredTexts = { accountId: string; email: string; textBytes: number }

/**
 * The accounts with the most bytes of transcripts, as workers counted them since `sinceDays` before today, or on all
 * days where that is null. Sums one row per account and day, where there may be ten million transcripts.
 */
export async function listStoredTexts(
  db: Db,
  { sinceDays, limit }: { sinceDays: number | null; limit: number },
): Promise<StoredTexts[]> {
  return query<StoredTexts>`
    select a.id as "accountId", a.email, u.bytes as "textBytes"
    from (
      select account_id, sum(stored_bytes)::float8 as bytes from account_usage
      where ${sinceDays}::int is null or day >= ${TODAY} - ${sinceDays}::int
      group by account_id having sum(stored_bytes) > 0
      order by bytes desc, account_id limit ${limit}
    ) u join account a on a.id = u.account_id
    order by u.bytes desc, a.id
  `.rows(db)
}

type TopShares = Record<Exclude<CostColumn, 'money'>, number>

/** The largest account's share of what all accounts used today and yesterday, from 0 to 1; 0 where nothing was used. */
export async function observeTopShares(db: Db): Promise<TopShares> {
  return query<TopShares>`
    select ${topShare('calls')} as calls, ${topShare('"receivedBytes"')} as bytes, ${topShare('"cpuMs"')} as cpu,
      ${topShare('"storedBytes"')} as stored
    from (select ${SUMS} from account_usage where day >= ${TODAY} - 1 group by account_id) used
  `.onlyRow(db)
}

function topShare(column: string) {
  return sql`coalesce(max(${sql.raw(column)}) / nullif(sum(${sql.raw(column)}), 0), 0)`
}
