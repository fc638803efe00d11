/**
 * Texts of videos that the account has already: their rows are `unchanged` and hold none. Reading them again costs
 * nothing.
 */
import { type CallOptions, type Jobs, pagesOf } from './jobs.ts'
import type { Library } from './library.ts'
import { bareRows, rowsAt } from './results.ts'
import type { Job, Video } from './schema.ts'

/**
 * Returns the rows of videos that were delivered before, within the dates that the job asks for. The service lists all
 * that the account has, since they are free.
 */
export function unchangedOf({ input }: Pick<Job, 'input'>, rows: readonly Video[]): Video[] {
  const { publishedAfter, publishedBefore } = input
  return rows.filter(
    ({ status, publishedAt }) =>
      status === 'unchanged' &&
      (publishedAfter === null || comparedWith(publishedAfter, publishedAt) >= 0) &&
      (publishedBefore === null || comparedWith(publishedBefore, publishedAt) <= 0),
  )
}

/** Compares a date as the service does: its day, by its own clock, with a day; its instant with an instant. */
function comparedWith(bound: string, publishedAt: string | null): number {
  if (publishedAt === null) return NaN
  if (/t/i.test(bound)) return instantOf(publishedAt) - instantOf(bound)
  const day = publishedAt.slice(0, bound.length)
  return day < bound ? -1 : Number(day > bound)
}

/** Returns an instant in milliseconds, in UTC where the text names no other offset, as the service reads it. */
function instantOf(text: string): number {
  return Date.parse(/t/i.test(text) && !/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? `${text}Z` : text)
}

/** Returns whether a delivered text is in the language that the job wished, as far as its code tells. */
function isWished({ input }: Pick<Job, 'input'>, { languageCode }: Video): boolean {
  const [wish, code] = [input.language, languageCode ?? ''].map(
    (one) => one.toLowerCase().split('-')[0],
  )
  return wish === 'original' || wish === code
}

type Sources = { jobs: Jobs; library: Library }
type Wanted = CallOptions & { job: Job; unchanged: readonly Video[] }

/** Returns the rows that hold the texts of `unchanged` rows, as indexes by the ids of their jobs. */
export async function textRowsOf(
  { jobs, library }: Sources,
  { job, unchanged, signal }: Wanted,
): Promise<Map<string, Set<number>>> {
  const found = new Map<string, Set<number>>()
  const add = (jobId: string, index: number): void =>
    void found.set(jobId, (found.get(jobId) ?? new Set<number>()).add(index))
  const wanted = new Map(unchanged.map((row) => [row.videoId, row]))
  for (const { index, videoId, textRow } of wanted.values()) {
    if (textRow !== undefined) {
      if (textRow !== null) add(textRow.jobId, textRow.index)
      continue
    }
    // An earlier service says it of single rows only: the job of one is looked through for all.
    const { text } = await library.video(job.id, index, { signal })
    if (text === null) continue
    for await (const row of bareRows(pagesOf(jobs, text.jobId, signal))) {
      const isMeant = row.videoId === videoId || isWished(job, row)
      if (row.status === 'success' && isMeant && wanted.delete(row.videoId))
        add(text.jobId, row.index)
    }
  }
  return found
}

/** Yields a row for each of `unchanged`, once for a video: the one with its text, or its own where none is kept. */
export async function* earlierRows(
  sources: Sources,
  { job, unchanged, signal }: Wanted,
): AsyncGenerator<Video, void, undefined> {
  const wanted = new Map(unchanged.map((row) => [row.videoId, row]))
  for (const [id, indexes] of await textRowsOf(sources, { job, unchanged, signal }))
    for await (const row of rowsAt(pagesOf(sources.jobs, id, signal), indexes))
      if (row.text !== null && wanted.delete(row.videoId)) yield row
  yield* wanted.values()
}
