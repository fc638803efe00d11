/**
 * Texts of videos that an earlier job delivered: their rows are `unchanged` and hold none. Reading them again costs
 * nothing.
 */
import { NotFoundError } from './errors.ts'
import type { CallOptions, Jobs } from './jobs.ts'
import type { Library } from './library.ts'
import { rowsWhere } from './results.ts'
import type { Job, Video } from './schema.ts'

const DAY_MS = 86_400_000
/** The label of an `unchanged` row ends with the id of the job that delivered the video. */
const EARLIER_JOB = /^Delivered by the earlier job ([\w-]{1,40})$/

/** Returns the id of the job that an `unchanged` row names; null where it names none. */
export function earlierJobOf({ label }: Pick<Video, 'label'>): string | null {
  return EARLIER_JOB.exec(label)?.[1] ?? null
}

/**
 * Returns the rows of videos that were delivered before, within the dates that the job asks for. The service lists all
 * that the account has, since they are free.
 */
export function unchangedOf({ input }: Pick<Job, 'input'>, rows: readonly Video[]): Video[] {
  const { publishedAfter, publishedBefore } = input
  const fromMs = publishedAfter === null ? -Infinity : instantOf(publishedAfter)
  const untilMs = publishedBefore === null ? Infinity : lastInstantOf(publishedBefore)
  const isBounded = publishedAfter !== null || publishedBefore !== null
  return rows.filter(({ status, publishedAt }) => {
    if (status !== 'unchanged') return false
    const at = publishedAt === null ? NaN : instantOf(publishedAt)
    return !isBounded || (at >= fromMs && at <= untilMs)
  })
}

/** Returns an instant in milliseconds, in UTC where the text names no other offset, as the service reads it. */
function instantOf(text: string): number {
  return Date.parse(/t/i.test(text) && !/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? `${text}Z` : text)
}

function lastInstantOf(text: string): number {
  return instantOf(text) + (/t/i.test(text) ? 0 : DAY_MS - 1)
}

type Sources = { jobs: Jobs; library: Library }

/**
 * Yields a row for each of `unchanged`, once for a video: the earlier job's with its text, or its own where there is no
 * text any more.
 */
export async function* earlierRows(
  { jobs, library }: Sources,
  { jobId, unchanged, signal }: CallOptions & { jobId: string; unchanged: readonly Video[] },
): AsyncGenerator<Video, void, undefined> {
  const wanted = new Map(unchanged.map((row) => [row.videoId, row]))
  for (const row of wanted.values()) {
    const earlier =
      earlierJobOf(row) ?? (await library.video(jobId, row.index, { signal })).text?.jobId
    if (earlier !== undefined) yield* rowsOfEarlier(jobs, { id: earlier, wanted, signal })
    // What an earlier job has delivered was taken out of the map, which passes over it.
    if (wanted.delete(row.videoId)) yield row
  }
}

async function* rowsOfEarlier(
  jobs: Jobs,
  { id, wanted, signal }: CallOptions & { id: string; wanted: Map<Video['videoId'], Video> },
): AsyncGenerator<Video, void, undefined> {
  const source = { page: (query: object) => jobs.resultsPage(id, { ...query, signal }) }
  try {
    for await (const row of rowsWhere(source, isDelivered)) {
      if (row.text !== null && wanted.delete(row.videoId)) yield row
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error // the job was deleted since
  }

  function isDelivered({ status, videoId }: Video): boolean {
    return status === 'success' && wanted.has(videoId)
  }
}
