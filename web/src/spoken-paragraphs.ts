/**
 * Paragraphs of automatic captions, which have few sentences or none: a long one is parted where the speaker rests.
 * Only the layout changes: every word stays where it is, and what is copied or exported knows nothing of it. Pure.
 */
import type { Paragraph } from '../../src/model/transcripts/readable-text.ts'
import type { Segment } from './api/client.ts'

/** Lengths in letters: a paragraph is parted from `max` on, into parts of at least `min`. */
const LETTERS = { min: 180, max: 480 }
/** Chinese and Japanese say about as much in half as many letters. */
const DENSE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u
const SENTENCE_LAST = /[.!?…。！？؟।]["'\p{Pe}\p{Pf}]{0,2}$/u
/** A sentence that ends is worth a rest of this length. */
const SENTENCE_MS = 1_500

/** Paragraphs and segments with their starts in the whole text, in which both hold the same letters. */
type Laid = {
  paragraphs: readonly Paragraph[]
  paragraphStarts: readonly number[]
  segments: readonly Segment[]
  segmentStarts: readonly number[]
}

/** A segment that begins within a paragraph: its place there, the blanks before it, and how long was rested. */
type Rest = { at: number; blank: number; restMs: number; startMs: number }

export function spokenParagraphs(reading: Laid): Paragraph[] {
  const { paragraphs, paragraphStarts, segmentStarts } = reading
  let next = 0
  return paragraphs.flatMap((paragraph, index) => {
    const from = paragraphStarts[index] ?? 0
    while ((segmentStarts[next] ?? Infinity) <= from) next += 1
    const first = next
    while ((segmentStarts[next] ?? Infinity) < from + paragraph.text.length) next += 1
    return parted(paragraph, restsIn(reading, { first, next, from }))
  })
}

/** Returns where a paragraph may be parted. A rest is what a segment lasts beyond the pace of the paragraph. */
function restsIn(
  { segments, segmentStarts: starts }: Laid,
  { first, next, from }: { first: number; next: number; from: number },
): Rest[] {
  const [begin, last] = [segments[first - 1], segments[next - 1]]
  const letters = (starts[next - 1] ?? 0) - (starts[first - 1] ?? 0)
  const msPerLetter = ((last?.startMs ?? 0) - (begin?.startMs ?? 0)) / Math.max(1, letters)
  return segments.slice(first, next).map(({ startMs }, nth) => {
    const before = segments[first + nth - 1]
    const at = (starts[first + nth] ?? 0) - from
    const text = before?.text ?? ''
    const lastedMs = startMs - (before?.startMs ?? 0) - text.length * msPerLetter
    const restMs = lastedMs + (SENTENCE_LAST.test(text.slice(-4)) ? SENTENCE_MS : 0)
    const blank = at - ((starts[first + nth - 1] ?? 0) - from) - text.length
    return { at, blank, restMs, startMs }
  })
}

function parted({ startMs, text }: Paragraph, rests: readonly Rest[]): Paragraph[] {
  const scale = DENSE.test(text.slice(0, 100)) ? 2 : 1
  const parts: Paragraph[] = []
  let open: Rest = { at: 0, blank: 0, restMs: 0, startMs }
  let longest: Rest | null = null
  const close = (rest: Rest) => {
    parts.push({ startMs: open.startMs, text: text.slice(open.at, rest.at - rest.blank) })
    open = rest
    longest = null
  }
  for (const rest of rests) {
    const isLong = (rest.at - open.at) * scale > LETTERS.max
    if (isLong && longest !== null) close(longest)
    if ((rest.at - open.at) * scale < LETTERS.min) continue
    if ((text.length - rest.at) * scale < LETTERS.min) break
    if (longest === null || rest.restMs > (longest as Rest).restMs) longest = rest
  }
  if (longest !== null && (text.length - open.at) * scale > LETTERS.max) close(longest)
  parts.push({ startMs: open.startMs, text: text.slice(open.at) })
  return parts
}
