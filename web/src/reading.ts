/** A transcript as a reading text: where each cue is in its paragraphs, its length, and a time in an address. Pure. */
import { hasVisible } from '../../src/kit/text/invisible.ts'
import { blankBetween, joinedText } from '../../src/kit/text/joined-text.ts'
import { type Paragraph, paragraphsOf } from '../../src/model/transcripts/readable-text.ts'
import type { Segment } from './api/client.ts'
import { spokenParagraphs } from './spoken-paragraphs.ts'
import type { QuotedWords } from '../../src/model/files/citations.ts'

const WORDS_PER_MINUTE = 230
/** Scripts without spaces between words. */
const UNSPACED = /^(?:zh|ja|th|lo|km|my)\b/

export type Reading = {
  paragraphs: Paragraph[]
  /** Start of each paragraph in the whole text, in which paragraphs are joined as segments are. */
  paragraphStarts: number[]
  segments: readonly Segment[]
  /** Start of each segment in the whole text. */
  segmentStarts: number[]
}

const made = new WeakMap<readonly Segment[], Reading>()
const madeSpoken = new WeakMap<readonly Segment[], Reading>()

/**
 * Returns the reading of these segments, made once. Paragraphs and segments hold the same characters in the same order,
 * so that one position names a place in both. Long paragraphs of automatic captions (`isSpoken`) are parted.
 */
export function readingOf(segments: readonly Segment[], isSpoken = false): Reading {
  const kept = isSpoken ? madeSpoken : made
  const known = kept.get(segments)
  if (known !== undefined) return known
  const paragraphs = isSpoken ? spokenParagraphs(readingOf(segments)) : paragraphsOf(segments)
  const paragraphStarts = startsOf(paragraphs)
  const reading = { paragraphs, paragraphStarts, segments, segmentStarts: startsOf(segments) }
  kept.set(segments, reading)
  return reading
}

/**
 * Returns a text in the paragraphs of another one of the same video: each cue is beside what is said in its middle. A
 * paragraph beside which nothing is said is empty.
 */
export function readingBeside(
  { paragraphs: rows }: Reading,
  segments: readonly Segment[],
): Reading {
  const cues: Segment[][] = rows.map(() => [])
  let row = 0
  for (const segment of segments) {
    const middleMs = (segment.startMs + segment.endMs) / 2
    const said = lastUpTo(middleMs, rows.length, (index) => rows[index]?.startMs ?? 0)
    // Cues may overlap, and stay in their order.
    row = Math.max(row, said)
    cues[row]?.push(segment)
  }
  const segmentStarts = startsOf(segments)
  let next = 0
  const paragraphStarts = cues.map(({ length }) => {
    const start = segmentStarts[next] ?? segmentStarts.at(-1) ?? 0
    next += length
    return start
  })
  const paragraphs = cues.map((own, index) => ({
    startMs: (own[0] ?? rows[index])?.startMs ?? 0,
    text: joinedText(own.map(({ text }) => text)),
  }))
  return { paragraphs, paragraphStarts, segments, segmentStarts }
}

/** Segments that fill any window. */
const FIRST_SEGMENTS = 300

/** Returns what is drawn first: the beginning, or all of a transcript that is short or was read before. */
export function firstOf(segments: Segment[]): Segment[] {
  return made.has(segments) ? segments : segments.slice(0, FIRST_SEGMENTS)
}

function startsOf(parts: readonly { text: string }[]): number[] {
  let at = 0
  return parts.map(({ text }, index) => {
    const start = at
    at += text.length + blankBetween(text, parts[index + 1]?.text ?? '').length
    return start
  })
}

/** Returns the index of the last of `count` ascending numbers that is at most `value`; 0 where none is. */
export function lastUpTo(
  value: number,
  count: number,
  numberAt: (index: number) => number,
): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberAt(middle) <= value) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

export function startedAt(place: number, starts: readonly number[]): number {
  return lastUpTo(place, starts.length, (index) => starts[index] ?? 0)
}

/**
 * Returns when the word at `offset` characters in a paragraph is said, in milliseconds: in proportion within its cue.
 */
export function timeAt(reading: Reading, paragraph: number, offset: number): number {
  const at = (reading.paragraphStarts[paragraph] ?? 0) + offset
  const index = startedAt(at, reading.segmentStarts)
  const segment = reading.segments[index]
  if (segment === undefined) return 0
  const within = (at - (reading.segmentStarts[index] ?? 0)) / Math.max(1, segment.text.length)
  return Math.round(segment.startMs + Math.min(1, within) * (segment.endMs - segment.startMs))
}

/** A part of one paragraph. */
export type TextPart = { paragraph: number; from: number; to: number }

/** Returns what is said at that time. */
export function placeAt(reading: Reading, ms: number): TextPart {
  const { segments, segmentStarts, paragraphStarts } = reading
  // Captions made by hand may overlap, but are in the order of their starts.
  const index = lastUpTo(ms, segments.length, (at) => segments[at]?.startMs ?? 0)
  const start = segmentStarts[index] ?? 0
  const paragraph = startedAt(start, paragraphStarts)
  const from = start - (paragraphStarts[paragraph] ?? 0)
  return { paragraph, from, to: from + (segments[index]?.text.length ?? 0) }
}

/** A part of a text, from one place to another; offsets are in characters of their paragraph. */
export type TextRange = { from: TextPlace; to: TextPlace }
type TextPlace = { paragraph: number; offset: number }

const WORDS = new Intl.Segmenter('en', { granularity: 'word' })

/** Returns the range with whole words at its ends, in any script, since nobody quotes half a word. */
function wholeWords({ paragraphs }: Reading, { from, to }: TextRange): TextRange {
  const wordAt = ({ paragraph, offset }: TextPlace) => {
    const word = WORDS.segment(paragraphs[paragraph]?.text ?? '').containing(offset)
    return word === undefined || word.index === offset ? null : word
  }
  const [first, last] = [wordAt(from), wordAt(to)]
  return {
    from: { ...from, offset: first?.index ?? from.offset },
    to: { ...to, offset: last === null ? to.offset : last.index + last.segment.length },
  }
}

/** Returns the whole words of a range and when they are said, without blanks at the ends; null where there are none. */
export function quoteIn(reading: Reading, range: TextRange): QuotedWords | null {
  const { from, to } = wholeWords(reading, range)
  const parts = reading.paragraphs.slice(from.paragraph, to.paragraph + 1).map(({ text }, at) => {
    const isLast = at === to.paragraph - from.paragraph
    return text.slice(at === 0 ? from.offset : 0, isLast ? to.offset : undefined)
  })
  const first = parts.findIndex(hasVisible)
  const last = parts.findLastIndex(hasVisible)
  if (first < 0) return null
  const start = parts[first] ?? ''
  const begun = start.length - start.trimStart().length + (first === 0 ? from.offset : 0)
  const ended = (parts[last] ?? '').trimEnd().length + (last === 0 ? from.offset : 0)
  return {
    words: joinedText(parts.slice(first, last + 1).filter((part) => part !== '')).trim(),
    startMs: timeAt(reading, from.paragraph + first, begun),
    endMs: timeAt(reading, from.paragraph + last, ended),
  }
}

/**
 * Returns the whole words that are said between two times; what is said at the first one where there is no second.
 */
export function rangeAt(reading: Reading, startMs: number, endMs: number | null): TextRange {
  const said = placeAt(reading, startMs)
  const cue = (offset: number): TextPlace => ({ paragraph: said.paragraph, offset })
  if (endMs === null) return { from: cue(said.from), to: cue(said.to) }
  const last = placeAt(reading, endMs)
  const textOf = ({ paragraph }: { paragraph: number }) => reading.paragraphs[paragraph]?.text ?? ''
  const begun = said.from + charactersBy(reading, startMs)
  const ended = last.from + charactersBy(reading, endMs)
  const before = textOf(said).lastIndexOf(' ', Math.max(0, begun - 1)) + 1
  const behind = textOf(last).indexOf(' ', ended)
  return {
    from: cue(Math.max(said.from, Math.min(before, said.to))),
    to: { paragraph: last.paragraph, offset: behind < 0 ? last.to : Math.min(behind, last.to) },
  }
}

/** Returns how many characters of the cue at that time are said by then, in proportion as in `timeAt`. */
function charactersBy({ segments }: Reading, ms: number): number {
  const segment = segments[lastUpTo(ms, segments.length, (at) => segments[at]?.startMs ?? 0)]
  if (segment === undefined) return 0
  const share = (ms - segment.startMs) / Math.max(1, segment.endMs - segment.startMs)
  return Math.floor(Math.min(1, Math.max(0, share)) * segment.text.length)
}

/** Returns the part of a range that is in one paragraph of this length; null where none is. */
export function partIn(
  { from, to }: TextRange,
  paragraph: number,
  length: number,
): [number, number] | null {
  if (paragraph < from.paragraph || paragraph > to.paragraph) return null
  return [
    paragraph === from.paragraph ? from.offset : 0,
    paragraph === to.paragraph ? to.offset : length,
  ]
}

/** Returns "t=247", "t=4:07", "t=1:02:33" in milliseconds; null for other texts. */
export function timeOfHash(hash: string): number | null {
  const parts = /^t=(\d{1,7})(?::(\d{1,2}))?(?::(\d{1,2}))?s?$/.exec(hash)
  if (parts === null) return null
  const numbers = parts.slice(1).flatMap((part) => (part === undefined ? [] : [Number(part)]))
  return numbers.reduce((sum, number) => sum * 60 + number, 0) * 1000
}

export function wordsIn(text: string, language: string | null): number {
  if (language === null || !UNSPACED.test(language)) return text.match(/\S+/g)?.length ?? 0
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text))
    if (isWordLike === true) words += 1
  return words
}

export function readingMinutes(words: number): number {
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE))
}
