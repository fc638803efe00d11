/** A job over the world in memory: plans page by page, fetches between pages, crashes, resumes. */
import assert from 'node:assert/strict'
import { type DateBounds, isBounded, isPastBounds } from '../../src/model/jobs/date-bounds.ts'
import { type HistoryEntry, historyAfter } from '../../src/model/jobs/history.ts'
import type { OwnedText } from '../../src/model/jobs/owned-text.ts'
import {
  closePage,
  type Decision,
  finish,
  newPlan,
  offer,
  openSelection,
  type Plan,
  type Selection,
  wantsMore,
} from '../../src/model/jobs/selection.ts'
import type { RowStatus } from '../../src/model/jobs/video-row.ts'
import {
  attempt,
  change,
  listedDate,
  toldDate,
  type Whim,
  type SelectionWorld,
} from './selection-world.ts'

export type RowKind = Exclude<Decision['kind'], 'later' | 'pass' | 'ask_date'>
/** `status` is null while the video is taken and not yet attempted. */
export type Row = { videoId: string; index: number; kind: RowKind; status: RowStatus | null }

/** Data that the database would hold for one account and URL set. */
export type Account = {
  history: Map<string, HistoryEntry>
  /** Videos whose texts another order of the account delivered. */
  owned: ReadonlySet<string>
  delivered: Map<string, number>
  chargedTranscripts: number
}

/** Data that the database would hold for one job, and the test's own counts. */
export type Job = {
  jobId: string
  slots: number
  bounds: DateBounds
  skipsOwned: boolean
  pageSize: number
  rows: Map<string, Row>
  plan: Plan
  position: { source: number; offset: number }
  isPlanned: boolean
  pagesRead: Set<string>
  datesAsked: number
  crashes: number
  isDisturbed: boolean
}

class Crash extends Error {}

export type Trouble = { crashOneIn: number; cancelOneIn: number; disturbOneIn: number }

type Run = { world: SelectionWorld; account: Account; job: Job; whim: Whim; trouble: Trouble }

type Ordered = Pick<Job, 'jobId' | 'slots' | 'bounds' | 'pageSize' | 'skipsOwned'>

export function newJob(part: Ordered): Job {
  return {
    ...part,
    rows: new Map(),
    plan: newPlan(),
    position: { source: 0, offset: 0 },
    isPlanned: false,
    pagesRead: new Set(),
    datesAsked: 0,
    crashes: 0,
    isDisturbed: false,
  }
}

/** Runs the job to its end. Returns false where it was cancelled: rows without an answer are then abandoned. */
export function runSelection(run: Run): boolean {
  for (;;) {
    try {
      return runAttempt(run)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      run.job.crashes += 1
    }
  }
}

function runAttempt(run: Run): boolean {
  const { job, whim, trouble } = run
  const { slots, bounds, plan } = job
  const selection = openSelection({ slots, bounds, plan })
  while (!job.isPlanned) {
    if (oneIn(whim, trouble.cancelOneIn)) return false
    if (oneIn(whim, trouble.disturbOneIn)) {
      job.isDisturbed = change(run.world, 'upload', whim) || job.isDisturbed
    }
    planPage(run, selection)
    fetchSome(run, whim(3))
  }
  fetchSome(run, Infinity)
  return true
}

/** Plans one named video, one page of a list, or the end; commits its rows, plan and position. */
function planPage(run: Run, selection: Selection): void {
  const { world, job, whim, trouble } = run
  const source = world.sources[job.position.source]
  const rows: Row[] = []
  let position = { source: job.position.source + 1, offset: 0 }

  if (source === undefined) {
    for (const late of finish(selection)) rows.push({ ...late, status: null })
  } else if (source.kind === 'named') {
    decide(run, selection, { videoId: source.videoId, isNamed: true, rows })
  } else if (wantsMore(selection)) {
    const { offset } = job.position
    const page = source.videoIds.slice(offset, offset + job.pageSize)
    if (page.length > 0) job.pagesRead.add(`${job.position.source}:${offset}`)
    for (const videoId of page) decide(run, selection, { videoId, isNamed: false, rows })
    const dates = page.map((videoId) => listedDate(world.videos.get(videoId)!))
    const isEnd =
      offset + job.pageSize >= source.videoIds.length ||
      (source.isChannel && isPastBounds(job.bounds, dates))
    if (!isEnd) position = { source: job.position.source, offset: offset + job.pageSize }
  }

  if (oneIn(whim, trouble.crashOneIn)) throw new Crash('before the commit')
  for (const row of rows) {
    assert(!job.rows.has(row.videoId), `one row per video, two for ${row.videoId}`)
    job.rows.set(row.videoId, row)
  }
  job.plan = JSON.parse(JSON.stringify(closePage(selection)))
  job.position = position
  job.isPlanned = source === undefined
  if (oneIn(whim, trouble.crashOneIn)) throw new Crash('after the commit')
}

function decide(
  run: Run,
  selection: Selection,
  { videoId, isNamed, rows }: { videoId: string; isNamed: boolean; rows: Row[] },
): void {
  const { world, account, job } = run
  const video = world.videos.get(videoId)!
  const history = account.history.get(videoId) ?? null
  const owned = job.skipsOwned && account.owned.has(videoId) ? OWNED : null
  const known = { videoId, isNamed, isPlanned: job.rows.has(videoId), history, owned }
  const date = isNamed ? ({ kind: 'unasked' } as const) : listedDate(video)
  let decision = offer(selection, { ...known, date })
  if (decision.kind === 'ask_date') {
    assert(isBounded(job.bounds), 'no date is asked for without bounds')
    job.datesAsked += 1
    decision = offer(selection, { ...known, date: toldDate(video) })
    assert(decision.kind !== 'ask_date', 'a date is asked for once')
  }
  if (decision.kind === 'unchanged') {
    const { earlierJobId: jobId, ownedSince } = decision
    if (ownedSince === null) assert.deepEqual(history, { kind: 'delivered', jobId })
    else assert.equal(jobId, owned?.jobId)
  }
  if ('index' in decision) {
    rows.push({ videoId, index: decision.index, kind: decision.kind, status: null })
  }
}

const OWNED: OwnedText = {
  jobId: 'other',
  index: 1,
  languageCode: 'en',
  trackKind: 'manual',
  wishedLanguage: 'original',
  wishedTrack: null,
  deliveredAt: new Date('2026-01-01'),
}

/** Attempts `count` taken rows, in index order; row, history and charge are one commit. */
function fetchSome({ world, account, job, whim, trouble }: Run, count: number): void {
  const pending = [...job.rows.values()].filter((row) => row.kind === 'take' && row.status === null)
  for (const row of pending.slice(0, count)) {
    if (oneIn(whim, trouble.crashOneIn)) throw new Crash('in flight')
    const now = new Date(world.nowMs)
    const outcome = attempt(world, world.videos.get(row.videoId)!, job.jobId)
    const entry = historyAfter(account.history.get(row.videoId) ?? null, outcome, now)
    row.status = outcome.status
    if (entry !== null) account.history.set(row.videoId, entry)
    if (outcome.status === 'success') {
      account.delivered.set(row.videoId, (account.delivered.get(row.videoId) ?? 0) + 1)
      account.chargedTranscripts += 1
    }
  }
}

function oneIn(whim: Whim, chances: number): boolean {
  return chances > 0 && whim(chances) === 0
}
