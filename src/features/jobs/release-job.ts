/** Hands a job back in an orderly way: the next attempt continues it, and none counts as lost. */
import type { Db } from '../../store/database.ts'
import { clearHold } from '../../store/jobs.ts'
import type { Attempt } from '../../model/jobs/attempt.ts'

/** Rows that the attempt was reading are under no suspicion. Nothing happens where another attempt holds the job. */
export async function releaseJob(db: Db, { jobId, number }: Attempt): Promise<void> {
  await clearHold(db, { jobId, number })
}
