/**
 * Where the texts of a job's rows are: in the job itself, or, for `unchanged` rows, in the earlier job that
 * delivered them. Reading those again costs nothing.
 */
import { earlierJobOf } from '../../typescript/src/earlier.ts'
import type { Scriptorium, Video } from '../../typescript/src/index.ts'

/** A delivered video: the row of the job that delivered it, without text. */
export type Delivery = {
  jobId: string
  video: Video
  /** Position in that job's results. */
  offset: number
}

/** Earlier deliveries of one job that are to be fetched, by video id. */
export type EarlierJob = { jobId: string; videoIds: ReadonlySet<string> }

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

/** Groups the rows by the jobs that delivered them. */
export function earlierJobs(unchanged: readonly Video[]): EarlierJob[] {
  const jobs = new Map<string, Set<string>>()
  for (const row of unchanged) {
    const { videoId } = row
    const jobId = earlierJobOf(row)
    if (jobId === null || videoId === null) continue
    const videoIds = jobs.get(jobId) ?? new Set()
    jobs.set(jobId, videoIds.add(videoId))
  }
  return [...jobs].map(([jobId, videoIds]) => ({ jobId, videoIds }))
}

export async function findEarlier(
  client: Scriptorium,
  { jobId, videoIds }: EarlierJob,
): Promise<{ deliveries: Delivery[]; indexMax: number }> {
  const rows = await readRows(client, jobId)
  const deliveries = deliveredBy(jobId, rows).filter(({ video }) =>
    videoIds.has(video.videoId ?? ''),
  )
  return { deliveries, indexMax: rows.at(-1)?.index ?? 1 }
}
