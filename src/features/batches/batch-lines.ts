/** Outcomes of the lines of a batch, from what its jobs did. */
import { isOfWholeList, type OrderLine } from '../../model/jobs/order.ts'
import type { LineSize, LineVisit } from '../../model/jobs/batch-lines.ts'
import { type DateBounds, isBounded } from '../../model/jobs/date-bounds.ts'
import { remainingVideos } from '../../model/library/collection.ts'
import { type LineOfJob, listLinesOfJobs } from '../../store/batch-lines.ts'
import type { BatchJobLine } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'

type Asked = DateBounds & { accountId: string; lines: readonly OrderLine[] }

/** Returns what each job did with each of its lines, job after job. */
export async function visitsOf(
  db: Db,
  { accountId, lines, ...bounds }: Asked,
  jobs: readonly BatchJobLine[],
): Promise<LineVisit[]> {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const wholes = new Set(lines.filter(isOfWholeList).map(({ text }) => text))
  const found = await listLinesOfJobs(db, accountId, [...byId.keys()])
  return found.flatMap((one) => {
    const job = byId.get(one.jobId)
    if (job === undefined) return []
    // A tab, or a part of a channel by its dates, holds fewer videos than its list says.
    const isWhole = wholes.has(one.line) && !isBounded(bounds)
    const { state, maxVideos, slotsUsed, counts } = job
    const { jobId, line, listed, rows, taken, delivered, lineTruncated } = one
    const counted = { jobId, line, listed, rows, taken, delivered, lineTruncated }
    const title =
      one.title ?? (one.videoCount === null && one.videos === null ? one.rowTitle : null)
    const use = { state, maxVideos, slotsUsed, truncated: counts.truncated }
    return [{ ...use, ...counted, title, ...(isWhole ? sizeOf(one) : UNKNOWN) }]
  })
}

const UNKNOWN = { videos: null, left: null }

/** Returns the same numbers that the library says of the list. */
function sizeOf(line: LineOfJob): LineSize {
  const { videoCount, videos, collectionDelivered: delivered, noCaptions, failed } = line
  if (videos === null || delivered === null || noCaptions === null || failed === null)
    return UNKNOWN
  const left = remainingVideos({ videoCount, videos, delivered, noCaptions, failed })
  return { videos: videoCount, left: left === null ? null : Math.max(0, left) }
}
