/**
 * The selection: what a job takes up of the videos it names and lists, and how a repeat goes on.
 *
 * Videos are offered one by one in planning order; each is decided at once and for good:
 *
 *     take        a slot and a row: its captions are attempted
 *     unchanged   a row: an earlier job delivered it, or the account owns it and the job leaves out what is owned,
 *                 whatever the bounds say
 *     skipped     a row: outside the date bounds (of listed videos at most 500 rows)
 *     truncated   a row: every slot is taken; in bounds, or with the reason that its date is still open
 *     later       no row yet: the platform refused it before, so it waits for a slot left over
 *     pass        no row: a duplicate, or refused before and without a slot left over
 *     ask_date    nothing yet: find out the exact publish date, then offer the video again
 *
 * A row names a reason only where it holds whatever is still unknown of the video.
 *
 * Why repeats always make progress: a video has *first priority* at most twice, once when it was never
 * attempted and once more after a transient failure. It is passed over then only if other videos of
 * first priority take all slots. So a repeat either attempts as many of them as it has slots, or all
 * that are left. Afterwards a video has *last priority*, like those with a definite answer: these
 * are attempted again in order of their last attempt, the oldest first, so that each one comes up.
 *
 * `plan` is all that a worker must store with each page's rows; the attempt after a crash opens the
 * selection with it. Beyond it, the process keeps only the ids of one page and of passed videos.
 */
import assert from 'node:assert/strict'
import { type DateBounds, exactly, judgeDate, type KnownDate } from './date-bounds.ts'
import { type HistoryEntry, retryPriority } from './history.ts'
import type { OwnedText } from './owned-text.ts'
import type { Obstacle } from '../platform/refusal.ts'
import type { SkipReason } from './video-row.ts'

/** Number of rows of listed videos outside the bounds, per job. Named videos always get their row. */
export const SKIPPED_ROWS_MAX = 500
/** Number of ids of videos without a row, remembered per process so that each is counted once (about 8 MB). */
const PASSED_IDS_MAX = 100_000

/** The stored state of the selection, as JSON: at most `slots` waiting videos and 50 unplaced ones, about 30 KB. */
export type Plan = {
  /** The index of the next row; 1-based. */
  nextIndex: number
  slotsTaken: number
  /** Number of rows of listed, not named, videos outside the bounds so far. */
  skippedListed: number
  /** Number of distinct videos offered so far, and of source rows: the wire's `progress.discovered`. */
  discovered: number
  /** Videos that wait for slots left over, the oldest attempt first, equal ones in listing order. */
  waiting: WaitingVideo[]
  /** Named videos that lost their place among the waiting ones, in that order. */
  unplaced: string[]
}

type WaitingVideo = { videoId: string; attemptedAtMs: number; isNamed: boolean }

export type Candidate = {
  videoId: string
  /** True where the customer named the video itself, false where a list holds it. */
  isNamed: boolean
  /** True where the job has a row of it, or needs none, as stored when the last page was closed. */
  isPlanned: boolean
  history: HistoryEntry | null
  /** The text that the account has of it by another order, where the job leaves out what is owned; else null. */
  owned: OwnedText | null
  date: KnownDate
}

export type Decision =
  | { kind: 'take'; index: number }
  | { kind: 'unchanged'; index: number; earlierJobId: string; ownedSince: Date | null }
  | { kind: 'skipped'; index: number; reason: SkipReason }
  | { kind: 'truncated'; index: number; reason: 'date_open' | null }
  /** Its date could not be asked for, and bounds need it: a row that took a slot, and is tried again. */
  | { kind: 'obstructed'; index: number; obstacle: Obstacle }
  | { kind: 'later' | 'pass' | 'ask_date' }

/** A video whose row is decided only after everything was listed. */
type LateDecision = { kind: 'take' | 'truncated'; index: number; videoId: string }

export type Selection = {
  /** maxVideos after the balance cap, and the slots that came back. */
  slots: number
  readonly bounds: DateBounds
  readonly plan: Plan
  /** Ids of videos that got their row since the last page was closed. */
  readonly pageIds: Set<string>
  /** Ids of videos counted as discovered that have no row and do not wait. */
  readonly passedIds: Set<string>
}

export function newPlan(): Plan {
  return { nextIndex: 1, slotsTaken: 0, skippedListed: 0, discovered: 0, waiting: [], unplaced: [] }
}

/** Opens the selection. `slots` is maxVideos after the balance cap; `plan` is new, or as the last page left it. */
export function openSelection(job: { slots: number; bounds: DateBounds; plan: Plan }): Selection {
  assert(job.slots > 0, 'a job has at least one slot')
  const plan = structuredClone(job.plan)
  return { ...job, plan, pageIds: new Set(), passedIds: new Set() }
}

/**
 * Returns whether further listing can bring anything: once the slots are full, no further page is read. Named videos
 * are offered all the same; they need no listing, and each gets its row.
 */
export function wantsMore({ slots, plan }: Selection): boolean {
  return plan.slotsTaken < slots
}

/**
 * Gives back slots whose videos proved to be owned when they were to be charged: the selection goes on to the next
 * videos, as if it had listed later.
 */
export function returnSlots(selection: Selection, slots: number): void {
  selection.slots += slots
}

/** Decides one video and notes the decision. `ask_date` is not noted and changes nothing. */
export function offer(selection: Selection, candidate: Candidate): Decision {
  if (isSettled(selection, candidate)) {
    const waiting = selection.plan.waiting.find(({ videoId }) => videoId === candidate.videoId)
    if (waiting !== undefined) waiting.isNamed ||= candidate.isNamed
    return { kind: 'pass' }
  }
  const decision = decide(selection, candidate)
  if (decision.kind !== 'ask_date') note(selection, candidate, decision)
  return decision
}

/** Decides a named video when no more calls are allowed: it is over the limit, whatever its date. */
export function turnAway(selection: Selection, candidate: Candidate): Decision {
  const decision = { kind: 'truncated', index: selection.plan.nextIndex, reason: null } as const
  note(selection, candidate, decision)
  return decision
}

/** Returns what `offer` would decide now; changes nothing. */
export function peek(selection: Selection, candidate: Candidate): Decision['kind'] {
  return isSettled(selection, candidate) ? 'pass' : decide(selection, candidate).kind
}

/** Returns how many slots are free; asking for more dates than this would be wasteful. */
export function slotsLeft({ slots, plan }: Selection): number {
  return slots - plan.slotsTaken
}

/** Returns the index of a row without a video, such as of a list that could not be read; it counts as discovered. */
export function takeIndex({ plan }: Selection): number {
  plan.discovered += 1
  return plan.nextIndex++
}

/** Ends a page and returns the plan to commit with its rows, after which the next page's `isPlanned` is looked up. */
export function closePage({ plan, pageIds }: Selection): Plan {
  pageIds.clear()
  return structuredClone(plan)
}

/**
 * Ends the listing: slots left over go to the waiting videos, and named videos that find none are over the limit. All
 * decisions belong to one page: close it and commit. A second call returns nothing.
 */
export function finish({ slots, plan, pageIds }: Selection): LateDecision[] {
  const taken = plan.waiting.splice(0).map(({ videoId }): LateDecision => {
    plan.slotsTaken += 1
    return { kind: 'take', index: plan.nextIndex++, videoId }
  })
  assert(plan.slotsTaken <= slots, 'no more videos wait than slots are left')
  const beyond = plan.unplaced.splice(0).map((videoId): LateDecision => {
    return { kind: 'truncated', index: plan.nextIndex++, videoId }
  })
  const decisions = [...taken, ...beyond]
  for (const { videoId } of decisions) pageIds.add(videoId)
  return decisions
}

/** Returns whether the video has its row or waits for it: the job's lists name it a second time. */
function isSettled({ plan, pageIds }: Selection, { videoId, isPlanned }: Candidate): boolean {
  if (isPlanned || pageIds.has(videoId) || plan.unplaced.includes(videoId)) return true
  return plan.waiting.some((one) => one.videoId === videoId)
}

/** Returns the decision and changes nothing. The order of the checks is the precedence of the rows' statuses. */
function decide(selection: Selection, candidate: Candidate): Decision {
  const { bounds, plan } = selection
  const { history, isNamed } = candidate
  const index = plan.nextIndex
  if (history?.kind === 'delivered') {
    return { kind: 'unchanged', index, earlierJobId: history.jobId, ownedSince: null }
  }
  if (candidate.owned !== null) {
    const { jobId, deliveredAt } = candidate.owned
    return { kind: 'unchanged', index, earlierJobId: jobId, ownedSince: deliveredAt }
  }

  const date = knownDate(candidate)
  const verdict = judgeDate(bounds, date)
  if (verdict === 'outside' || verdict === 'undated') {
    if (!isNamed && plan.skippedListed >= SKIPPED_ROWS_MAX) return { kind: 'pass' }
    return { kind: 'skipped', index, reason: SKIP_REASONS[verdict] }
  }

  const isLastPriority = retryPriority(history) === 'last'
  if (date.kind === 'obstructed' && verdict === 'obstructed') {
    if (isLastPriority && !isNamed) return { kind: 'pass' }
    if (!wantsMore(selection)) return { kind: 'truncated', index, reason: 'date_open' }
    return { kind: 'obstructed', index, obstacle: date.obstacle }
  }
  if (!isNamed && isLastPriority && !findsPlace(selection, history)) return { kind: 'pass' }
  const needsDate = isNamed || wantsMore(selection)
  if (verdict === 'undecided' && needsDate) return { kind: 'ask_date' }
  if (!wantsMore(selection))
    return { kind: 'truncated', index, reason: verdict === 'undecided' ? 'date_open' : null }
  return isLastPriority ? { kind: 'later' } : { kind: 'take', index }
}

const SKIP_REASONS = { outside: 'out_of_bounds', undated: 'date_unknown' } as const

/** Returns the date, exact where an earlier attempt learnt it, so that it is not asked for twice. */
function knownDate({ date, history }: Candidate): KnownDate {
  const isSure = date.kind === 'exact' || date.kind === 'undated'
  if (isSure || history === null || history.kind === 'delivered') return date
  const learnt = exactly(history.publishedAt)
  return learnt.kind === 'exact' ? learnt : date
}

/** Returns whether a video that was refused before would get one of the slots that are free now. */
function findsPlace({ slots, plan }: Selection, history: HistoryEntry | null): boolean {
  if (plan.waiting.length < slots - plan.slotsTaken) return true
  const last = plan.waiting.at(-1)
  return last !== undefined && attemptedAtMs(history) < last.attemptedAtMs
}

function note(selection: Selection, candidate: Candidate, decision: Decision): void {
  const { plan, pageIds, passedIds } = selection
  const { videoId, isNamed } = candidate
  if (!passedIds.delete(videoId)) plan.discovered += 1

  if ('index' in decision) {
    plan.nextIndex += 1
    pageIds.add(videoId)
    if (decision.kind === 'take' || decision.kind === 'obstructed') plan.slotsTaken += 1
    if (decision.kind === 'skipped' && !isNamed) plan.skippedListed += 1
  } else if (decision.kind === 'later') {
    queueUp(plan, { videoId, attemptedAtMs: attemptedAtMs(candidate.history), isNamed })
  } else {
    remember(passedIds, videoId)
  }
  dropUnneeded(selection)
}

/** Queues the video behind all that were attempted before it or in the same instant. */
function queueUp({ waiting }: Plan, newcomer: WaitingVideo): void {
  const later = waiting.findIndex((one) => one.attemptedAtMs > newcomer.attemptedAtMs)
  waiting.splice(later < 0 ? waiting.length : later, 0, newcomer)
}

/** Keeps at most as many waiting videos as slots are left. A dropped one never waits again. */
function dropUnneeded({ slots, plan, passedIds }: Selection): void {
  const dropped = plan.waiting.splice(slots - plan.slotsTaken)
  for (const { videoId, isNamed } of dropped) {
    if (isNamed) plan.unplaced.push(videoId)
    else remember(passedIds, videoId)
  }
}

function remember(passedIds: Set<string>, videoId: string): void {
  if (passedIds.size < PASSED_IDS_MAX) passedIds.add(videoId)
}

function attemptedAtMs(history: HistoryEntry | null): number {
  assert(history !== null && history.kind !== 'delivered', 'a waiting video was attempted before')
  return history.attemptedAt.getTime()
}
