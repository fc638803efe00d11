/** Reads a list's pages, lazily: one at a time, or as many as one look at the dates needs. */
import type { DateInstants } from '../model/jobs/date-bounds.ts'
import type { ListSource } from '../model/platform/source.ts'
import type { Bookmark } from '../store/job-sources.ts'
import type { PlanRun } from './job-run.ts'
import { datesOfList, endsInDoubt } from './list-dates.ts'
import type { ListPlace, SharedAnswer, SharedVideo } from './shared-lists.ts'

/** Number of list pages read as one to find a date's place: up to 2,000 videos, a megabyte. */
const JOINED_PAGES_MAX = 20
/** A joined page takes at most this part, 1/25, of an account's free calls of a day. */
const JOINED_PAGE_PART_OF_DAY = 25

type PagesInput = {
  source: ListSource
  place: ListPlace
  /** Where an earlier job stopped: once one of its first videos is met, the videos between are passed over. */
  bookmark: Bookmark | null
}

/**
 * An answer, and the place `at` where it began. `isBehindBookmark` is true where the videos before the bookmark were
 * passed over, or there is no bookmark.
 */
export type ReadPage = { answer: SharedAnswer; at: ListPlace; isBehindBookmark: boolean }

/**
 * Yields pages from the place to the list's end, or to an answer that is no page. Asks for a page only when `next()` is
 * called, so that a caller that stops early has asked for none too many.
 */
export async function* readPages(
  run: PlanRun,
  bounds: DateInstants,
  { source, place, bookmark }: PagesInput,
): AsyncGenerator<ReadPage, void> {
  let awaited = bookmark
  for (let at = place; ;) {
    const isBehindBookmark = awaited === null
    let answer = await readJoined(run, bounds, { source, place: at, bookmark: awaited })
    if (
      awaited !== null &&
      answer.kind === 'page' &&
      answer.next !== null &&
      holdsHead(answer.videos, awaited)
    ) {
      answer = { ...answer, next: { cursor: awaited.cursor, copyId: answer.next.copyId } }
      awaited = null
    }
    yield { answer, at, isBehindBookmark }
    if (answer.kind !== 'page' || answer.next === null) return
    at = answer.next
  }
}

function holdsHead(videos: readonly SharedVideo[], { heads }: Bookmark): boolean {
  return videos.some(({ videoId }) => heads.includes(videoId))
}

/**
 * Returns one page; or several as one, as long as the place where a channel becomes old enough may lie behind them:
 * then a few exact dates tell it, whatever the number of videos.
 */
async function readJoined(
  run: PlanRun,
  bounds: DateInstants,
  { source, place, bookmark }: PagesInput,
): Promise<SharedAnswer> {
  const { lists, calls } = run
  let joined = await lists.page(source, place, run)
  // An account with few calls a day joins few pages: joined pages are decided, and continued from, as one.
  const pagesMax = Math.min(JOINED_PAGES_MAX, calls.daily / JOINED_PAGE_PART_OF_DAY)
  for (let pages = 1; pages < pagesMax; pages += 1) {
    if (source.kind !== 'channel' || joined.kind !== 'page' || joined.isEstimated) break
    const { videos, next } = joined
    if (next === null || !endsInDoubt(datesOfList(videos), bounds)) break
    if (bookmark !== null && holdsHead(videos, bookmark)) break
    if (run.isParking()) break // pages read so far are recorded before the place goes to another job
    const more = await lists.page(source, next, run)
    if (more.kind !== 'page') break // the next step asks for it again, by itself, and handles the answer
    joined = { ...more, videos: [...videos, ...more.videos], facts: joined.facts }
  }
  return joined
}
