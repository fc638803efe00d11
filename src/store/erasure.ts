/**
 * Rows that are to go: expired ones, texts and rows of old jobs, and those of deleted accounts, as the register of
 * tables says.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Db, query } from './database.ts'
import {
  latestOf,
  type Register,
  rowsOfAccount,
  sweptBy,
  type SweptTable,
  type TableOfLatest,
} from './register.ts'

/**
 * Deletes up to `rowsMax` rows that expired, or are older than `minSeconds`, the oldest first; those that another sweep
 * is deleting are skipped. Returns how many. The register names the column of the instant.
 */
export async function sweepTable(
  db: Db,
  table: SweptTable,
  { minSeconds = 0, rowsMax }: { minSeconds?: number; rowsMax: number },
): Promise<number> {
  const at = sql.ref(sweptBy(table))
  return query`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${at} <= now() - make_interval(secs => ${minSeconds})
      order by ${at} limit ${rowsMax} for update skip locked))
  `.rowCount(db)
}

/** Deletes the owner's rows but for the latest `keptMax`. A grant owns its tokens; the caller holds its lock. */
export async function deleteAllButLatest(
  db: Db,
  table: TableOfLatest,
  { ownerId, keptMax }: { ownerId: string; keptMax: number },
): Promise<void> {
  const { key, of, order } = latestOf(table)
  await query`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(of)} = ${ownerId}
      order by ${sql.raw(order)} offset ${keptMax})
  `.rowCount(db)
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

/** Notes that no row of these jobs is left. */
export async function setErased(db: Db, jobIds: string[]): Promise<void> {
  await sql`update job set erased_at = now() where id = any(${jobIds})`.execute(db)
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
      select id, account_id from job
      where finished_at < now() - make_interval(days => ${keptDays}) and texts_deleted_at is null
      order by finished_at limit ${jobsMax} for update skip locked
    ), counting as materialized ( -- the rows on which the trigger counts, in the order of their ids
      select id from account where id in (select account_id from due) order by id for no key update
    ), marked as (
      update job set texts_deleted_at = now() from due, (select count(*) from counting) c
      where job.id = due.id returning job.id
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

/** Deletes up to `rowsMax` rows of the account from a table that the register has a path for. Returns how many. */
export async function eraseRowsOfAccount(
  db: Db,
  { register, table }: { register: Register; table: string },
  { accountId, rowsMax }: { accountId: string; rowsMax: number },
): Promise<number> {
  const [before = '', after = ''] = rowsOfAccount(register, table).split('$1')
  return query`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.raw(before)}${accountId}${sql.raw(after)} limit ${rowsMax}))
  `.rowCount(db)
}
