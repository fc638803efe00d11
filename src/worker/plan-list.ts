/** Plans one list of a job: page by page, as far as slots, dates and the account's allowance reach. */
import { isPastBounds } from '../model/jobs/date-bounds.ts'
import type { ListedFacts, ListedPage } from '../features/jobs/plan-rows.ts'
import { type Selection, takeIndex, wantsMore } from '../model/jobs/selection.ts'
import type { ListSource } from '../model/platform/source.ts'
import type { ListEnd } from '../platform/platform.ts'
import { nearMs } from '../platform/youtube/list-order.ts'
import {
  type Bookmark,
  type BookmarkPlace,
  findBookmark,
  type SourceProgress,
} from '../store/job-sources.ts'
import type { PassedVideos } from '../store/collections.ts'
import type { NewRow, RowContent } from '../store/video-rows.ts'
import type { PlanRun } from './job-run.ts'
import type { Older } from './list-dates.ts'
import { type Offered, offerVideos } from './offer-videos.ts'
import { type ReadPage, readPages } from './read-pages.ts'
import { endRow, pausedRow, sourceRow } from './row-content.ts'
import type { ListPlace, SharedPage } from './shared-lists.ts'

const BOOKMARK_HEADS_MAX = 10

export type Commit = (page: ListedPage) => Promise<void>

type ListToPlan = { progress: SourceProgress; source: ListSource }

/** Commits page by page; the next page is read while the one before is recorded. */
export async function planList(
  run: PlanRun,
  selection: Selection,
  { progress: begun, source }: ListToPlan,
  record: Commit,
): Promise<void> {
  const commit: Commit = (page) =>
    run.ctx.slots.planning.run(run.share, run.signal, () => record(page))
  if (!(await hasSlot(run, selection))) return commit(listedUp(begun, []))
  const { line, position, cursor, copyId } = begun
  const { accountId, urlSetHash, language, skipsOwned } = run.job
  const skippedWish = skipsOwned ? language : null
  const place = { accountId, urlSetHash, line, bounds: selection.bounds, skippedWish }
  const before = await findBookmark(run.ctx.db, place)
  const list: List = { run, selection, source, line, position, place, before }
  const from = { source, place: { cursor, copyId }, bookmark: before }
  const pages = readPages(run, selection.bounds, from)
  const readNext = (): ReturnType<typeof pages.next> => {
    const reading = pages.next()
    reading.catch(() => undefined) // where recording fails meanwhile, this answer is not awaited
    return reading
  }
  let reached: Reached = { progress: begun, older: null }
  for (let reading = readNext(); ;) {
    const step = await reading
    if (step.done === true) return commit(listedUp(reached.progress, []))
    const decided = await decidePage({ ...list, commit }, reached, step.value)
    const { goesOn } = decided
    const page = {
      ...decided.page,
      ...listedOn(list, step.value),
      ...passedOn(list, step.value, decided),
    }
    if (goesOn === null) return commit(page)
    reached = goesOn
    if (wantsMore(selection)) {
      reading = readNext()
      await commit(page)
      continue
    }
    await commit(page)
    if (!(await hasSlot(run, selection))) return commit(listedUp(reached.progress, []))
    reading = readNext()
  }
}

/** Returns whether a slot is left, or comes back from a row that is recorded meanwhile. */
async function hasSlot({ slots, signal }: PlanRun, selection: Selection): Promise<boolean> {
  if (!wantsMore(selection)) await slots.settle(selection, signal)
  return wantsMore(selection)
}

/** A list that is being planned. */
type List = {
  run: PlanRun
  selection: Selection
  source: ListSource
  /** The pasted line. */
  line: string
  position: number
  place: BookmarkPlace
  /** Where earlier jobs stopped; null where none did. */
  before: Bookmark | null
}

/** How far planning has come. `older` is what the pages so far say of the dates of the next one. */
type Reached = { progress: SourceProgress; older: Older | null }

/** Records of a page's commit, behind rows that were recorded `before`; `goesOn` is null for the list's last page. */
type DecidedPage = { page: ListedPage; before: readonly NewRow[]; goesOn: Reached | null }

type OpenList = List & { commit: Commit }

async function decidePage(list: OpenList, reached: Reached, read: ReadPage): Promise<DecidedPage> {
  const { run, selection, place, before } = list
  const { answer, at } = read
  const mark = markOf(before, read, reached.progress)
  const last = (page: ListedPage, before: readonly NewRow[] = []): DecidedPage => ({
    page,
    before,
    goesOn: null,
  })
  if (answer.kind === 'spent') return last(pausedPage(list, reached, mark))
  if (answer.kind !== 'page') {
    const bookmark = isStray(before, read) ? null : before
    return last(endedPage(list, reached, { content: sourceRow(list.line, answer), bookmark }))
  }
  const offered = await offerPage(list, reached, read, answer)
  const { before: recorded } = offered
  if (offered.isCut) {
    const paused = pausedPage(list, reached, mark)
    return last({ ...paused, rows: [...offered.rows, ...paused.rows] }, recorded)
  }
  const isFree = ({ kind }: NewRow): boolean => kind === 'finished'
  run.calls.keep([...recorded, ...offered.rows].filter(isFree).length)
  const { end } = answer
  const rows = end === undefined ? offered.rows : [...offered.rows, rowOfEnd(list, end)]
  const progress = progressAfter(reached.progress, at, answer)
  const isOver = answer.next === null || isPast(list, answer, offered)
  const isFull = !wantsMore(selection) && !run.slots.mayReturn(rows)
  if (isOver || isFull) {
    const marked = isOver && before !== null ? { marked: { place, bookmark: null } } : {}
    return last({ ...listedUp(progress, rows), ...marked }, recorded)
  }
  const page = { rows, sources: [progress], isPlanned: false }
  return { page, before: recorded, goesOn: { progress, older: offered.older } }
}

function rowOfEnd({ selection, line, position }: List, end: ListEnd): NewRow {
  const index = takeIndex(selection)
  return { kind: 'finished', index, source: position, content: endRow(line, end) }
}

/** Returns what the list says of itself on this page. */
function listedOn(
  { selection, source, position, before }: List,
  { answer }: ReadPage,
): { list?: ListedFacts } {
  if (answer.kind !== 'page') return {}
  const { facts, next } = answer
  // A tab is only part of its channel; behind a bookmark, or outside the bounds, videos were passed over.
  const isPart = source.kind !== 'playlist' && source.tab !== null
  const isComplete = before === null && selection.plan.skippedListed === 0
  const isWhole = next === null && !isPart && isComplete
  return facts === null && !isWhole ? {} : { list: { position, facts, isWhole } }
}

/** Returns the videos of a page of the list that have no row on it: they belong to the list all the same. */
function passedOn(
  { position }: List,
  { answer }: ReadPage,
  { page, before }: DecidedPage,
): { passed?: PassedVideos } {
  if (answer.kind !== 'page') return {}
  const taken = new Set(
    [...before, ...page.rows].map((row) =>
      row.kind === 'finished' ? row.content.videoId : row.videoId,
    ),
  )
  const passed = new Set(answer.videos.map(({ videoId }) => videoId).filter((id) => !taken.has(id)))
  return passed.size === 0 ? {} : { passed: { position, videoIds: [...passed] } }
}

function offerPage(
  list: OpenList,
  { older }: Reached,
  read: ReadPage,
  { videos, isEstimated }: SharedPage,
): Promise<Offered> {
  const { run, selection, source, position } = list
  const offeredVideos = videos.map((video) => ({ ...video, source: position }))
  // Only a channel lists newest first; a playlist has an order of its own.
  const isNewestFirst = source.kind === 'channel' && !isEstimated
  const { list: facts } = listedOn(list, read)
  const record = (rows: NewRow[]): Promise<void> => {
    const part = { rows, sources: [], isPlanned: false, isPart: true as const }
    return list.commit(facts === undefined ? part : { ...part, list: { ...facts, isWhole: false } })
  }
  return offerVideos(run, selection, offeredVideos, {
    isNamed: false,
    isNewestFirst,
    older,
    record,
  })
}

/**
 * Returns whether everything that follows in a channel is older than the bounds. Where its order is estimated, a whole
 * page has to lie further back.
 */
function isPast(
  { run, selection: { bounds }, source }: List,
  { isEstimated }: SharedPage,
  { dates }: Offered,
): boolean {
  if (source.kind !== 'channel') return false
  const { afterAt } = bounds
  if (!isEstimated || afterAt === null) return isPastBounds(bounds, dates)
  const margin = 2 * nearMs(afterAt.getTime(), run.ctx.now().getTime())
  return isPastBounds({ ...bounds, afterAt: new Date(afterAt.getTime() - margin) }, dates)
}

/** Returns the page that ends the list with a row of its own. */
function endedPage(
  { selection, position, place, before }: List,
  { progress }: Reached,
  { content, bookmark }: { content: RowContent; bookmark: Bookmark | null },
): ListedPage {
  const index = takeIndex(selection)
  const row: NewRow = { kind: 'finished', index, source: position, content }
  const marked = before === bookmark ? {} : { marked: { place, bookmark } }
  return { ...listedUp(progress, [row]), ...marked }
}

/**
 * Returns the page that ends the list where the account's allowance ends; a job with the same URLs goes on from the
 * bookmark.
 */
function pausedPage(list: List, reached: Reached, bookmark: Bookmark | null): ListedPage {
  const { listed } = reached.progress
  const content = pausedRow(list.line, { bound: list.run.calls.spent ?? 'day', listed })
  return endedPage(list, reached, { content, bookmark })
}

/**
 * Returns where a job with the same URLs is to go on if nothing behind `at` is read: never further back than before.
 */
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

/** Returns whether the platform no longer knows the bookmark's cursor, so that the next job begins anew. */
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
      ? videos.slice(0, BOOKMARK_HEADS_MAX).map(({ videoId }) => videoId)
      : progress.heads
  const { cursor = null, copyId = null } = next ?? {}
  const listed = progress.listed + videos.length
  return { ...progress, state: 'listing', cursor, copyId, heads, listed }
}

/** Returns the page that ends a list, without its reading position, which is not needed any more. */
export function listedUp(progress: SourceProgress, rows: NewRow[]): ListedPage {
  const nowhere = { cursor: null, copyId: null, heads: null }
  return { rows, sources: [{ ...progress, state: 'listed', ...nowhere }], isPlanned: false }
}
