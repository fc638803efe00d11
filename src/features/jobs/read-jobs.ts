/** Reads a page of an account's jobs, or of a job's finished rows. */
import { type PageInfo, pageInfo, type PageRequest } from '../../kit/page.ts'
import type { Db } from '../../store/database.ts'
import { type BriefJob, findJob, type JobRecord, listJobs } from '../../store/jobs.ts'
import {
  type FinishedRow,
  listFinished,
  listMatching,
  type RowFilter,
} from '../../store/video-rows.ts'
import { isFinal } from '../../model/jobs/job.ts'

/** Returns the account's job, or null: a foreign job and a missing one are the same. */
export { findJob as readOwnJob }

/** Returns the account's jobs, newest first, whichever interface started them. */
export async function readJobList(
  db: Db,
  ask: PageRequest & { accountId: string },
): Promise<{ page: PageInfo; jobs: JobRecord[] }> {
  const { total, jobs } = await listJobs(db, ask, 'all')
  return { page: pageInfo(ask, total), jobs }
}

/** Returns the same page with the first lines of each job. */
export async function readBriefJobs(
  db: Db,
  ask: PageRequest & { accountId: string },
): Promise<{ page: PageInfo; jobs: BriefJob[] }> {
  const { total, jobs } = await listJobs(db, ask, 'first')
  return { page: pageInfo(ask, total), jobs }
}

/**
 * Returns a page of the finished rows of a job, up to the moment at which `job` was read: rows that finish later belong
 * to the next look. With a filter `total` counts the rows that match.
 */
export async function readResults(
  db: Db,
  job: JobRecord,
  { filter, ...ask }: PageRequest & { filter: RowFilter | null },
): Promise<{ page: PageInfo; rows: FinishedRow[] }> {
  const { id: jobId, state, processed } = job
  const wanted = { jobId, isFinal: isFinal(state), processed, ...ask }
  const { total, rows } =
    filter === null
      ? { total: processed, rows: await listFinished(db, wanted) }
      : await listMatching(db, wanted, filter)
  return { page: pageInfo(ask, total), rows }
}
