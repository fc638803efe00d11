/** Offers the videos of one page to the selection and makes the rows of what it decides. */
import { findOwned } from '../features/jobs/owned-videos.ts'
import { exactly, isBounded, type KnownDate } from '../model/jobs/date-bounds.ts'
import {
  type Candidate,
  type Decision,
  peek,
  offer,
  type Selection,
  slotsLeft,
  turnAway,
  wantsMore,
} from '../model/jobs/selection.ts'
import { type KnownVideo, readHistory } from '../store/history.ts'
import type { OwnedRow } from '../store/owned-texts.ts'
import { findPlannedVideos, type NewRow, type RowContent } from '../store/video-rows.ts'
import { canonicalVideoId } from '../model/platform/source-link.ts'
import {
  applyOlder,
  type DateAsker,
  datesOfList,
  DatesSpent,
  findOlder,
  narrowDates,
  type Older,
} from './list-dates.ts'
import type { PlanRun } from './job-run.ts'
import { obstructedRow, type RowStart, videoRow, videoUrl } from './row-content.ts'
import type { SharedVideo } from './shared-lists.ts'

/** Number of dates asked for at once; for a list never more than there are free slots. */
const DATES_ASKED_AT_ONCE_MAX = 8

type OfferedVideo = SharedVideo & { source: number }

type Offering = {
  /** True where the customer named the videos, false where a list holds them. */
  isNamed: boolean
  /** True where the videos stand in the order of their dates, so that one date tells of its neighbours. */
  isNewestFirst: boolean
  /** Word of the pages before on the dates of this one. */
  older: Older | null
  /** Records the page's rows so far, which are read while their page waits for a slot that may come back. */
  record(rows: NewRow[]): Promise<void>
}

export type Offered = {
  rows: NewRow[]
  /** The page's rows before these, which `record` has recorded. */
  before: readonly NewRow[]
  /** Knowledge of the dates by now, in the order of the videos. */
  dates: KnownDate[]
  /** Word of this page and those before on the next page's dates. */
  older: Older | null
  /** True where the account's allowance ended within a list's page: the videos behind that place were not offered. */
  isCut: boolean
}

/** Offers the videos in listing order. Asks the platform for an exact date only where nothing else decides. */
export async function offerVideos(
  run: PlanRun,
  selection: Selection,
  listed: OfferedVideo[],
  offering: Offering,
): Promise<Offered> {
  const videos = offering.isNamed ? await asKnown(run, selection, listed) : listed
  const page = await openPage(run, selection, videos, offering).catch(unlessSpent)
  if (page === null) return { rows: [], before: [], dates: [], older: null, isCut: true }
  const { asker, looked } = page
  const before: NewRow[] = []
  const rows: NewRow[] = []
  let isCut = false
  for (const [place, video] of videos.entries()) {
    if (needsReturned(run, selection, page.candidateAt(place), rows)) {
      before.push(...rows)
      await offering.record(rows.splice(0))
      await run.slots.settle(selection, run.signal)
      Object.assign(looked, await lookUp(run, selection, idsOf(videos)))
    }
    const isClosed =
      run.calls.spent === 'refused' && TRIES.has(peek(selection, page.candidateAt(place)))
    const decided = isClosed ? null : await decide(selection, page, place).catch(unlessSpent)
    isCut = decided === null && !offering.isNamed
    if (isCut) break
    const decision = decided ?? turnAway(selection, page.candidateAt(place))
    const { videoId } = video
    const facts = { known: looked.known.get(videoId), owned: looked.owned.get(videoId) }
    const start = startOf(video, facts, asker.spelled(videoId))
    const row = rowOf(decision, video, start, decided === null ? 'allowance_spent' : null)
    if (row !== null) rows.push(row)
  }
  const found = page.spread()
  const older = found === null ? null : { ...found, from: found.from - videos.length }
  return { rows, before, dates: page.dates, older, isCut }
}

/** Returns whether only a slot that comes back can take the video, and one may. */
function needsReturned(
  { slots }: PlanRun,
  selection: Selection,
  candidate: Candidate,
  rows: readonly NewRow[],
): boolean {
  if (wantsMore(selection) || !slots.mayReturn(rows)) return false
  return NEEDS_SLOT.has(peek(selection, candidate))
}

/** Decisions that another slot may change, where none is left. */
const NEEDS_SLOT: ReadonlySet<Decision['kind']> = new Set(['truncated', 'ask_date'])

/**
 * Returns the videos, each under the spelling of its id under which the account knows it. A pasted id may be spelled
 * otherwise than the platform's (lists hold its own); a video that was delivered so is not delivered again.
 */
async function asKnown(
  run: PlanRun,
  selection: Selection,
  videos: OfferedVideo[],
): Promise<OfferedVideo[]> {
  const own = videos.map(({ videoId }) => canonicalVideoId(videoId))
  const changed = own.filter((videoId, place) => videoId !== videos[place]?.videoId)
  if (changed.length === 0) return videos
  const { known, owned, planned } = await lookUp(run, selection, changed)
  return videos.map((video, place) => {
    const videoId = own[place] ?? ''
    const isKnown = known.has(videoId) || owned.has(videoId) || planned.has(videoId)
    return isKnown ? { ...video, videoId } : video
  })
}

const idsOf = (videos: readonly OfferedVideo[]): string[] => videos.map(({ videoId }) => videoId)

type Looked = {
  known: Map<string, KnownVideo>
  owned: Map<string, OwnedRow>
  planned: Set<string>
}

/**
 * Returns what the account knows of videos, which of them it owns where the job leaves those out, and which have a row
 * of the job. Nothing is known and planned at a new set's first page.
 */
async function lookUp(
  { ctx: { db }, job, isNewSet }: PlanRun,
  { plan }: Selection,
  videoIds: string[],
): Promise<Looked> {
  const { id, accountId, urlSetHash, language, wishedTrack } = job
  const hasRows = plan.nextIndex > 1
  return {
    known:
      isNewSet && !hasRows ? new Map() : await readHistory(db, { accountId, urlSetHash, videoIds }),
    owned: job.skipsOwned
      ? await findOwned(db, { accountId, language, wishedTrack, videoIds })
      : new Map(),
    planned: hasRows ? await findPlannedVideos(db, id, videoIds) : new Set(),
  }
}

/** Decisions after which the platform is asked about the video. */
const TRIES: ReadonlySet<Decision['kind']> = new Set(['take', 'later', 'ask_date'])

async function decide(selection: Selection, page: Page, place: number): Promise<Decision> {
  const { dates, asker } = page
  const videoId = page.videos[place]?.videoId ?? ''
  dates[place] = (await asker.asked(videoId)) ?? dates[place] ?? UNASKED
  const decision = offer(selection, page.candidateAt(place))
  if (decision.kind !== 'ask_date') return decision
  askAhead(selection, page, place)
  dates[place] = await asker.ask(videoId)
  page.spread()
  return offer(selection, page.candidateAt(place))
}

function unlessSpent(error: unknown): null {
  if (error instanceof DatesSpent) return null
  throw error
}

const UNASKED: KnownDate = { kind: 'unasked' }

type Page = {
  videos: OfferedVideo[]
  looked: Looked
  dates: KnownDate[]
  asker: DateAsker
  candidateAt(place: number): Candidate
  /** Applies what the first exact date before the bounds says of the videos behind it, and returns that. */
  spread(): Older | null
}

/** Gathers all that is known of the page's videos; dates are asked for only to find the edge of a bound. */
async function openPage(
  run: PlanRun,
  selection: Selection,
  videos: OfferedVideo[],
  { isNamed, isNewestFirst, older }: Offering,
): Promise<Page> {
  const { bounds } = selection
  const videoIds = idsOf(videos)
  const looked = await lookUp(run, selection, videoIds)
  const asker = await run.askDates(isBounded(bounds) ? videoIds : [])

  let dates = datesOfList(videos).map((date, place) => {
    const learnt = exactly(looked.known.get(videoIds[place] ?? '')?.publishedAt ?? null)
    return learnt.kind === 'exact' ? learnt : date
  })
  if (older !== null) applyOlder(dates, older)
  if (isNewestFirst && isBounded(bounds)) {
    const probe = (place: number): ReturnType<DateAsker['ask']> => asker.ask(videoIds[place] ?? '')
    dates = await narrowDates(dates, { ...bounds, afterAt: null }, probe)
  }
  return {
    videos,
    looked,
    dates,
    asker,
    candidateAt: (place) => {
      const videoId = videoIds[place] ?? ''
      const history = looked.known.get(videoId)?.entry ?? null
      const date = dates[place] ?? UNASKED
      const owned = looked.owned.get(videoId) ?? null
      const deliveredBy = history?.kind === 'delivered' ? history.jobId : owned?.jobId
      const isOfBatch = deliveredBy !== undefined && run.jobsOfBatch.has(deliveredBy)
      const isPlanned = looked.planned.has(videoId) || (isOfBatch && !isNamed)
      return { videoId, isNamed, isPlanned, history, owned, date }
    },
    spread: () => {
      const found = isNewestFirst ? (findOlder(dates, bounds) ?? older) : null
      if (found !== null) applyOlder(dates, found)
      return found
    },
  }
}

/**
 * Asks for the dates of the next videos that need one, so that their answers come side by side. It counts each video
 * that may take a slot and stops when the free slots are used, so that no date is asked for in vain. Named videos need
 * their dates in any case.
 */
function askAhead(selection: Selection, page: Page, from: number): void {
  const isNamed = page.candidateAt(from).isNamed
  const max = isNamed
    ? DATES_ASKED_AT_ONCE_MAX
    : Math.min(DATES_ASKED_AT_ONCE_MAX, slotsLeft(selection))
  for (let place = from, count = 0; place < page.videos.length && count < max; place += 1) {
    const candidate = page.candidateAt(place)
    const kind = peek(selection, candidate)
    if (kind === 'ask_date') void page.asker.ask(candidate.videoId)
    if (kind === 'ask_date' || kind === 'take' || kind === 'later') count += 1
  }
}

/** Returns what is said of a video before it is read: a named one is called as the account's earlier rows call it. */
function startOf(
  { videoId, title, channelName }: OfferedVideo,
  { known, owned }: { known: KnownVideo | undefined; owned: OwnedRow | undefined },
  publishedAt: string | null,
): RowStart {
  return {
    videoId,
    title: title ?? known?.title ?? owned?.title ?? null,
    channelName: channelName ?? known?.channelName ?? owned?.channelName ?? null,
    publishedAt: publishedAt ?? known?.publishedAt ?? owned?.publishedAt ?? null,
  }
}

/** Returns the row of the decision; null where it makes none. */
function rowOf(
  decision: Decision,
  { source, videoId }: OfferedVideo,
  start: RowStart,
  reason: 'allowance_spent' | null,
): NewRow | null {
  const finished = (content: RowContent): NewRow | null =>
    'index' in decision ? { kind: 'finished', index: decision.index, source, content } : null
  switch (decision.kind) {
    case 'take':
      return { kind: 'planned', index: decision.index, source, ...start, url: videoUrl(videoId) }
    case 'unchanged': {
      const { earlierJobId, ownedSince } = decision
      return finished(videoRow(start, { status: 'unchanged', earlierJobId, ownedSince }))
    }
    case 'skipped':
      return finished(videoRow(start, { status: 'skipped', reason: decision.reason }))
    case 'truncated':
      return finished(videoRow(start, { status: 'truncated', reason: reason ?? decision.reason }))
    case 'obstructed':
      return finished(obstructedRow(start, decision.obstacle))
    case 'later':
    case 'pass':
      return null
    case 'ask_date':
      throw new Error(`the date of ${videoId} was asked for and is not enough`)
    default:
      return decision satisfies never
  }
}
