/**
 * What is known of the dates of a list's videos before any is asked for: by the list's own words,
 * by earlier jobs, and in a newest-first list by the videos beside them.
 */
import { type DateBounds, judgeDate, type KnownDate } from '../jobs/date-bounds.ts'
import { EDGE_MARGIN } from '../jobs/list-date.ts'
import { readListDate } from '../platform/youtube/list-date.ts'
import type { SharedVideo } from './shared-lists.ts'

/** In a newest-first list: whatever stands at place `from` or behind is no younger than `at`. */
export type Older = { at: Date; from: number }

/** In the list's order; each list's words are read against the instant at which it spoke. */
export function datesOfList(videos: readonly SharedVideo[]): KnownDate[] {
  return videos.map(({ publishedText, askedAt }) => {
    const interval = publishedText === null ? null : readListDate(publishedText, askedAt)
    return interval === null ? { kind: 'unasked' } : { kind: 'between', ...interval }
  })
}

/** The first exact date before the bounds speaks for all that stand behind it; null without one. */
export function findOlder(dates: readonly KnownDate[], { afterAt }: DateBounds): Older | null {
  if (afterAt === null) return null
  for (const [place, date] of dates.entries()) {
    if (date.kind !== 'exact' || date.at >= afterAt) continue
    return { at: date.at, from: place + EDGE_MARGIN }
  }
  return null
}

/** Narrows the dates, in place, that nobody has asked for. */
export function applyOlder(dates: KnownDate[], { at, from }: Older): void {
  for (let place = Math.max(0, from); place < dates.length; place += 1) {
    const date = dates[place]
    if (date?.kind === 'unasked') dates[place] = { kind: 'between', fromAt: LONG_AGO, untilAt: at }
    if (date?.kind === 'between' && date.untilAt > at) {
      dates[place] = { ...date, fromAt: date.fromAt < at ? date.fromAt : LONG_AGO, untilAt: at }
    }
  }
}

/**
 * Whether the place where a newest-first list becomes old enough may lie behind its last video so
 * far: then more of it is to be read before any date is asked for.
 */
export function endsInDoubt(dates: readonly KnownDate[], { beforeAt }: DateBounds): boolean {
  const last = dates.at(-1)
  if (beforeAt === null || last === undefined) return false
  if (last.kind === 'between' && last.untilAt <= beforeAt) return false
  return judgeDate({ afterAt: null, beforeAt }, last) === 'undecided'
}

const LONG_AGO = new Date(0)
