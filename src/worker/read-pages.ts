/** Reads a list's pages: one at a time, or as many as one look at the dates needs. */
import type { DateBounds } from '../jobs/date-bounds.ts'
import type { ListingAnswer, PageAsk } from '../platform/platform.ts'
import type { JobRun } from './job-run.ts'
import { datesOfList, endsInDoubt } from './list-dates.ts'

/** Up to 2,000 videos, a megabyte. */
const JOINED_PAGES_MAX = 20

/**
 * One page; or several as one, as long as the place where a channel becomes old enough may lie
 * behind them: then a few exact dates tell it, whatever their number. Whoever never looks at the
 * answer hears of no failure.
 */
export function readPages(
  run: JobRun,
  bounds: DateBounds,
  { source, cursor }: PageAsk,
): Promise<ListingAnswer> {
  async function read(): Promise<ListingAnswer> {
    let joined = await run.platform.listPage({ source, cursor }, run.signal)
    for (let pages = 1; pages < JOINED_PAGES_MAX; pages += 1) {
      if (source.kind !== 'channel' || joined.kind !== 'page') break
      const { videos, next, nextPart } = joined
      const dates = datesOfList(videos, run.now())
      if (next === null || next === nextPart || !endsInDoubt(dates, bounds)) break
      const more: ListingAnswer = await run.platform.listPage({ source, cursor: next }, run.signal)
      if (more.kind !== 'page') break // it is asked for again, by itself, and answered for then
      joined = { ...more, videos: [...videos, ...more.videos] }
    }
    return joined
  }
  const answer = read()
  answer.catch(() => undefined)
  return answer
}
