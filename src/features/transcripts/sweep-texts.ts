/** Deletes the texts of jobs that ended longer ago than this service keeps them (RETENTION_DAYS). */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { deleteOldTexts } from '../../store/erased-jobs.ts'

/** A few jobs a statement, so that none takes long; what is left is for the next time. Returns how many jobs. */
export async function sweepTexts(db: Db, keptDays: number): Promise<number> {
  let jobs = 0
  for (let round = 0; round < LIMITS.oldTextsRounds; round += 1) {
    const deleted = await deleteOldTexts(db, { keptDays, jobsMax: LIMITS.oldTextsJobsAtOnce })
    jobs += deleted
    if (deleted < LIMITS.oldTextsJobsAtOnce) break
  }
  return jobs
}
