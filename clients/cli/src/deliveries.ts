/**
 * Where the texts of a job's rows are: in the job itself, or, for `unchanged` rows, in the job that delivered them.
 * Reading those again costs nothing.
 */
import { textRowsOf } from '../../typescript/src/earlier.ts'
import type { Job, PageOptions, Scriptorium, Video } from '../../typescript/src/index.ts'

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

/**
 * Returns every row without text, or those of one status; `include` as for `resultsPage`. Rows of a final job come in
 * order of `index`.
 */
export async function readRows(
  client: Scriptorium,
  jobId: string,
  asked: Pick<PageOptions, 'status' | 'include'> = {},
): Promise<Video[]> {
  const rows: Video[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const query = { ...asked, offset, limit: PAGE_ROWS, view: 'rows' as const }
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
  for (const [jobId, indexes] of await textRowsOf(client, { job, unchanged })) {
    const rows = await readRows(client, jobId)
    const all = deliveredBy(jobId, rows)
    const deliveries = all.filter(({ video }) => indexes.has(video.index))
    if (deliveries.length > 0) yield { deliveries, indexMax: rows.at(-1)?.index ?? 1 }
  }
}
