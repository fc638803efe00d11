/**
 * Date bounds: which publish dates a job takes up, inclusive at both ends, compared as instants.
 *
 * Only an exact date lets a video in. A list's words ("3 weeks ago"), read as an interval with a margin, can only keep
 * a video out: they save asking for the exact date of everything that is older.
 */
import type { Obstacle } from '../platform/refusal.ts'

/** The two instants, both inclusive; null where that end is open. */
export type DateBounds = { afterAt: Date | null; beforeAt: Date | null }

export const NO_BOUNDS: DateBounds = { afterAt: null, beforeAt: null }

/** Fields of an order by which its dates are sent. */
export const DATES_OF_ORDER = ['publishedAfter', 'publishedBefore'] as const
type DateField = (typeof DATES_OF_ORDER)[number]
export type DatesInput = Partial<Record<DateField, string>>

/** Dates of an order as they were sent; null where that end is open. */
type SentDates = Record<DateField, string | null>
export type OrderDates = SentDates & DateBounds

export const NO_DATES: OrderDates = { publishedAfter: null, publishedBefore: null, ...NO_BOUNDS }

export function sentDates({ publishedAfter, publishedBefore }: SentDates): SentDates {
  return { publishedAfter, publishedBefore }
}

/** Returns the dates of what has more than them. */
export function datesOf({ afterAt, beforeAt, ...sent }: OrderDates): OrderDates {
  return { ...sentDates(sent), afterAt, beforeAt }
}

/** The bounds; or the wrong field of the request and one sentence that names it. */
type BoundsReading<Field extends string> =
  { kind: 'bounds'; bounds: DateBounds } | { kind: 'rejected'; field: Field; sentence: string }
type DatesReading =
  { kind: 'dates'; dates: OrderDates } | { kind: 'rejected'; field: DateField; sentence: string }

/** Knowledge of a video's publish date so far. */
export type KnownDate =
  | { kind: 'exact'; at: Date }
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
const DAY_MS = 86_400_000

/** Reads the dates of an order; a field that was not sent bounds nothing. */
export function readDates(sent: Partial<SentDates>): DatesReading {
  const { publishedAfter = null, publishedBefore = null } = sent
  const reading = readDateBounds([publishedAfter, publishedBefore], DATES_OF_ORDER)
  return reading.kind === 'rejected'
    ? reading
    : { kind: 'dates', dates: { publishedAfter, publishedBefore, ...reading.bounds } }
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

  const bounds = { afterAt: after?.firstAt ?? null, beforeAt: before?.lastAt ?? null }
  if (bounds.afterAt !== null && bounds.beforeAt !== null && bounds.afterAt > bounds.beforeAt) {
    const sentence = `${afterField} must not be later than ${beforeField}.`
    return { kind: 'rejected', field: afterField, sentence }
  }
  return { kind: 'bounds', bounds }
}

/** Returns the platform's publish date (ISO 8601 with its own offset, null where it has none) as a known date. */
export function exactly(publishedAt: string | null): KnownDate {
  const span = publishedAt === null ? 'impossible' : readSpan(publishedAt)
  return span === 'impossible' ? { kind: 'undated' } : { kind: 'exact', at: span.firstAt }
}

export function isBounded(bounds: DateBounds): boolean {
  return bounds.afterAt !== null || bounds.beforeAt !== null
}

/** Returns what the bounds say of a video of that date. Without bounds every video is inside. */
export function judgeDate(bounds: DateBounds, date: KnownDate): DateVerdict {
  if (!isBounded(bounds)) return 'inside'
  switch (date.kind) {
    case 'exact':
      return isDisjoint(bounds, date.at, date.at) ? 'outside' : 'inside'
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
export function isPastBounds(bounds: DateBounds, page: readonly KnownDate[]): boolean {
  const { afterAt } = bounds
  if (afterAt === null || page.length === 0) return false
  return page.every((date) => {
    if (date.kind === 'exact') return date.at < afterAt
    return date.kind === 'between' && date.untilAt < afterAt
  })
}

function isDisjoint({ afterAt, beforeAt }: DateBounds, fromAt: Date, untilAt: Date): boolean {
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
