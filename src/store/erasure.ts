/**
 * Rows that are to go: expired ones, texts and rows of old jobs, and those of deleted accounts, as
 * model/accounts/erasure-plan.ts names them.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Db, query } from './database.ts'

/** The tables whose rows expire at their `expires_at`, with the column that is their key. */
export const EXPIRING_TABLES = {
  sign_in_session: 'id',
  sign_in_verification: 'id',
  address_change: 'confirm_hash',
  sign_up: 'token_hash',
  oauth_refresh_token: 'token_hash',
  oauth_grant: 'id',
  device_login: 'device_hash',
  preview: 'id',
} as const
export type ExpiringTable = keyof typeof EXPIRING_TABLES

/**
 * Deletes up to `rowsMax` expired rows, the oldest first; those that another sweep is deleting are skipped. Returns how
 * many.
 */
export async function sweepExpired(db: Db, table: ExpiringTable, rowsMax: number): Promise<number> {
  const key = sql.ref(EXPIRING_TABLES[table])
  return query`
    delete from ${sql.table(table)} where ${key} in (
      select ${key} from ${sql.table(table)} where expires_at < now()
      order by expires_at limit ${rowsMax} for update skip locked)
  `.rowCount(db)
}

/** The tables whose rows are kept for a time after the instant in this column. */
export const AGEING_TABLES = {
  channel_name: 'asked_at',
  publish_date: 'asked_at',
  preview_page: 'asked_at',
  list_bookmark: 'kept_at',
} as const
export type AgeingTable = keyof typeof AGEING_TABLES

/** Deletes up to `rowsMax` rows that are older than `maxSeconds`, the oldest first. */
export async function sweepAged(
  db: Db,
  table: AgeingTable,
  { maxSeconds, rowsMax }: { maxSeconds: number; rowsMax: number },
): Promise<void> {
  const at = sql.ref(AGEING_TABLES[table])
  await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${at} <= now() - make_interval(secs => ${maxSeconds})
      order by ${at} limit ${rowsMax}))
  `.execute(db)
}

// Final jobs whose texts or rows are to be deleted: finds those that are due, and deletes old texts.

/** A place in the list of an account's jobs, newest first. */
export type ErasurePlace = { id: string; createdAt: Date }

/** The account's jobs that have rows or words left, newest first: those after a place, or all where `after` is null. */
export async function listUnerasedJobs(
  db: Db,
  { accountId, after, limit }: { accountId: string; after: ErasurePlace | null; limit: number },
): Promise<ErasurePlace[]> {
  const place: RawBuilder<unknown> =
    after === null ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id})`
  return query<ErasurePlace>`
    select id, created_at as "createdAt" from job
    where account_id = ${accountId} and erased_at is null ${place}
    order by created_at desc, id desc limit ${limit}
  `.rows(db)
}

/**
 * Deletes the texts of up to `jobsMax` jobs that became final more than `keptDays` ago, all of a job's at once. Returns
 * how many jobs. Several processes may run it at the same time.
 */
export async function deleteOldTexts(
  db: Db,
  { keptDays, jobsMax }: { keptDays: number; jobsMax: number },
): Promise<number> {
  return query<{ jobs: number }>`
    with due as (
      select id from job
      where finished_at < now() - make_interval(days => ${keptDays}) and texts_deleted_at is null
      order by finished_at limit ${jobsMax} for update skip locked
    ), marked as (
      update job set texts_deleted_at = now() from due where job.id = due.id returning job.id
    ), forms as (
      delete from transcript_form f using due where f.job_id = due.id
    ), bodies as (
      delete from transcript_body b using due where b.job_id = due.id
    )
    select count(*)::int as jobs from marked
  `.value(db)
}

// Rows of deleted accounts in any table: the one file that deletes what others own.

/** Deletes up to `rowsMax` rows of these jobs from a table with a `job_id`. Returns how many. */
export async function eraseRowsOfJobs(
  db: Db,
  table: string,
  { jobIds, rowsMax }: { jobIds: string[]; rowsMax: number },
): Promise<number> {
  return query`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where job_id = any(${jobIds}) limit ${rowsMax}))
  `.rowCount(db)
}

/** Deletes up to `rowsMax` rows of the account; `condition` says which, with `$1` for the account. */
export async function eraseRowsOfAccount(
  db: Db,
  { table, condition }: { table: string; condition: string },
  { accountId, rowsMax }: { accountId: string; rowsMax: number },
): Promise<number> {
  const [before = '', after = ''] = condition.split('$1')
  return query`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.raw(before)}${accountId}${sql.raw(after)} limit ${rowsMax}))
  `.rowCount(db)
}
