/** Words with their times as agents read them: in seconds, since players and cutters of video take those. */
import { type PageBounds, type ReadablePage, textPage } from './readable-text.ts'
import type { Segment } from './transcript.ts'
import { type Word, wordsOfSegments } from './word-times.ts'

/** `wordTimes` are packed (word-times.ts). */
export type WordPageAsk = PageBounds & { wordTimes: Uint8Array }

/** Returns a page of the lines that are written below. */
export function wordPage(
  segments: readonly Segment[],
  { wordTimes, ...ask }: WordPageAsk,
): ReadablePage {
  const words = wordsOfSegments(wordTimes, segments)
  const text = segments.map((segment, at) => wordLine(segment, words[at] ?? [])).join('')
  return { page: textPage(text, ask), total: text.length }
}

/**
 * Returns a segment with its start and end, and the start of each word that does not begin with it:
 * `12.34-15.60 so@12.51 we went@13.02`. A word that has no time follows the one before it without a mark.
 */
function wordLine({ startMs, endMs, text }: Segment, words: readonly Word[]): string {
  const said = words.map((word) =>
    word.startMs === startMs ? word.text : `${word.text}@${secondsOf(word.startMs)}`,
  )
  return `${secondsOf(startMs)}-${secondsOf(endMs)} ${words.length === 0 ? text : said.join('')}\n`
}

/** Returns hundredths of a second: less than a picture of a video lasts. */
function secondsOf(ms: number): string {
  return (Math.floor(ms / 10) / 100).toFixed(2)
}
