/** Reads a job's rows while it runs: each of them once. */
import type { Results, Video } from './schema.ts'

export type RowSource = {
  page(query: { offset: number; limit: number; view?: 'full' | 'rows' }): Promise<Results>
  /** Resolves after these seconds, or when the job is final. */
  pause(seconds: number): Promise<void>
}

export type Pages = Pick<RowSource, 'page'>

/** Rows of a page with texts; the service sends 200 at most, and fewer take less memory. */
const PAGE = 50
const BARE_PAGE = 200
const FIRST_PAUSE_S = 1
/** Longest pause in seconds. Two requests each time are two fifths of what a key may make. */
const PAUSE_S_MAX = 5

/**
 * Yields every row once. While a job runs, its rows are in order of completion and do not move; when it is final, they
 * are in order of index. The rows read before then do not say where the rest is, so that missing rows are looked up.
 */
export async function* eachRow(source: RowSource): AsyncGenerator<Video, void, undefined> {
  const seen = new Set<number>()
  let wasRunning = false
  let pauseS = FIRST_PAUSE_S
  for (let offset = 0; ;) {
    const page = await source.page({ offset, limit: PAGE })
    yield* unseen(page.videos, seen)
    offset = page.nextOffset ?? offset + page.videos.length
    if (page.complete && (wasRunning || page.nextOffset === null)) {
      if (seen.size < page.total) yield* rowsWhere(source, ({ index }) => !seen.has(index))
      return
    }
    wasRunning ||= !page.complete
    if (page.nextOffset !== null) continue
    await source.pause(pauseS)
    pauseS = Math.min(PAUSE_S_MAX, pauseS + 1)
  }
}

/** Yields those rows of a final job that `isWanted` says; of pages with texts, only where such rows lie. */
export async function* rowsWhere(
  source: Pages,
  isWanted: (video: Video) => boolean,
): AsyncGenerator<Video, void> {
  const wanted: number[] = []
  let offset = 0
  for await (const video of bareRows(source)) {
    if (isWanted(video)) wanted.push(offset)
    offset += 1
  }
  for await (const video of rowsNear(source, wanted)) if (isWanted(video)) yield video
}

/** Yields the rows with these indexes. A final job has row N at N - 1, unless some before it were never finished. */
export async function* rowsAt(
  source: Pages,
  indexes: Iterable<number>,
): AsyncGenerator<Video, void> {
  const missing = new Set(indexes)
  const offsets = [...missing].sort((a, b) => a - b).map((index) => index - 1)
  for await (const video of rowsNear(source, offsets)) if (missing.delete(video.index)) yield video
  if (missing.size > 0) yield* rowsWhere(source, ({ index }) => missing.has(index))
}

/** Yields all rows without texts. */
export async function* bareRows(source: Pages): AsyncGenerator<Video, void> {
  for (let offset: number | null = 0; offset !== null;) {
    const page: Results = await source.page({ offset, limit: BARE_PAGE, view: 'rows' })
    yield* page.videos
    offset = page.nextOffset
  }
}

/** Yields the rows at these offsets, which rise, and some between them. */
async function* rowsNear(source: Pages, offsets: readonly number[]): AsyncGenerator<Video, void> {
  for (let at = 0; at < offsets.length;) {
    const offset = offsets[at] ?? 0
    const near = offsets.slice(at).filter((one) => one < offset + PAGE)
    const { videos } = await source.page({ offset, limit: (near.at(-1) ?? offset) - offset + 1 })
    yield* videos
    at += near.length
  }
}

function* unseen(videos: readonly Video[], seen: Set<number>): Generator<Video, void> {
  for (const video of videos) {
    if (seen.has(video.index)) continue
    seen.add(video.index)
    yield video
  }
}
