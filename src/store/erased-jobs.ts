/** Final jobs whose texts or rows are to be deleted: finds those that are due, and deletes old texts. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A place in the list of an account's jobs, newest first. */
export type ErasurePlace = { id: string; createdAt: Date }

/** The account's jobs that have rows or words left, newest first: those after a place, or all where `after` is null. */
export async function listUnerasedJobs(
  db: Db,
  { accountId, after, limit }: { accountId: string; after: ErasurePlace | null; limit: number },
): Promise<ErasurePlace[]> {
  const place: RawBuilder<unknown> =
    after === null ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id})`
  const { rows } = await sql<ErasurePlace>`
    select id, created_at as "createdAt" from job
    where account_id = ${accountId} and erased_at is null ${place}
    order by created_at desc, id desc limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Deletes the texts of up to `jobsMax` jobs that became final more than `keptDays` ago, all of a job's at once. Returns
 * how many jobs. Several processes may run it at the same time.
 */
export async function deleteOldTexts(
  db: Db,
  { keptDays, jobsMax }: { keptDays: number; jobsMax: number },
): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
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
  `.execute(db)
  return rows[0]?.jobs ?? 0
}
