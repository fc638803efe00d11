/**
 * Date bounds: which publish dates a job takes up, inclusive at both ends. A bound that is a day is compared with the
 * video's day, by the platform's clock, as every page shows it; any other one with its instant.
 *
 * Only an exact date lets a video in. A list's words ("3 weeks ago"), read as an interval with a margin, can only keep
 * a video out: they save asking for the exact date of everything that is older.
 */
import { publishDay } from '../platform/publish-day.ts'
import type { Obstacle } from '../platform/refusal.ts'

/**
 * The two instants, both inclusive; null where that end is open. A day begins with its first moment anywhere on earth,
 * and ends with its last: what lies outside of them is surely of another day.
 */
export type DateInstants = { afterAt: Date | null; beforeAt: Date | null }
/** Days of bounds, which alone decide about exact dates; null for an instant. */
export type DayBounds = { afterDay: string | null; beforeDay: string | null }
export type DateBounds = DateInstants & DayBounds

export const NO_BOUNDS: DateBounds = {
  afterAt: null,
  beforeAt: null,
  afterDay: null,
  beforeDay: null,
}

/** Fields of an order by which its dates are sent. */
export const DATES_OF_ORDER = ['publishedAfter', 'publishedBefore'] as const
type DateField = (typeof DATES_OF_ORDER)[number]
export type DatesInput = Partial<Record<DateField, string>>

/** Dates of an order as they were sent; null where that end is open. */
type SentDates = Record<DateField, string | null>
export type OrderDates = SentDates & DateInstants

export const NO_DATES: OrderDates = {
  publishedAfter: null,
  publishedBefore: null,
  afterAt: null,
  beforeAt: null,
}

export function sentDates({ publishedAfter, publishedBefore }: SentDates): SentDates {
  return { publishedAfter, publishedBefore }
}

/** Returns the dates of what has more than them. */
export function datesOf({ afterAt, beforeAt, ...sent }: OrderDates): OrderDates {
  return { ...sentDates(sent), afterAt, beforeAt }
}

/** Returns what the dates of an order let in. */
export function boundsOf({ afterAt, beforeAt, publishedAfter, publishedBefore }: OrderDates) {
  return {
    afterAt,
    beforeAt,
    afterDay: dayOfBound(publishedAfter),
    beforeDay: dayOfBound(publishedBefore),
  } satisfies DateBounds
}

function dayOfBound(sent: string | null): string | null {
  return sent !== null && DATE.test(sent) ? sent : null
}

/** The bounds; or the wrong field of the request and one sentence that names it. */
type BoundsReading<Field extends string> =
  { kind: 'bounds'; bounds: DateBounds } | { kind: 'rejected'; field: Field; sentence: string }
type DatesReading =
  { kind: 'dates'; dates: OrderDates } | { kind: 'rejected'; field: DateField; sentence: string }

/** Knowledge of a video's publish date so far. */
export type KnownDate =
  /** `day` is that of the platform's clock; absent where the date is assumed. */
  | { kind: 'exact'; at: Date; day?: string | null }
  /** The date surely lies within these instants: the list's words, with the reader's margin. */
  | { kind: 'between'; fromAt: Date; untilAt: Date }
  /** Nothing is known, and the platform was not asked for the exact date. */
  | { kind: 'unasked' }
  /** The platform was asked and did not tell. */
  | { kind: 'undated' }
  /** Something kept us from asking the platform; it may tell another time. */
  | { kind: 'obstructed'; obstacle: Obstacle }

/** A date once it was asked for. */
export type AskedDate = Exclude<KnownDate, { kind: 'between' | 'unasked' }>

/** Verdict of the bounds on a date: only the exact date decides an `undecided` one, and nothing an `undated` one. */
type DateVerdict = 'inside' | 'outside' | 'undecided' | 'undated' | 'obstructed'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
/** Date, hours, minutes; seconds and their fraction may be left out, and no offset means UTC. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?$/
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Clocks on earth are at most so far before and behind UTC. */
const AHEAD_MS = 14 * HOUR_MS
const BEHIND_MS = 12 * HOUR_MS
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Reads the dates of an order; a field that was not sent bounds nothing. */
export function readDates(sent: Partial<SentDates>): DatesReading {
  const { publishedAfter = null, publishedBefore = null } = sent
  const reading = readDateBounds([publishedAfter, publishedBefore], DATES_OF_ORDER)
  return reading.kind === 'rejected'
    ? reading
    : {
        kind: 'dates',
        dates: datesOf({ publishedAfter, publishedBefore, ...reading.bounds }),
      }
}

/** Reads the two ends as the request's `fields` of these names have them; null is a field that was not sent. */
export function readDateBounds<Field extends string>(
  [sentAfter, sentBefore]: readonly [string | null, string | null],
  [afterField, beforeField]: readonly [Field, Field],
): BoundsReading<Field> {
  const after = sentAfter === null ? null : readSpan(sentAfter)
  if (after === 'impossible') return reject(afterField, sentAfter)
  const before = sentBefore === null ? null : readSpan(sentBefore)
  if (before === 'impossible') return reject(beforeField, sentBefore)

  if (after !== null && before !== null && after.firstAt > before.lastAt) {
    const sentence = `${afterField} must not be later than ${beforeField}.`
    return { kind: 'rejected', field: afterField, sentence }
  }
  const [afterDay, beforeDay] = [dayOfBound(sentAfter), dayOfBound(sentBefore)]
  const [firstMs, lastMs] = [after?.firstAt.getTime(), before?.lastAt.getTime()]
  const afterAt =
    firstMs === undefined
      ? null
      : new Date(afterDay === null ? firstMs : Math.max(firstMs - AHEAD_MS, FIRST_MS))
  const beforeAt =
    lastMs === undefined
      ? null
      : new Date(beforeDay === null ? lastMs : Math.min(lastMs + BEHIND_MS, LAST_MS))
  return { kind: 'bounds', bounds: { afterAt, beforeAt, afterDay, beforeDay } }
}

/** Returns the platform's publish date (ISO 8601 with its own offset, null where it has none) as a known date. */
export function exactly(publishedAt: string | null): KnownDate {
  const span = publishedAt === null ? 'impossible' : readSpan(publishedAt)
  if (span === 'impossible') return { kind: 'undated' }
  return { kind: 'exact', at: span.firstAt, day: publishDay(publishedAt) }
}

export function isBounded(bounds: DateInstants): boolean {
  return bounds.afterAt !== null || bounds.beforeAt !== null
}

/** Returns what the bounds say of a video of that date. Without bounds every video is inside. */
export function judgeDate(bounds: DateBounds, date: KnownDate): DateVerdict {
  if (!isBounded(bounds)) return 'inside'
  switch (date.kind) {
    case 'exact':
      return isOutside(bounds, date) ? 'outside' : 'inside'
    case 'between':
      return isDisjoint(bounds, date.fromAt, date.untilAt) ? 'outside' : 'undecided'
    case 'unasked':
      return 'undecided'
    case 'undated':
    case 'obstructed':
      return date.kind
    default:
      return date satisfies never
  }
}

/**
 * Returns whether a newest-first list may end after a page of these dates: every one of them is surely older than the
 * bounds. A whole page is asked for, since premieres are listed a little out of order. Not for playlists, which have an
 * order of their own.
 */
export function isPastBounds(bounds: DateInstants, page: readonly KnownDate[]): boolean {
  const { afterAt } = bounds
  if (afterAt === null || page.length === 0) return false
  return page.every((date) => {
    if (date.kind === 'exact') return date.at < afterAt
    return date.kind === 'between' && date.untilAt < afterAt
  })
}

function isOutside(
  { afterAt, beforeAt, afterDay, beforeDay }: DateBounds,
  { at, day = null }: { at: Date; day?: string | null },
): boolean {
  const isEarly = afterDay === null || day === null ? at < (afterAt ?? at) : day < afterDay
  const isLate = beforeDay === null || day === null ? at > (beforeAt ?? at) : day > beforeDay
  return (afterAt !== null && isEarly) || (beforeAt !== null && isLate)
}

function isDisjoint({ afterAt, beforeAt }: DateInstants, fromAt: Date, untilAt: Date): boolean {
  return (afterAt !== null && untilAt < afterAt) || (beforeAt !== null && fromAt > beforeAt)
}

type Span = { firstAt: Date; lastAt: Date }

/** Returns the first and the last instant of the text: those of a day in UTC; an instant is both of its ends. */
function readSpan(text: string): Span | 'impossible' {
  const day = DATE.exec(text)
  if (day !== null) {
    const firstMs = utcMs(day.slice(1, 4), [])
    if (firstMs === null) return 'impossible'
    return { firstAt: new Date(firstMs), lastAt: new Date(firstMs + DAY_MS - 1) }
  }

  const match = DATE_TIME.exec(text)
  if (match === null) return 'impossible'
  const [fraction = '', sign = '+', offsetHours = '0', offsetMinutes = '0'] = match.slice(7)
  const localMs = utcMs(match.slice(1, 4), match.slice(4, 7))
  if (localMs === null) return 'impossible'
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return 'impossible'

  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  const fractionMs = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const at = new Date(localMs + fractionMs - (sign === '-' ? -offsetMs : offsetMs))
  return { firstAt: at, lastAt: at }
}

/** Returns the milliseconds of a UTC date and time; null where the calendar or the clock has none such. */
function utcMs(date: readonly string[], time: readonly (string | undefined)[]): number | null {
  const [year = 0, month = 0, day = 0] = date.map(Number)
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || second > 59) return null
  // Date.UTC reads the years 0 to 99 as 1900 to 1999 and rolls impossible days over.
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month - 1, day)
  if (midnight.getUTCMonth() !== month - 1) return null
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

function reject<Field extends string>(field: Field, text: string | null): BoundsReading<Field> {
  const shown = JSON.stringify((text ?? '').slice(0, 40))
  const sentence = `${field} must be an existing date (YYYY-MM-DD) or ISO date-time; got ${shown}.`
  return { kind: 'rejected', field, sentence }
}
