/** Reads a list's pages, lazily: one at a time, or as many as one look at the dates needs. */
import type { DateBounds } from '../model/jobs/date-bounds.ts'
import type { ListSource } from '../model/platform/source.ts'
import type { Bookmark } from '../store/list-bookmarks.ts'
import type { PlanRun } from './job-run.ts'
import { datesOfList, endsInDoubt } from './list-dates.ts'
import type { ListPlace, SharedAnswer, SharedVideo } from './shared-lists.ts'

/** List pages read as one to find a date's place: up to 2,000 videos, a megabyte. */
const JOINED_PAGES_MAX = 20
/** And of an account's free calls of a day a page joined is at most this part, 1/25. */
const JOINED_PAGE_PART_OF_DAY = 25

export type PagesInput = {
  source: ListSource
  place: ListPlace
  /** Where an earlier job stopped: once one of its heads is met, what lies between is passed over. */
  bookmark: Bookmark | null
}

/** `at`: where this page began. `isBehindBookmark`: what stands before the bookmark was passed over, or there is none. */
export type ReadPage = { answer: SharedAnswer; at: ListPlace; isBehindBookmark: boolean }

/**
 * From the place to the list's end, or to what is no page. Nothing is asked for before the answer to
 * `next()` is wanted: whoever stops asking has asked for no page too many.
 */
export async function* readPages(
  run: PlanRun,
  bounds: DateBounds,
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
 * One page; or several as one, as long as the place where a channel becomes old enough may lie
 * behind them: then a few exact dates tell it, whatever their number.
 */
async function readJoined(
  run: PlanRun,
  bounds: DateBounds,
  { source, place, bookmark }: PagesInput,
): Promise<SharedAnswer> {
  const { lists, calls } = run
  let joined = await lists.page(source, place, run)
  // Who has little for a day joins little: what is joined is decided, and gone on from, as one.
  const pagesMax = Math.min(JOINED_PAGES_MAX, calls.daily / JOINED_PAGE_PART_OF_DAY)
  for (let pages = 1; pages < pagesMax; pages += 1) {
    if (source.kind !== 'channel' || joined.kind !== 'page' || joined.isEstimated) break
    const { videos, next } = joined
    if (next === null || !endsInDoubt(datesOfList(videos), bounds)) break
    if (bookmark !== null && holdsHead(videos, bookmark)) break
    if (run.isParking()) break // what is read is recorded before the place goes to others
    const more = await lists.page(source, next, run)
    if (more.kind !== 'page') break // it is asked for again, by itself, and answered for then
    joined = { ...more, videos: [...videos, ...more.videos], facts: joined.facts }
  }
  return joined
}
