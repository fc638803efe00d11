/**
 * The day on which a video was published: the platform's, by its own clock. It belongs to no time zone of ours or of a
 * reader, so that every page, file and filter names the same one. The website and the command line import this as it
 * is.
 */

/** A date of the platform: ISO 8601, by its own clock, with its own offset from UTC or none. */
const DATE =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:$|T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?)/i

/** Returns `2025-10-25` of a date as the platform gave it; null for any other text. */
export function publishDay(publishedAt: string | null): string | null {
  return DATE.exec(publishedAt ?? '')?.[1] ?? null
}

/** Returns what the platform's clock showed then, in milliseconds as if it stood at UTC; null for any other text. */
export function publishClockMs(publishedAt: string | null): number | null {
  const [, day, time = '00:00'] = DATE.exec(publishedAt ?? '') ?? []
  const clockMs = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  return Number.isNaN(clockMs) ? null : clockMs
}
