/**
 * The number of a transcript in an index, which says when it was published, by whom and in which language: so
 * that the index counts, filters and sorts by them without looking at anything else.
 *
 *     month (12 bits, since 1970)  hour of the month (10)  channel (16)  language (8)  number (17)
 *
 * A date that is not known is month 0. Channels and languages are numbers of the index's own lists.
 */

const BITS = { hour: 10, channel: 16, language: 8, number: 17 } as const
export const SHIFTS = {
  language: BITS.number,
  channel: BITS.number + BITS.language,
  hour: BITS.number + BITS.language + BITS.channel,
  month: BITS.number + BITS.language + BITS.channel + BITS.hour,
} as const
export const MASKS = {
  hour: 2 ** BITS.hour - 1,
  channel: 2 ** BITS.channel - 1,
  language: 2 ** BITS.language - 1,
  number: 2 ** BITS.number - 1,
} as const
/** The largest month, of the year 2311. */
const MONTH_MAX = 4_095
const HOUR_MS = 3_600_000

/** `clockMs` is what the platform's clock showed (`publishClockMs`): months and days are the platform's. */
type PackedFacts = { clockMs: number | null; channel: number; language: number }

/** Returns the first number of a transcript published in that hour of the platform: smaller numbers are earlier. */
export function packedHour(clockMs: number | null): bigint {
  if (clockMs === null || clockMs < 0) return 0n
  const { month, hour } = hourOfMonth(clockMs)
  return (BigInt(month) << BigInt(SHIFTS.month)) | (BigInt(hour) << BigInt(SHIFTS.hour))
}

/** Returns the number of a transcript. `number` is any: two transcripts with equal facts differ in it alone. */
export function packRow({ clockMs, channel, language }: PackedFacts, number: number): bigint {
  return (
    packedHour(clockMs) |
    (BigInt(channel & MASKS.channel) << BigInt(SHIFTS.channel)) |
    (BigInt(language & MASKS.language) << BigInt(SHIFTS.language)) |
    BigInt(number & MASKS.number)
  )
}

/** Returns a month's name such as `2026-03`; null for month 0, which stands for no date. */
export function monthName(month: number): string | null {
  if (month === 0) return null
  const year = 1970 + Math.floor(month / 12)
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}`
}

function hourOfMonth(clockMs: number): { month: number; hour: number } {
  const date = new Date(clockMs)
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
  if (month > MONTH_MAX) return { month: MONTH_MAX, hour: MASKS.hour }
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  // January 1970 stands for a date that is not known; no video is that old.
  return { month, hour: Math.floor((clockMs - first) / HOUR_MS) }
}

/** A delivered row as the index reads it; `stored` (see segmentsOfStored) is null where its text is no longer kept. */
export type IndexedRow = IndexedText & {
  index: number
  done: number
  channelName: string | null
  channelId: string | null
  publishedAt: string | null
  languageCode: string
  stored: Buffer | null
}

/** A text by its video and its words' hash; null where that is not known. */
export type IndexedText = { videoId: string; textHash: string | null }
