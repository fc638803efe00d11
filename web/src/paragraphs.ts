/** Segments as paragraphs for reading: cut at pauses and sentence ends, never inside a segment. */
import type { Segment } from './api/client.ts'

export type Paragraph = { startMs: number; text: string }

/** A silence that always begins a new paragraph, one that may end a short one, and one that may end a good one. */
const SILENCE_MS = 8_000
const PAUSE_MS = 2_500
const BREATH_MS = 400
const CHARS_FEW = 120
const CHARS_GOOD = 320
const CHARS_MAX = 700
const SENTENCE_END = /[.!?…。！？؟]["'”’)\]]*$/

export function paragraphsOf(segments: readonly Segment[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let open: Paragraph | null = null
  let endMs = 0
  for (const { startMs, endMs: segmentEndMs, text } of segments) {
    const isCut: boolean = open !== null && endsHere(open.text, startMs - endMs)
    if (open === null || isCut) {
      open = { startMs, text }
      paragraphs.push(open)
    } else open.text += ` ${text}`
    endMs = segmentEndMs
  }
  return paragraphs
}

function endsHere(text: string, pauseMs: number): boolean {
  if (pauseMs > SILENCE_MS || text.length > CHARS_MAX) return true
  if (text.length > CHARS_GOOD) return pauseMs > BREATH_MS || SENTENCE_END.test(text)
  return text.length > CHARS_FEW && pauseMs > PAUSE_MS
}

/** Where `word` stands in `text`, ignoring case: start and end of each place. */
export function placesOf(text: string, word: string): [number, number][] {
  if (word === '') return []
  const places: [number, number][] = []
  const inText = text.toLocaleLowerCase()
  const wanted = word.toLocaleLowerCase()
  // Some letters change their length with their case; then only exact matches can be marked.
  const [whole, part] = inText.length === text.length ? [inText, wanted] : [text, word]
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + part.length))
    places.push([at, at + part.length])
  return places
}
