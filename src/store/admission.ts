/** What a new job meets: how many are open over all processes, counted under one lock, how long jobs take, and duplicates. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/database.ts'

const ADMISSION_LOCK = 7_311_849

export type OpenJobs = {
  ofAccount: number
  /** Accounts with open jobs, this one not counted. */
  otherAccounts: number
}

/**
 * Counts unsettled jobs while nobody else can admit one: the lock lasts until the transaction ends.
 * Taken after the balance, last before the job is inserted.
 */
export async function lockAdmission(tx: Tx, accountId: string): Promise<OpenJobs> {
  await sql`select pg_advisory_xact_lock(${ADMISSION_LOCK}::bigint)`.execute(tx)
  const { rows } = await sql<OpenJobs>`
    select count(*) filter (where account_id = ${accountId})::int as "ofAccount",
      count(distinct account_id) filter (where account_id <> ${accountId})::int as "otherAccounts"
    from job where state in ('queued', 'running', 'cancelling')
  `.execute(tx)
  return rows[0] ?? { ofAccount: 0, otherAccounts: 0 }
}

/** Median duration of the latest jobs in seconds, null while there were none. */
export async function recentJobSeconds(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at))
      ::double precision as seconds
    from (select finished_at, created_at from job where finished_at is not null
      order by finished_at desc limit 50) recent
  `.execute(db)
  return rows[0]?.seconds ?? null
}

export type Duplicates = {
  openJobId: string | null
  deliveredLanguages: string[]
  isSuspended: boolean
}

/**
 * What stands in the way of a new job with a URL set: the duplicate job, languages delivered before,
 * and whether the account was suspended since its key was looked at.
 */
export async function findDuplicates(
  db: Db,
  { accountId, urlSetHash }: { accountId: string; urlSetHash: string },
): Promise<Duplicates> {
  const { rows } = await sql<
    Omit<Duplicates, 'deliveredLanguages'> & { deliveredLanguages: string[] | null }
  >`
    select min(id) filter (where state in ('queued', 'running', 'cancelling')) as "openJobId",
      array_agg(distinct language) filter (where success > 0) as "deliveredLanguages",
      exists (select from account where id = ${accountId} and suspended_at is not null) as "isSuspended"
    from job where account_id = ${accountId} and url_set_hash = ${urlSetHash}
  `.execute(db)
  const [row] = rows
  assert(row !== undefined, 'an aggregate has one row')
  return { ...row, deliveredLanguages: row.deliveredLanguages ?? [] }
}
