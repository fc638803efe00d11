/** Reads a list's pages, lazily: one at a time, or as many as one look at the dates needs. */
import { LIMITS } from '../config.ts'
import type { DateBounds } from '../jobs/date-bounds.ts'
import type { ListingAnswer, PageAsk } from '../platform/platform.ts'
import type { JobRun } from './job-run.ts'
import { datesOfList, endsInDoubt } from './list-dates.ts'

/**
 * From the cursor to the list's end, or to what is no page. Nothing is asked for before the answer to
 * `next()` is wanted: whoever stops asking has asked for no page too many.
 */
export async function* readPages(
  run: JobRun,
  bounds: DateBounds,
  { source, cursor }: PageAsk,
): AsyncGenerator<ListingAnswer, void> {
  for (let from = cursor; ; ) {
    const answer = await readJoined(run, bounds, { source, cursor: from })
    yield answer
    if (answer.kind !== 'page' || answer.next === null) return
    from = answer.next
  }
}

/**
 * One page; or several as one, as long as the place where a channel becomes old enough may lie
 * behind them: then a few exact dates tell it, whatever their number.
 */
async function readJoined(run: JobRun, bounds: DateBounds, { source, cursor }: PageAsk): Promise<ListingAnswer> {
  let joined = await run.platform.listPage({ source, cursor }, run.signal)
  for (let pages = 1; pages < LIMITS.joinedPagesMax; pages += 1) {
    if (source.kind !== 'channel' || joined.kind !== 'page' || joined.isEstimated) break
    const { videos, next } = joined
    if (next === null || !endsInDoubt(datesOfList(videos, run.now()), bounds)) break
    const more: ListingAnswer = await run.platform.listPage({ source, cursor: next }, run.signal)
    if (more.kind !== 'page') break // it is asked for again, by itself, and answered for then
    joined = { ...more, videos: [...videos, ...more.videos] }
  }
  return joined
}
