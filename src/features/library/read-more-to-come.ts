/** Tells whoever waited for a job's end that its lists hold more than it took up. */
import { cost, formatUsd } from '../../model/money/money.ts'
import type { Db } from '../../store/database.ts'
import { countVideosLeft } from '../../store/library-rows.ts'
import type { JobRecord } from '../../store/jobs.ts'

type EndedJob = Pick<
  JobRecord,
  'id' | 'accountId' | 'maxVideos' | 'slotsUsed' | 'afterAt' | 'beforeAt'
>

/** Sentences for the answer to POST; none where the job's URLs hold no more, as far as anybody knows. */
export async function noticesOfEnd(db: Db, job: EndedJob): Promise<string[]> {
  const goOn = 'Send the same URLs again to go on.'
  // What lies outside a job's dates is not left for it, and lists are counted as a whole.
  const isBounded = job.afterAt !== null || job.beforeAt !== null
  const left = isBounded
    ? null
    : await countVideosLeft(db, { accountId: job.accountId, jobId: job.id })
  if (left === null) {
    if (job.slotsUsed < job.maxVideos) return []
    return [`This job took up all of its ${videos(job.maxVideos)}, and there may be more. ${goOn}`]
  }
  if (left === 0) return []
  return [
    `This job has ended with more to come: ${videos(left)} left, for at most ${formatUsd(cost(left))} USD. ${goOn}`,
  ]
}

function videos(count: number): string {
  return count === 1 ? '1 video' : `${count} videos`
}
