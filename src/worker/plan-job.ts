/** Plans a job: lists its sources page by page and records what each page decided. */
import {
  closePage,
  finish,
  newPlan,
  openSelection,
  type Selection,
  takeIndex,
  wantsMore,
} from '../jobs/selection.ts'
import { type DateBounds, isPastBounds } from '../jobs/date-bounds.ts'
import { planRows } from '../jobs/plan-rows.ts'
import { readSource, type ListSource, type Source } from '../platform/source.ts'
import { nearMs } from '../platform/youtube/list-order.ts'
import { transact } from '../store/database.ts'
import { readHistory } from '../store/history.ts'
import { listSources, type SourceProgress } from '../store/job-sources.ts'
import type { NewRow } from '../store/video-rows.ts'
import { freeRow, sourceRow, videoUrl } from './row-content.ts'
import { FencedOff, type JobRun } from './job-run.ts'
import type { Older } from './list-dates.ts'
import { type Offered, offerVideos } from './offer-videos.ts'
import { readPages } from './read-pages.ts'

type Listing = { progress: SourceProgress; source: Source }

/**
 * Resolves when everything the job takes up has its row. Each page is one commit that also holds
 * where to go on, so a worker that takes over repeats at most one page. `onRows` is called after
 * each commit. Throws FencedOff where another attempt took the job.
 */
export async function planJob(run: JobRun, onRows: () => void): Promise<void> {
  const { job } = run
  if (job.isPlanned) return
  const bounds = { afterAt: job.afterAt, beforeAt: job.beforeAt }
  const selection = openSelection({ slots: job.maxVideos, bounds, plan: job.plan ?? newPlan() })
  const progresses = await listSources(run.db, job.id)
  const sources = progresses.map((progress) => ({ progress, source: sourceOf(progress) }))
  const commit = async (page: Page): Promise<void> => {
    await commitPage(run, selection, page)
    onRows()
  }

  for (const batch of batchesOf(sources)) {
    const [first] = batch
    if (first === undefined) continue
    if (first.source.kind === 'video') await planNamed(run, selection, batch, commit)
    else await planList(run, selection, { progress: first.progress, source: first.source }, commit)
  }
  await commit({ rows: await lateRows(run, selection), sources: [], isPlanned: true })
}

type Page = { rows: NewRow[]; sources: Omit<SourceProgress, 'line'>[]; isPlanned: boolean }
type Commit = (page: Page) => Promise<void>

/** Neighbouring named videos are one page; each list is read by itself. */
function batchesOf(sources: Listing[]): Listing[][] {
  const batches: Listing[][] = []
  for (const listing of sources) {
    if (listing.progress.state === 'listed') continue
    const last = batches.at(-1)
    if (listing.source.kind === 'video' && last?.[0]?.source.kind === 'video') last.push(listing)
    else batches.push([listing])
  }
  return batches
}

async function planNamed(
  run: JobRun,
  selection: Selection,
  batch: Listing[],
  commit: Commit,
): Promise<void> {
  const videos = batch.flatMap(({ progress, source }) =>
    source.kind === 'video'
      ? [{ ...UNLISTED, videoId: source.videoId, source: progress.position }]
      : [])
  const offering = { isNamed: true, isNewestFirst: false, older: null }
  const { rows } = await offerVideos(run, selection, videos, offering)
  const state = 'listed' as const
  const sources = batch.map(({ progress }) => ({ ...progress, state, listed: 1 }))
  await commit({ rows, sources, isPlanned: false })
}

const UNLISTED = { title: null, channelName: null, publishedText: null, isMembersOnly: false }

async function planList(
  run: JobRun,
  selection: Selection,
  { progress, source }: { progress: SourceProgress; source: ListSource },
  commit: Commit,
): Promise<void> {
  const { position, line } = progress
  const end = (rows: NewRow[]): Promise<void> => {
    const listedUp = { position, state: 'listed' as const, cursor: null, listed }
    return commit({ rows, sources: [listedUp], isPlanned: false })
  }
  let { listed } = progress
  let older: Older | null = null
  const pages = readPages(run, selection.bounds, { source, cursor: progress.cursor })
  const readNext = (): ReturnType<typeof pages.next> => {
    const reading = pages.next()
    reading.catch(() => undefined) // should what is recorded meanwhile fail, nobody looks at it
    return reading
  }
  let reading = wantsMore(selection) ? readNext() : null
  while (reading !== null) {
    const step = await reading
    if (step.done === true) break
    const answer = step.value
    if (answer.kind !== 'page') {
      const index = takeIndex(selection)
      const content = sourceRow(line, answer)
      return end([{ kind: 'finished', index, source: position, content }])
    }
    const videos = answer.videos.map((video) => ({ ...video, source: position }))
    // Only a channel lists newest first; a playlist has an order of its own.
    const isNewestFirst = source.kind === 'channel' && !answer.isEstimated
    const offering = { isNamed: false, isNewestFirst, older }
    const offered: Offered = await offerVideos(run, selection, videos, offering)
    listed += videos.length

    const isPast = source.kind === 'channel' && isPastBounds(boundsOfEnd(run, selection.bounds, answer), offered.dates)
    if (answer.next === null || isPast || !wantsMore(selection)) return end(offered.rows)
    older = offered.older
    // The next page is under way while this one is recorded.
    reading = readNext()
    const after = { position, state: 'listing' as const, cursor: answer.next, listed }
    await commit({ rows: offered.rows, sources: [after], isPlanned: false })
  }
  await end([])
}

/** What a whole page must lie before for a channel's listing to end: further back where its order is estimated. */
function boundsOfEnd(run: JobRun, bounds: DateBounds, { isEstimated }: { isEstimated: boolean }): DateBounds {
  const { afterAt } = bounds
  if (!isEstimated || afterAt === null) return bounds
  const margin = 2 * nearMs(afterAt.getTime(), run.now().getTime())
  return { ...bounds, afterAt: new Date(afterAt.getTime() - margin) }
}

/** Slots left over go to videos that were refused before, of which something is known. */
async function lateRows(run: JobRun, selection: Selection): Promise<NewRow[]> {
  const decisions = finish(selection)
  const { accountId, urlSetHash } = run.job
  const videoIds = decisions.map(({ videoId }) => videoId)
  const known = await readHistory(run.db, { accountId, urlSetHash, videoIds })
  return decisions.map(({ kind, index, videoId }) => {
    const { title = null, channelName = null, publishedAt = null } = known.get(videoId) ?? {}
    const start = { videoId, title, channelName, publishedAt }
    const head = { index, source: LATE_SOURCE }
    return kind === 'take'
      ? { ...head, kind: 'planned', ...start, url: videoUrl(videoId) }
      : { ...head, kind: 'finished', content: freeRow(start, { status: 'truncated' }) }
  })
}

/** Rows planned after all sources belong to none of them. */
const LATE_SOURCE = 0

async function commitPage(run: JobRun, selection: Selection, page: Page): Promise<void> {
  const plan = closePage(selection)
  const isOurs = await transact(run.db, (tx) => planRows(tx, run.attempt, { ...page, plan }))
  if (!isOurs) throw new FencedOff()
}

function sourceOf({ line }: SourceProgress): Source {
  const reading = readSource(line)
  if (reading.kind === 'source') return reading.source
  throw new Error(`a source of an accepted job reads as ${reading.reason}`)
}
