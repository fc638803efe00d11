/** The words of a transcript as one text, of which the index holds tokens and from which quotes are cut. */
import { firstWhere } from '../../kit/first-where.ts'
import { blankBetween } from '../../kit/text/joined-text.ts'
import { composed } from '../../kit/text/outside-text.ts'
import type { Segment } from '../transcripts/transcript.ts'

/** A segment's place in the text, in UTF-16 units. */
export type SaidLine = { startMs: number; start: number; end: number }
export type SaidText = { text: string; lines: SaidLine[] }

/** Returns the segments' texts, joined, in the form NFC. */
export function saidText(segments: readonly Segment[]): SaidText {
  const lines: SaidLine[] = []
  let text = ''
  let before = ''
  for (const { startMs, text: words } of segments) {
    const line = composed(words)
    const between = text === '' ? '' : blankBetween(before, line)
    text += between
    lines.push({ startMs, start: text.length, end: text.length + line.length })
    text += line
    before = line
  }
  return { text, lines }
}

/** Returns the number of the line of a place in the text; 0 where there is no line. */
export function lineNumberAt(lines: readonly SaidLine[], place: number): number {
  return Math.max(0, firstWhere(lines, ({ start }) => start > place) - 1)
}
