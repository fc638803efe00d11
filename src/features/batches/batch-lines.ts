/** Outcomes of the lines of a batch, from what its jobs did. */
import { isOfWholeList, type OrderLine } from '../../model/jobs/order.ts'
import type { LineSize, LineVisit } from '../../model/jobs/batch-lines.ts'
import { type DateBounds, isBounded } from '../../model/jobs/date-bounds.ts'
import { remainingVideos } from '../../model/library/collection.ts'
import { setLatest } from '../../kit/latest.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { ATTEMPT_STATUSES } from '../../model/jobs/video-row.ts'
import {
  countRowsOfLines,
  type LineOfJob,
  listLinesOfJobs,
  type RowsOfLine,
} from '../../store/batch-lines.ts'
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
  const counted = await countsOf(db, byId, found)
  return found.flatMap((one) => {
    const job = byId.get(one.jobId)
    if (job === undefined) return []
    // A tab, or a part of a channel by its dates, holds fewer videos than its list says.
    const isWhole = wholes.has(one.line) && !isBounded(bounds)
    const { jobId, position, line, listed, collectionId } = one
    const { rowTitle, ...counts } =
      counted.get(jobId)?.find((rows) => rows.position === position) ?? NO_ROWS
    const { state, maxVideos, slotsUsed } = job
    const use = { state, maxVideos, slotsUsed, truncated: job.counts.truncated }
    const isOpened = collectionId !== null
    const title = one.title ?? (isOpened ? null : rowTitle)
    const size = isWhole ? sizeOf(one) : UNKNOWN
    return [{ ...use, ...counts, jobId, line, listed, isOpened, title, ...size }]
  })
}

const NO_ROWS = {
  rows: 0,
  taken: 0,
  delivered: 0,
  lineTruncated: 0,
  missing: 0,
  unread: 0,
  rowTitle: null,
}

/** Final jobs whose rows were counted, which never change: a batch is read once a second, and has millions of rows. */
const COUNTED = new Map<string, RowsOfLine[]>()
const COUNTED_MAX = 2_000

/** Returns the counts of each job's lines. Rows are read only where the job's own counters do not tell. */
async function countsOf(
  db: Db,
  jobs: ReadonlyMap<string, BatchJobLine>,
  lines: readonly LineOfJob[],
): Promise<Map<string, RowsOfLine[]>> {
  const counts = new Map<string, RowsOfLine[]>()
  const asked: string[] = []
  for (const [jobId, ofJob] of Map.groupBy(lines, (line) => line.jobId)) {
    const job = jobs.get(jobId)
    const [first, ...others] = ofJob
    const isAlone = others.length === 0 && first !== undefined && first.collectionId !== null
    const known =
      COUNTED.get(jobId) ?? (isAlone && job !== undefined ? countsOfJob(job, first) : null)
    if (known === null) asked.push(jobId)
    else counts.set(jobId, known)
  }
  if (asked.length === 0) return counts
  const byJob = Map.groupBy(await countRowsOfLines(db, asked), ({ jobId }) => jobId)
  for (const jobId of asked) {
    const value = byJob.get(jobId) ?? []
    counts.set(jobId, value)
    const job = jobs.get(jobId)
    if (job !== undefined && isFinal(job.state))
      setLatest(COUNTED, jobId, { value, max: COUNTED_MAX })
  }
  return counts
}

/** Returns the counts of a job's only list; null where a row of it may say that the list was not read. */
function countsOfJob(
  { id, processed, counts }: BatchJobLine,
  line: LineOfJob,
): RowsOfLine[] | null {
  if (counts.failed + counts.blocked_suspect > 0) return null
  const taken = ATTEMPT_STATUSES.reduce((sum, status) => sum + counts[status], 0)
  const { success: delivered, truncated: lineTruncated, invalid_url: missing } = counts
  const { position } = line
  const rowTitle = null
  return [
    {
      jobId: id,
      position,
      rows: processed,
      taken,
      delivered,
      lineTruncated,
      missing,
      unread: 0,
      rowTitle,
    },
  ]
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
