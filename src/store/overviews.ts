/** Overviews for operators: accounts with their money, and jobs of all accounts. */
import { type RawBuilder, sql } from 'kysely'
import type { JobState } from '../model/jobs/job.ts'
import type { AccountRow } from './accounts.ts'
import { type Db, query } from './database.ts'
import { BRIEF_JOB_COLUMNS, type BriefJob, type JobRow, LINED_JOB_COLUMNS, toJob } from './jobs.ts'

export type AccountOverview = AccountRow & {
  /** When the last of a deleted account's data was erased; null while some may be left. */
  erasedAt: Date | null
  postedMicros: bigint
  heldMicros: bigint
  /** Charges of the account's jobs so far. */
  chargedMicros: bigint
  /** How many jobs the account ever started. */
  jobs: number
  /** When any of the account's keys was last used, to the minute; null means never. */
  lastUsedAt: Date | null
}

export type AccountsFilter = {
  search: string | null
  onlySuspended: boolean
  offset: number
  limit: number
}

/**
 * Returns a page of accounts, newest first, whose jobs are summed in one go. `search` is a part of an e-mail address,
 * in any case, or a whole id.
 */
export async function listAccounts(
  db: Db,
  { search, onlySuspended, offset, limit }: AccountsFilter,
): Promise<{ total: number; accounts: AccountOverview[] }> {
  const matching = sql`
    where (${search}::text is null or id = ${search} or position(lower(${search}) in lower(email)) > 0)
      and (${!onlySuspended} or (suspended_at is not null and deleted_at is null))`
  const total = await query<{ total: number }>`
    select count(*)::int as total from account ${matching}
  `.value(db)
  const accounts = await query<AccountOverview>`
    with a as materialized (
      select * from account ${matching} order by created_at desc, id desc limit ${limit} offset ${offset}
    ), charged as materialized (
      select account_id, sum(charged_micros)::bigint as micros from job
      where account_id in (select id from a) group by account_id
    )
    select ${overview(sql`(select micros from charged where account_id = a.id)`)}
    from a join balance b on b.account_id = a.id
    order by a.created_at desc, a.id desc
  `.rows(db)
  return { total, accounts }
}

export async function findOverview(db: Db, accountId: string): Promise<AccountOverview | null> {
  return query<AccountOverview>`
    select ${overview(sql`(select sum(charged_micros)::bigint from job where account_id = a.id)`)}
    from account a join balance b on b.account_id = a.id where a.id = ${accountId}
  `.firstRow(db)
}

const overview = (
  charged: RawBuilder<bigint>,
) => sql`a.id, a.email, a.created_at as "createdAt", a.suspended_at as "suspendedAt", a.deleted_at as "deletedAt",
  a.erased_at as "erasedAt", a.jobs,
  b.posted_micros as "postedMicros", b.held_micros as "heldMicros",
  coalesce(${charged}, 0) as "chargedMicros",
  (select max(last_used_at) from api_key where account_id = a.id) as "lastUsedAt"`

export type OwnedJob = BriefJob & { email: string }

type OwnedJobRow = JobRow & { lines: number; email: string }

const EMAIL = sql`(select email from account where account.id = job.account_id) as email`

/** A null `accountId` means all accounts, null `states` mean any state. */
type JobsFilter = {
  accountId: string | null
  states: readonly JobState[] | null
  offset: number
  limit: number
}

/**
 * Returns jobs with their first lines, newest first, since ids are in order of time; one more than `limit` where there
 * are more.
 */
export async function listAllJobs(
  db: Db,
  { accountId, states, offset, limit }: JobsFilter,
): Promise<OwnedJob[]> {
  const rows = await query<OwnedJobRow>`
    select ${sql.raw(BRIEF_JOB_COLUMNS)}, ${EMAIL} from (select * from job
    where ${accountId === null ? sql`true` : sql`account_id = ${accountId}`}
      and ${states === null ? sql`true` : sql`state in (${sql.join(states.map((state) => sql.lit(state)))})`}
    order by ${accountId === null ? sql`` : sql`created_at desc,`} id desc limit ${limit + 1} offset ${offset}
    ) job order by ${accountId === null ? sql`` : sql`created_at desc,`} id desc
  `.rows(db)
  return rows.map(toJob)
}

/** Returns the job with all its lines, of any account, or null. */
export async function findAnyJob(db: Db, jobId: string): Promise<OwnedJob | null> {
  const row = await query<OwnedJobRow>`
    select ${sql.raw(LINED_JOB_COLUMNS)}, ${EMAIL} from job where id = ${jobId}
  `.firstRow(db)
  return row === null ? null : toJob(row)
}

/** A queued job's position: how many jobs are ahead of it, and how many are running. */
export type QueuePosition = {
  ahead: number
  aheadOfAccount: number
  running: number
  runningOfAccount: number
}

/** Returns positions by job id; jobs that are not queued are left out. It reads only open jobs. */
export async function readQueuePositions(
  db: Db,
  jobIds: string[],
): Promise<Map<string, QueuePosition>> {
  const rows = await query<QueuePosition & { id: string }>`
    select q.id,
      count(*) filter (where o.state = 'queued' and o.id < q.id)::int as ahead,
      count(*) filter (where o.state = 'queued' and o.id < q.id and o.account_id = q.account_id)::int as "aheadOfAccount",
      count(*) filter (where o.state <> 'queued')::int as running,
      count(*) filter (where o.state <> 'queued' and o.account_id = q.account_id)::int as "runningOfAccount"
    from job q join job o on o.state in ('queued', 'running', 'cancelling')
    where q.id = any(${jobIds}) and q.state = 'queued'
    group by q.id
  `.rows(db)
  return new Map(rows.map(({ id, ...position }) => [id, position]))
}

type UserOfAccount = { id: string; email: string; isProven: boolean }

/** The users who sign in to the account. */
export async function listUsers(db: Db, accountId: string): Promise<UserOfAccount[]> {
  return query<UserOfAccount>`
    select id, email, email_verified as "isProven" from sign_in_user where account_id = ${accountId}
    order by created_at, id
  `.rows(db)
}

/** Returns the database's time and, for each instant, how many accounts that existed then were deleted since. */
export async function countDeletedSince(db: Db, instants: readonly Date[]) {
  return query<{ now: Date; counts: number[] }>`
    with gone as materialized (
      select created_at, deleted_at from account where deleted_at is not null
    )
    select now(), array(
      select (select count(*) from gone where created_at <= i.at and deleted_at > i.at)::float8
      from unnest(${instants}::timestamptz[]) with ordinality as i (at, place) order by i.place
    ) as counts
  `.onlyRow(db)
}
