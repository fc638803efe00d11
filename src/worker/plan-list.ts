/** Plans one list of a job: page by page, as far as slots, dates and the account's allowance reach. */
import { LIMITS } from '../config.ts'
import { type DateBounds, isPastBounds } from '../jobs/date-bounds.ts'
import type { PlannedPage } from '../jobs/plan-rows.ts'
import { type Selection, takeIndex, wantsMore } from '../jobs/selection.ts'
import type { ListSource } from '../platform/source.ts'
import { nearMs } from '../platform/youtube/list-order.ts'
import type { SourceProgress } from '../store/job-sources.ts'
import { type Bookmark, findBookmark } from '../store/list-bookmarks.ts'
import type { NewRow, RowContent } from '../store/video-rows.ts'
import type { PlanRun } from './job-run.ts'
import type { Older } from './list-dates.ts'
import { offerVideos } from './offer-videos.ts'
import { type ReadPage, readPages } from './read-pages.ts'
import { pausedRow, sourceRow } from './row-content.ts'
import type { ListPlace, SharedPage } from './shared-lists.ts'

/** What one commit records. */
export type Page = Omit<PlannedPage, 'plan'>
export type Commit = (page: Page) => Promise<void>

export type ListToPlan = { progress: SourceProgress; source: ListSource }

export async function planList(
  run: PlanRun,
  selection: Selection,
  list: ListToPlan,
  record: Commit,
): Promise<void> {
  const commit: Commit = async (page) => {
    await run.slots.planning.run(run.share, run.signal, () => record(page))
  }
  if (!wantsMore(selection)) return commit(listedUp(list.progress, []))
  const { bounds } = selection
  const { position, line, cursor, copyId } = list.progress
  const place = { accountId: run.job.accountId, urlSetHash: run.job.urlSetHash, line, bounds }
  const before = await findBookmark(run.db, place)
  const pages = readPages(run, bounds, {
    source: list.source,
    place: { cursor, copyId },
    bookmark: before,
  })
  const readNext = (): ReturnType<typeof pages.next> => {
    const reading = pages.next()
    reading.catch(() => undefined) // should what is recorded meanwhile fail, nobody looks at it
    return reading
  }
  let progress = list.progress
  let older: Older | null = null
  for (let reading = readNext(); ;) {
    const step = await reading
    if (step.done === true) return commit(listedUp(progress, []))
    const { answer, at } = step.value
    const mark = markOf(before, step.value, progress)
    const ended = (content: RowContent, bookmark: Bookmark | null): Page => ({
      ...listedUp(progress, [
        { kind: 'finished', index: takeIndex(selection), source: position, content },
      ]),
      ...(before === bookmark ? {} : { marked: { place, bookmark } }),
    })
    const paused = (): RowContent =>
      pausedRow(line, { bound: run.calls.spent ?? 'day', listed: progress.listed })
    if (answer.kind === 'spent') return commit(ended(paused(), mark))
    if (answer.kind !== 'page')
      return commit(ended(sourceRow(line, answer), isStray(before, step.value) ? null : before))

    const videos = answer.videos.map((video) => ({ ...video, source: position }))
    // Only a channel lists newest first; a playlist has an order of its own.
    const isNewestFirst = list.source.kind === 'channel' && !answer.isEstimated
    const offered = await offerVideos(run, selection, videos, {
      isNamed: false,
      isNewestFirst,
      older,
    })
    if (offered.isCut) {
      const { rows, ...page } = ended(paused(), mark)
      return commit({ ...page, rows: [...offered.rows, ...rows] })
    }
    run.calls.keep(offered.rows.filter(({ kind }) => kind === 'finished').length)
    progress = progressAfter(progress, at, answer)
    const isPast =
      list.source.kind === 'channel' &&
      isPastBounds(boundsOfEnd(run, bounds, answer), offered.dates)
    const isOver = answer.next === null || isPast
    if (isOver || !wantsMore(selection)) {
      return commit({
        ...listedUp(progress, offered.rows),
        ...(isOver && before !== null ? { marked: { place, bookmark: null } } : {}),
      })
    }
    older = offered.older
    // The next page is under way while this one is recorded.
    reading = readNext()
    await commit({ rows: offered.rows, sources: [progress], isPlanned: false })
  }
}

/** Where the same URLs are to go on, should nothing behind `at` be read: never further back than before. */
function markOf(
  before: Bookmark | null,
  { at, isBehindBookmark }: ReadPage,
  { heads, listed }: SourceProgress,
): Bookmark | null {
  const behind = isBehindBookmark ? (before?.listed ?? 0) : 0
  if (at.cursor === null || heads === null) return before
  if (before !== null && !isBehindBookmark && listed < before.listed) return before
  return { heads, cursor: at.cursor, listed: behind + listed }
}

/** The platform does not know the bookmark's cursor any more: the next job begins anew. */
function isStray(before: Bookmark | null, { answer, at }: ReadPage): boolean {
  const isBlocked = answer.kind === 'obstructed' && answer.obstacle.kind === 'blocked'
  return before !== null && at.cursor === before.cursor && !isBlocked
}

function progressAfter(
  progress: SourceProgress,
  at: ListPlace,
  { videos, next }: SharedPage,
): SourceProgress {
  const heads =
    at.cursor === null
      ? videos.slice(0, LIMITS.bookmarkHeadsMax).map(({ videoId }) => videoId)
      : progress.heads
  const { cursor = null, copyId = null } = next ?? {}
  return {
    ...progress,
    state: 'listing',
    cursor,
    copyId,
    heads,
    listed: progress.listed + videos.length,
  }
}

/** Nothing of how far it was read is needed any more. */
function listedUp(progress: SourceProgress, rows: NewRow[]): Page {
  const source: SourceProgress = {
    ...progress,
    state: 'listed',
    cursor: null,
    copyId: null,
    heads: null,
  }
  return { rows, sources: [source], isPlanned: false }
}

/** What a whole page must lie before for a channel's listing to end: further back where its order is estimated. */
function boundsOfEnd(
  run: PlanRun,
  bounds: DateBounds,
  { isEstimated }: { isEstimated: boolean },
): DateBounds {
  const { afterAt } = bounds
  if (!isEstimated || afterAt === null) return bounds
  const margin = 2 * nearMs(afterAt.getTime(), run.now().getTime())
  return { ...bounds, afterAt: new Date(afterAt.getTime() - margin) }
}
