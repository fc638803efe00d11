/**
 * When each word of a reading is said, as words.json tells it. Words are found by their time, by their place and by
 * their paragraph, always by halving: a text of eleven hours has a hundred thousand. Pure.
 */
import type { Segment, Words } from './api/client.ts'
import { lastUpTo, type TextPart, type Reading, startedAt } from './reading.ts'

/** Words with a confidence below this are unsure. */
export const CONFIDENCE_MIN = 0.6

/** Columns of a table that has a row for each word, in the order of the text. */
export type WordTimes = {
  reading: Reading
  /** Start and end in the whole text, without the blank before the word. */
  froms: number[]
  tos: number[]
  startsMs: number[]
  confidences: (number | null)[]
  /** Index of the first word of each segment, and behind the last one the number of words. */
  firsts: number[]
  /** Unsure words of the paragraphs that were looked at. */
  unsure: Map<number, UnsureWord[]>
}

/** Start and end in its paragraph, and the confidence in percent. */
export type UnsureWord = [from: number, to: number, percent: number]

/** Returns the table of the words; a segment that the next words do not make has none. */
export function wordTimesOf(reading: Reading, words: Words['words']): WordTimes {
  const columns = { froms: [], tos: [], startsMs: [], confidences: [], firsts: [] }
  const times: WordTimes = { reading, ...columns, unsure: new Map() }
  let next = 0
  for (const [index, segment] of reading.segments.entries()) {
    times.firsts.push(next)
    const behind = behindWordsOf(segment, words, next)
    let at = reading.segmentStarts[index] ?? 0
    for (; next < behind; next += 1) {
      const { text = '', startMs = 0, confidence = null } = words[next] ?? {}
      times.froms.push(at + (text.startsWith(' ') ? 1 : 0))
      at += text.length
      times.tos.push(at)
      times.startsMs.push(startMs)
      times.confidences.push(confidence)
    }
  }
  times.firsts.push(next)
  return times
}

/**
 * Returns the index behind the words that make the segment, from `first` on; `first` where they do not. What begins at
 * its end belongs to the next one, which may have the same text.
 */
function behindWordsOf({ startMs, endMs, text }: Segment, words: Words['words'], first: number) {
  const begins = words[first]?.startMs ?? Infinity
  if (begins < startMs || (begins >= endMs && begins > startMs)) return first
  let [at, next] = [0, first]
  for (; at < text.length; next += 1) {
    const said = words[next]?.text ?? ''
    if (said === '' || !text.startsWith(said, at)) return first
    at += said.length
  }
  return next
}

/** Returns the word that is being said; null in a pause, and where the segment has no times. */
export function wordAt({ reading, firsts, startsMs }: WordTimes, ms: number): number | null {
  const { segments } = reading
  const segment = lastUpTo(ms, segments.length, (index) => segments[index]?.startMs ?? 0)
  const [first = 0, behind = 0] = firsts.slice(segment, segment + 2)
  if (first === behind || ms >= (segments[segment]?.endMs ?? 0)) return null
  const word = first + lastUpTo(ms, behind - first, (index) => startsMs[first + index] ?? 0)
  return (startsMs[word] ?? 0) > ms ? null : word
}

/** Returns the word at a place, or else the one before it in the same segment; null where that has no times. */
export function wordIn(times: WordTimes, paragraph: number, offset: number): number | null {
  const { reading, froms, firsts } = times
  const at = (reading.paragraphStarts[paragraph] ?? 0) + offset
  const segment = startedAt(at, reading.segmentStarts)
  const [first = 0, behind = 0] = firsts.slice(segment, segment + 2)
  if (first === behind) return null
  return first + lastUpTo(at, behind - first, (index) => froms[first + index] ?? 0)
}

/** Returns the first word that begins at a paragraph or behind it; the last one where none does. */
export function firstWordFrom({ reading, froms }: WordTimes, paragraph: number): number {
  const at = reading.paragraphStarts[paragraph] ?? 0
  const word = startedAt(at, froms)
  return (froms[word] ?? 0) < at ? Math.min(word + 1, froms.length - 1) : word
}

/** Returns where a word is in its paragraph. */
export function placeOfWord({ reading, froms, tos }: WordTimes, word: number): TextPart {
  const from = froms[word] ?? 0
  const paragraph = startedAt(from, reading.paragraphStarts)
  const start = reading.paragraphStarts[paragraph] ?? 0
  return { paragraph, from: from - start, to: (tos[word] ?? from) - start }
}

/** Returns the unsure words of a paragraph: always the same array, so that its line is not drawn again. */
export function unsureIn(times: WordTimes, paragraph: number): UnsureWord[] {
  const known = times.unsure.get(paragraph)
  if (known !== undefined) return known
  const { reading, froms, tos, confidences } = times
  const start = reading.paragraphStarts[paragraph] ?? 0
  const end = start + (reading.paragraphs[paragraph]?.text.length ?? 0)
  const found: UnsureWord[] = []
  for (let word = firstWordFrom(times, paragraph); (froms[word] ?? end) < end; word += 1) {
    const confidence = confidences[word] ?? null
    const [from, to] = [froms[word] ?? start, tos[word] ?? start]
    if (confidence !== null && confidence < CONFIDENCE_MIN && from >= start)
      found.push([from - start, to - start, Math.round(confidence * 100)])
  }
  times.unsure.set(paragraph, found)
  return found
}

/** Returns whether the speech recognition says of any word how sure it is. */
export function hasConfidences(words: Words['words']): boolean {
  return words.some(({ confidence }) => confidence !== null)
}
