/**
 * Texts of videos that the account has already: their rows are `unchanged` and hold none. Reading them again costs
 * nothing.
 */
import { NotFoundError } from './errors.ts'
import type { CallOptions, Jobs } from './jobs.ts'
import type { Library } from './library.ts'
import { rowsWhere } from './results.ts'
import type { Job, Video } from './schema.ts'

const DAY_MS = 86_400_000
/** The label of an `unchanged` row ends with the id of the job that delivered the video for the same URLs. */
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

/**
 * Returns the id of the job that holds the text of an `unchanged` row of `jobId`; null where there is none any more. A
 * row whose video another order delivered does not name it.
 */
export async function holderOf(
  library: Library,
  row: Video,
  { jobId, signal }: CallOptions & { jobId: string },
): Promise<string | null> {
  const named = earlierJobOf(row)
  return named ?? (await library.video(jobId, row.index, { signal })).text?.jobId ?? null
}

/** Returns whether a delivered text is in the language that the job wished, as far as its code tells. */
export function isWished({ input }: Pick<Job, 'input'>, { languageCode }: Video): boolean {
  const wish = input.language.toLowerCase()
  return wish === 'original' || baseOf(wish) === baseOf(languageCode?.toLowerCase() ?? '')
}

function baseOf(code: string): string {
  return code.split('-')[0] ?? code
}

type Sources = { jobs: Jobs; library: Library }

/**
 * Yields a row for each of `unchanged`, once for a video: the earlier job's with its text, or its own where there is no
 * text any more.
 */
export async function* earlierRows(
  { jobs, library }: Sources,
  { job, unchanged, signal }: CallOptions & { job: Job; unchanged: readonly Video[] },
): AsyncGenerator<Video, void, undefined> {
  const wanted = new Map(unchanged.map((row) => [row.videoId, row]))
  for (const row of wanted.values()) {
    const id = await holderOf(library, row, { jobId: job.id, signal })
    const isMeant = (one: Video): boolean => one.videoId === row.videoId || isWished(job, one)
    if (id !== null) yield* rowsOfEarlier(jobs, { id, wanted, isMeant, signal })
    // What an earlier job has delivered was taken out of the map, which passes over it.
    if (wanted.delete(row.videoId)) yield row
  }
}

type Earlier = CallOptions & {
  id: string
  wanted: Map<Video['videoId'], Video>
  /** Whether a row of the job is what a wanted one stands for. */
  isMeant: (row: Video) => boolean
}

async function* rowsOfEarlier(
  jobs: Jobs,
  { id, wanted, isMeant, signal }: Earlier,
): AsyncGenerator<Video, void, undefined> {
  const source = { page: (query: object) => jobs.resultsPage(id, { ...query, signal }) }
  try {
    for await (const row of rowsWhere(source, isDelivered)) {
      if (row.text !== null && wanted.delete(row.videoId)) yield row
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error // the job was deleted since
  }

  function isDelivered(row: Video): boolean {
    return row.status === 'success' && wanted.has(row.videoId) && isMeant(row)
  }
}
