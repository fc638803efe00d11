/** Reads a job's rows while it runs: each of them once. */
import type { Results, Video } from './schema.ts'

export type RowSource = {
  page(query: { offset: number; limit: number; view?: 'full' | 'rows' }): Promise<Results>
  /** Resolves after these seconds, or when the job is final. */
  pause(seconds: number): Promise<void>
}

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
      if (seen.size < page.total) yield* missingRows(source, seen)
      return
    }
    wasRunning ||= !page.complete
    if (page.nextOffset !== null) continue
    await source.pause(pauseS)
    pauseS = Math.min(PAUSE_S_MAX, pauseS + 1)
  }
}

async function* missingRows(source: RowSource, seen: Set<number>): AsyncGenerator<Video, void> {
  for await (const video of rowsWhere(source, ({ index }) => !seen.has(index))) {
    seen.add(video.index)
    yield video
  }
}

/** Yields those rows of a final job that `isWanted` says; of pages with texts, only where such rows lie. */
export async function* rowsWhere(
  source: Pick<RowSource, 'page'>,
  isWanted: (video: Video) => boolean,
): AsyncGenerator<Video, void> {
  for (let offset: number | null = 0; offset !== null;) {
    const bare: Results = await source.page({ offset, limit: BARE_PAGE, view: 'rows' })
    const wanted = bare.videos.flatMap((video, at) => (isWanted(video) ? [at] : []))
    while (wanted.length > 0) {
      const from = wanted[0] ?? 0
      const near = wanted.filter((at) => at < from + PAGE)
      const limit = (near.at(-1) ?? from) - from + 1
      wanted.splice(0, near.length)
      const { videos } = await source.page({ offset: offset + from, limit })
      yield* videos.filter(isWanted)
    }
    offset = bare.nextOffset
  }
}

function* unseen(videos: readonly Video[], seen: Set<number>): Generator<Video, void> {
  for (const video of videos) {
    if (seen.has(video.index)) continue
    seen.add(video.index)
    yield video
  }
}
