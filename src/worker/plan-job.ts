/** Plans a job: lists its sources page by page and records what each page decided. */
import { boundsOf } from '../model/jobs/date-bounds.ts'
import { keptReading } from '../model/jobs/order.ts'
import {
  closePage,
  finish,
  newPlan,
  openSelection,
  type Selection,
  takeIndex,
} from '../model/jobs/selection.ts'
import { LATE_SOURCE, type ListedPage, planPage } from '../features/jobs/plan-rows.ts'
import type { Source } from '../model/platform/source.ts'
import { readHistory } from '../store/history.ts'
import type { Db } from '../store/database.ts'
import { listIdsOfBatch } from '../store/batches.ts'
import type { JobRecord } from '../store/jobs.ts'
import { listSources, type SourceProgress } from '../store/job-sources.ts'
import type { NewRow } from '../store/video-rows.ts'
import { freeCalls } from '../features/jobs/free-calls.ts'
import { dateAsker } from './list-dates.ts'
import { sourceRow, videoRow, videoUrl } from './row-content.ts'
import { type JobRun, type PlanRun, WriteRefused } from './job-run.ts'
import { offerVideos } from './offer-videos.ts'
import { type Commit, listedUp, planList } from './plan-list.ts'
import { previewedLists } from './shared-lists.ts'

export type Listing = { progress: SourceProgress; source: Source }
export type Batch = [Listing, ...Listing[]]

/** Called after a page's commit with its rows; `isLast` says that all is planned. */
export type OnRows = (rows: readonly NewRow[], isLast: boolean) => void

/**
 * Resolves when everything that the job takes up has its row. Each page is one commit that also holds where to go on,
 * so a worker that takes over repeats at most one page. Throws WriteRefused where the job is no longer this attempt's
 * to plan.
 */
export async function planJob(run: JobRun, onRows: OnRows): Promise<void> {
  const { ctx, share, platform, lists, signal, place } = run
  const { job, start } = run.begun
  if (job.isPlanned) return
  const calls = freeCalls(ctx.db, job.accountId, ctx.allowance)
  const asker = { ctx, share, platform, calls, signal }
  const planRun: PlanRun = {
    ...asker,
    job,
    jobsOfBatch: await jobsOfBatch(ctx.db, job),
    lists,
    slots: run.slots,
    isNewSet: start?.isNewSet === true,
    isParking: () => place.isParking,
    askDates: (videoIds) => dateAsker(asker, videoIds),
  }
  try {
    await planWith(run, planRun, onRows)
  } finally {
    await calls.settle().catch(() => undefined) // what is owed while the database is away costs nothing
  }
}

async function jobsOfBatch(db: Db, { accountId, batchId }: JobRecord): Promise<Set<string>> {
  return new Set(batchId === null ? [] : await listIdsOfBatch(db, { accountId, batchId }))
}

async function planWith(run: JobRun, planRun: PlanRun, onRows: OnRows): Promise<void> {
  const { job, start } = run.begun
  const plan = job.plan ?? newPlan()
  const returned = plan.slotsTaken - job.slotsUsed // of texts that proved to be owned
  const selection = openSelection({ slots: job.maxVideos + returned, bounds: boundsOf(job), plan })
  const [progresses] = await Promise.all([
    start?.sources ?? listSources(run.ctx.db, job.id),
    planRun.calls.checkRefused(start?.refusedToday),
  ])
  const commit = async (page: ListedPage): Promise<void> => {
    await commitPage(run, selection, page)
    onRows(page.rows, page.isPlanned)
  }

  const listings: Listing[] = []
  for (const progress of progresses) {
    const reading = keptReading(progress.line, progress.source)
    if (reading.kind === 'source') listings.push({ progress, source: reading.source })
    else if (progress.state !== 'listed') await commit(refusedPage(selection, progress, reading))
  }
  let isPlanned = false
  /**
   * Adds to the page that ends the last source the rows that are decided only then: most jobs need no further commit.
   */
  const commitLast = async (page: ListedPage): Promise<void> => {
    const goesOn = page.isPart ?? page.sources.some(({ state }) => state !== 'listed')
    if (goesOn) return commit(page)
    const late = await lateRows(planRun, selection)
    await commit({ ...page, rows: [...page.rows, ...late], isPlanned: true })
    isPlanned = true
  }
  const batches = batchesOf(listings)
  for (const [at, batch] of batches.entries()) {
    const [{ progress, source }] = batch
    const record = at === batches.length - 1 ? commitLast : commit
    if (source.kind === 'video') {
      await planNamed(planRun, selection, batch, record)
      continue
    }
    // A job that was started from a preview reads the pages that the preview listed.
    const lists = progress.isPreviewed ? previewedLists(planRun.lists) : planRun.lists
    await planList({ ...planRun, lists }, selection, { progress, source }, record)
  }
  // The sources of some jobs had all ended before.
  if (!isPlanned) await commitLast({ rows: [], sources: [], isPlanned: true })
}

/** Returns the sources in batches: neighbouring named videos are one page, each list is by itself. */
export function batchesOf(sources: Listing[]): Batch[] {
  const batches: Batch[] = []
  for (const listing of sources) {
    if (listing.progress.state === 'listed') continue
    const last = batches.at(-1)
    if (listing.source.kind === 'video' && last?.[0].source.kind === 'video') last.push(listing)
    else batches.push([listing])
  }
  return batches
}

export async function planNamed(
  run: PlanRun,
  selection: Selection,
  batch: Batch,
  commit: Commit,
): Promise<void> {
  const askedAt = run.ctx.now()
  const videos = batch.flatMap(({ progress: { position }, source }) =>
    source.kind === 'video'
      ? [{ ...UNLISTED, askedAt, videoId: source.videoId, source: position }]
      : [],
  )
  const record = (rows: NewRow[]): Promise<void> =>
    commit({ rows, sources: [], isPlanned: false, isNamed: true, isPart: true })
  const offering = { isNamed: true, isNewestFirst: false, older: null, record }
  const { rows } = await offerVideos(run, selection, videos, offering)
  const state = 'listed' as const
  const sources = batch.map(({ progress }) => ({ ...progress, state, listed: 1 }))
  await commit({ rows, sources, isPlanned: false, isNamed: true })
}

const UNLISTED = { title: null, channelName: null, publishedText: null, isMembersOnly: false }

/** Returns rows for the slots that are left over: videos that were refused before, with what is known of them. */
async function lateRows(run: PlanRun, selection: Selection): Promise<NewRow[]> {
  const decisions = finish(selection)
  const { accountId, urlSetHash } = run.job
  const videoIds = decisions.map(({ videoId }) => videoId)
  const known = await readHistory(run.ctx.db, { accountId, urlSetHash, videoIds })
  return decisions.map(({ kind, index, videoId }) => {
    const { title = null, channelName = null, publishedAt = null } = known.get(videoId) ?? {}
    const start = { videoId, title, channelName, publishedAt }
    const head = { index, source: LATE_SOURCE }
    return kind === 'take'
      ? { ...head, kind: 'planned', ...start, url: videoUrl(videoId) }
      : { ...head, kind: 'finished', content: videoRow(start, { status: 'truncated' }) }
  })
}

async function commitPage(run: JobRun, selection: Selection, page: ListedPage): Promise<void> {
  const plan = closePage(selection)
  const isOurs = await planPage(run.ctx.db, run.attempt, { ...page, plan })
  if (!isOurs) throw new WriteRefused()
  run.slots.planned(page.rows)
  run.place.committed('page')
}

/** Returns the page of a line that the release before accepted and this one refuses. */
function refusedPage(
  selection: Selection,
  progress: SourceProgress,
  { sentence }: { sentence: string },
): ListedPage {
  const text = `This line cannot be used: ${sentence}.`
  const content = sourceRow(progress.line, { kind: 'missing', text })
  const row = { index: takeIndex(selection), source: progress.position, content }
  return listedUp(progress, [{ kind: 'finished', ...row }])
}
