/** Texts on one line, as every file of a transcript has them. */
import { hasVisible } from '../../kit/text/invisible.ts'
import type { Segment } from './transcript.ts'

/**
 * Returns the segments with every text on one line and encodable: line breaks and control characters become one space,
 * a lone surrogate U+FFFD. Those in which nothing is seen then are left out, since a blank line would end a cue.
 */
export function oneLineSegments(segments: readonly Segment[]): Segment[] {
  const lines = segments.map((segment) => ({ ...segment, text: oneLine(segment.text) }))
  return lines.filter(({ text }) => hasVisible(text))
}

/** Returns one line of well-formed text without control characters; other blanks stay as they are. */
export function oneLine(text: string): string {
  const encodable = text.isWellFormed() ? text : text.toWellFormed()
  return UNPRINTABLE.test(encodable) ? encodable.replace(BLANK_RUNS, printable).trim() : encodable
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u
const BLANK_RUNS = /[\s\p{Cc}\u2028\u2029]+/gu

function printable(blanks: string): string {
  return UNPRINTABLE.test(blanks) ? ' ' : blanks
}
