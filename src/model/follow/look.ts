/**
 * A look: what a subscription's list, its jobs and its account's money decide together.
 *
 * Everything is decided here, from facts of one instant that are read under the locks of balance and subscription; the
 * verb `record-look` writes it in the same transaction. A crash so leaves no trace of the look.
 */
import {
  type AskedVideos,
  type FollowedVideo,
  isDue,
  newlyFound,
  settledVideos,
  type FollowedFacts,
  withRoomFor,
} from './followed-video.ts'
import {
  BUSY_MS,
  failureMs,
  FINDS_MAX,
  INTERVAL_MS,
  lookIntervalMs,
  MISSING_MS,
  MONEY_MS,
  RETRY_LOOK_MS,
  spreadMs,
} from './look-schedule.ts'
import {
  CAP_NOTICE,
  type CapUse,
  isCapUsed,
  MISSING_LOOKS_MAX,
  nextMonthOf,
  type SubscriptionState,
  WAITING_VIDEOS_MAX,
} from './subscription.ts'
import { backlogOf, knownAfter, newVideos, type ReadList } from './new-videos.ts'

/**
 * The platform's answer; `spent` means that the account's allowance of the day ended before the question, `unasked`
 * that the cap was used up since the look before, which alone is to be told.
 */
export type LookAnswer =
  | { kind: 'list'; list: ReadList; title: string | null; asked: AskedVideos }
  | { kind: 'missing' }
  | { kind: 'failed' }
  | { kind: 'spent' }
  | { kind: 'unasked' }

/** A subscription's memory from look to look. */
type LookMemory = {
  state: SubscriptionState
  /** Ids that are known; null before the first look. */
  known: string[] | null
  foundAt: Date[]
  failures: number
  missing: number
}

/** The beginning of a look. */
export type LookStart = LookMemory & {
  id: string
  look: number
  since: Date
  backlog: number
  /** The owner's choice; null for as often as the source publishes. */
  everyHours: number | null
}

export type LookFacts = FollowedFacts & { money: LookMoney }

/** Videos that the cap still pays for; `isCapUsed` where less is left of it than a transcript costs. */
export type LookCap = { capLeft: number; isCapUsed: boolean }

/** Money that the look may spend, counted in videos. */
type LookMoney = LookCap & {
  affordable: number
  /** True where running jobs hold money that may come back. */
  isHeld: boolean
  /** True where a job with the same URL set is open, or the service has no place for another one. */
  isBusy: boolean
}

/** The subscription's state and its next look, whatever was decided about videos. */
export type LookSchedule = LookMemory & {
  title: string | null
  notice: string | null
  /** False where the look does not count as one. */
  hasLooked: boolean
  /** When to look next; null for never. */
  nextLookAt: Date | null
}

export type LookDecision = LookSchedule & {
  /** Videos that go on, in order of age; the others are over. */
  videos: FollowedVideo[]
  /** Videos that one job is to take now, in order of age. */
  order: string[]
  found: number
  mail: 'out_of_money' | 'gone' | null
}

const NOTICES = {
  missing: 'The platform says that this channel or playlist does not exist; we will check again.',
  gone: 'The channel or playlist no longer exists.',
  failed: 'The last check failed; we will try again soon.',
  spent: 'Your free platform calls for today are used up; the next check is tomorrow.',
  cap: CAP_NOTICE,
  money:
    'Your balance does not cover any of the new videos. Once you top up, they are bought within an hour.',
  passedOver: `More than ${WAITING_VIDEOS_MAX} videos are waiting for credit; newer ones are skipped.`,
  longPlaylist:
    'Only the beginning of this long playlist is checked; videos added at its end are not found.',
} as const

/**
 * Returns whether a look has to read its list. One that finds the cap newly used up only tells that; where nothing is
 * known yet, the list says from when on videos are new.
 */
export function mustReadList({ state, known, ...cap }: LookStart & CapUse): boolean {
  return state !== 'active' || known === null || !isCapUsed(cap)
}

/** Returns whether a look decides nothing about videos or money: then neither balance nor jobs are read. */
export function isQuiet(start: LookStart, answer: LookAnswer): boolean {
  if (start.state === 'cap_reached' || answer.kind === 'unasked') return false
  if (answer.kind !== 'list') return answer.kind !== 'missing' || !isLastMissing(start)
  return foundBy(start, answer.list).length === 0
}

/** Decides a look that is quiet, where no video waits or is in a job. */
export function decideQuietly(start: LookStart, answer: LookAnswer, now: Date): LookSchedule {
  const { known, foundAt, failures, missing } = start
  const same = { known, foundAt, failures, missing, title: null, state: 'active' as const }
  const none = { ...same, state: start.state, hasLooked: false }
  switch (answer.kind) {
    case 'failed':
      return {
        ...none,
        failures: failures + 1,
        notice: NOTICES.failed,
        nextLookAt: later(now, spreadMs(failureMs(failures + 1), seedOf(start))),
      }
    case 'unasked':
      return { ...none, notice: null, nextLookAt: later(now, regularMs(start, now)) }
    case 'spent':
      return { ...none, notice: NOTICES.spent, nextLookAt: tomorrow(start, now) }
    case 'missing':
      return {
        ...none,
        missing: missing + 1,
        notice: NOTICES.missing,
        nextLookAt: later(now, MISSING_MS),
      }
    case 'list': {
      const isCut = !answer.list.isComplete && !answer.list.isNewestFirst
      return {
        ...same,
        known: knownAfter(known ?? [], answer.list),
        title: answer.title,
        failures: 0,
        missing: 0,
        hasLooked: true,
        notice: isCut ? NOTICES.longPlaylist : null,
        nextLookAt: later(now, regularMs(start, now)),
      }
    }
  }
}

/** Decides a look that may find, buy or end videos. */
export function decideLook(start: LookStart, answer: LookAnswer, facts: LookFacts): LookDecision {
  const { now } = facts
  const schedule = decideQuietly(start, answer, now)
  const settled = settledVideos(facts, answer.kind === 'list' ? answer.asked.answers : new Map())
  if (answer.kind === 'missing' && isLastMissing(start)) return goneDecision(schedule)
  if (answer.kind !== 'list' && answer.kind !== 'unasked') {
    const isOver = schedule.state === 'cap_reached' && !facts.money.isCapUsed
    const state = isOver ? 'active' : schedule.state
    return { ...schedule, state, videos: settled, order: [], found: 0, mail: null }
  }

  const known = new Set([...facts.videos, ...settled].map(({ videoId }) => videoId))
  const listed = answer.kind === 'list' ? foundBy(start, answer.list) : []
  const found = listed.filter((id) => !known.has(id) && !facts.delivered.has(id))
  const first = 1 + Math.max(0, ...facts.videos.map(({ number }) => number))
  const fresh = found.map((videoId, at) => newlyFound(videoId, first + at, now))
  const kept = withRoomFor(fresh.length, settled)
  const all = [...kept, ...fresh].slice(0, Math.max(kept.length, WAITING_VIDEOS_MAX))
  const isBacklog = start.known === null
  const foundAt = isBacklog ? [] : [...start.foundAt, ...found.map(() => now)].slice(-FINDS_MAX)
  const buying = decideBuying(all, facts)
  const ordered = new Set(buying.order)
  const passedOver = all.length < kept.length + found.length ? NOTICES.passedOver : null
  const candidates = [
    later(now, regularMs({ ...start, foundAt }, now)),
    ...buying.nextAt,
    ...all
      .filter(({ jobId, dueAt }) => jobId === null && dueAt > now)
      .map(({ dueAt }) => {
        const soonest = later(now, INTERVAL_MS.min) // one look for many, whose times lie anywhere
        return dueAt > soonest ? dueAt : soonest
      }),
    ...(all.some(({ jobId }) => jobId !== null) ? [later(now, RETRY_LOOK_MS)] : []),
    ...(answer.kind === 'list' && answer.asked.isMore ? [later(now, BUSY_MS)] : []),
  ]
  return {
    ...schedule,
    foundAt,
    videos: all.map((one) => (ordered.has(one.videoId) ? { ...one, dueAt: now } : one)),
    order: buying.order,
    found: Math.max(0, all.length - kept.length),
    state: buying.state,
    notice: buying.notice ?? passedOver ?? schedule.notice,
    mail: buying.state === 'out_of_money' ? 'out_of_money' : null,
    nextLookAt: new Date(Math.min(...candidates.map((at) => at.getTime()))),
  }
}

type Buying = { state: SubscriptionState; order: string[]; notice: string | null; nextAt: Date[] }

/** Decides which due videos to buy: as many as cap and balance pay for, the oldest first. */
function decideBuying(videos: FollowedVideo[], { now, money }: LookFacts): Buying {
  const due = videos.filter((video) => isDue(video, now))
  const none = { state: 'active' as const, order: [], notice: null, nextAt: [] }
  const untilNextMonth: Buying = {
    ...none,
    state: 'cap_reached',
    notice: NOTICES.cap,
    nextAt: [nextMonthOf(now)],
  }
  if (money.isCapUsed) return untilNextMonth
  if (due.length === 0) return none
  const soon = { ...none, nextAt: [later(now, BUSY_MS)] }
  if (money.isBusy) return soon
  if (money.capLeft === 0) return untilNextMonth
  if (money.affordable === 0) {
    if (money.isHeld) return soon
    const nextAt = [later(now, MONEY_MS)]
    return { ...none, state: 'out_of_money', notice: NOTICES.money, nextAt }
  }
  const order = due
    .slice(0, Math.min(money.capLeft, money.affordable, ORDERED_MAX))
    .map(({ videoId }) => videoId)
  return { ...(order.length < due.length ? soon : none), order }
}

/** The most videos that one job takes. */
const ORDERED_MAX = 500

function foundBy({ known, backlog }: LookStart, list: ReadList): string[] {
  return known === null ? backlogOf(list, backlog) : newVideos(known, list)
}

function goneDecision(schedule: LookSchedule): LookDecision {
  return {
    ...schedule,
    state: 'gone',
    notice: NOTICES.gone,
    nextLookAt: null,
    videos: [],
    order: [],
    found: 0,
    mail: 'gone',
  }
}

function isLastMissing({ missing }: LookStart): boolean {
  return missing + 1 >= MISSING_LOOKS_MAX
}

function regularMs(start: LookStart, now: Date): number {
  return spreadMs(lookIntervalMs({ ...start, now }), seedOf(start))
}

/** Returns an instant in the first hours of the next day (UTC), when there is an allowance again. */
function tomorrow(start: LookStart, now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return new Date(midnight + spreadMs(MONEY_MS, seedOf(start)))
}

function seedOf({ id, look }: LookStart): string {
  return `${id} ${look}`
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}
