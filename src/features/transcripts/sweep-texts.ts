/** Workers' sweep of stored texts: old ones are deleted. */
import type { Db } from '../../store/database.ts'
import { deleteOldTexts } from '../../store/erasure.ts'

/** Number of jobs whose old texts one statement deletes, and how often that is repeated at once. */
const OLD_TEXTS_JOBS_AT_ONCE = 2
const OLD_TEXTS_ROUNDS = 500

/**
 * Deletes the texts of jobs that ended more than `keptDays` ago (RETENTION_DAYS), a few jobs a statement, so that none
 * takes long; the rest is left for the next time. Returns how many jobs.
 */
export async function sweepTexts(db: Db, keptDays: number): Promise<number> {
  let jobs = 0
  for (let round = 0; round < OLD_TEXTS_ROUNDS; round += 1) {
    const deleted = await deleteOldTexts(db, { keptDays, jobsMax: OLD_TEXTS_JOBS_AT_ONCE })
    jobs += deleted
    if (deleted < OLD_TEXTS_JOBS_AT_ONCE) break
  }
  return jobs
}
