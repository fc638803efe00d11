/** Gives a task to every unsettled job that has none: lost in a restore, or with the queue's tables. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { lockJob } from '../../store/jobs.ts'
import { findJobsWithoutTask, type Queue } from '../../store/queue.ts'
import { isFinal } from '../../model/jobs/job.ts'

/** Returns how many were rescued. Many processes may run it at once: the job's lock lets one do it. */
export async function rescueJobs(db: Db, queue: Queue): Promise<number> {
  let rescued = 0
  for (const { jobId, accountId } of await findJobsWithoutTask(db, null)) {
    await transact(db, async (tx) => {
      const job = await lockJob(tx, jobId)
      const [stillMissing] = await findJobsWithoutTask(tx, jobId)
      if (isFinal(job.state) || stillMissing === undefined) return
      await queue.enqueue(tx, { jobId, accountId })
      rescued += 1
    })
  }
  return rescued
}
