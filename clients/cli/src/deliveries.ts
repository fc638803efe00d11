/**
 * Where the texts of a job's rows are: in the job itself, or, for `unchanged` rows, in the job that delivered them.
 * Reading those again costs nothing.
 */
import { earlierJobOf, holderOf, isWished } from '../../typescript/src/earlier.ts'
import type { Job, Scriptorium, Video } from '../../typescript/src/index.ts'

/** A delivered video: the row of the job that delivered it, without text. */
export type Delivery = {
  jobId: string
  video: Video
  /** Position in that job's results. */
  offset: number
}

/** Deliveries of one job, and the highest index of its rows. */
export type EarlierJob = { deliveries: Delivery[]; indexMax: number }

export const PAGE_ROWS = 200

/** Returns every row without text, or those of one status. Rows of a final job come in order of `index`. */
export async function readRows(
  client: Scriptorium,
  jobId: string,
  filter: { status?: string } = {},
): Promise<Video[]> {
  const rows: Video[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const query = { ...filter, offset, limit: PAGE_ROWS, view: 'rows' as const }
    const page = await client.jobs.resultsPage(jobId, query)
    rows.push(...page.videos)
    offset = page.nextOffset
  }
  return rows
}

export function deliveredBy(jobId: string, rows: readonly Video[]): Delivery[] {
  return rows.flatMap((video, offset) =>
    video.status === 'success' ? [{ jobId, video, offset }] : [],
  )
}

/** Yields the deliveries that the `unchanged` rows of a job stand for, job by job, each video once. */
export async function* earlierJobs(
  client: Scriptorium,
  job: Job,
  unchanged: readonly Video[],
): AsyncGenerator<EarlierJob, void, undefined> {
  const wanted = new Map(unchanged.map((row) => [row.videoId, row]))
  for (const row of unchanged) {
    if (!wanted.has(row.videoId)) continue
    const jobId = await holderOf(client.library, row, { jobId: job.id })
    if (jobId === null) continue
    const rows = await readRows(client, jobId)
    const deliveries = deliveredBy(jobId, rows).filter(({ video }) => isMeant(video, jobId))
    for (const { video } of deliveries) wanted.delete(video.videoId)
    if (deliveries.length > 0) yield { deliveries, indexMax: rows.at(-1)?.index ?? 1 }

    function isMeant(video: Video, holder: string): boolean {
      const one = wanted.get(video.videoId)
      if (one === undefined) return false
      const named = earlierJobOf(one)
      if (named !== null) return named === holder
      return one.videoId === row.videoId || isWished(job, video)
    }
  }
}
