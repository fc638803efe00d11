/** A transcript as a reading text: where each cue is in its paragraphs, its length, and a time in an address. Pure. */
import { blankBetween } from '../../src/kit/text/joined-text.ts'
import { type Paragraph, paragraphsOf } from '../../src/model/transcripts/readable-text.ts'
import type { Segment } from './api/client.ts'

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

/**
 * Returns the reading of these segments, made once. Paragraphs and segments hold the same characters in the same order,
 * so that one position names a place in both.
 */
export function readingOf(segments: readonly Segment[]): Reading {
  const known = made.get(segments)
  if (known !== undefined) return known
  const paragraphs = paragraphsOf(segments)
  const reading = {
    paragraphs,
    paragraphStarts: startsOf(paragraphs),
    segments,
    segmentStarts: startsOf(segments),
  }
  made.set(segments, reading)
  return reading
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
function lastUpTo(value: number, count: number, numberAt: (index: number) => number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberAt(middle) <= value) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

function startedAt(place: number, starts: readonly number[]): number {
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

/** Returns what is said at that time: its paragraph, and start and end in it. */
export function placeAt(
  reading: Reading,
  ms: number,
): { paragraph: number; from: number; to: number } {
  const { segments, segmentStarts, paragraphStarts } = reading
  // Captions made by hand may overlap, but are in the order of their starts.
  const index = lastUpTo(ms, segments.length, (at) => segments[at]?.startMs ?? 0)
  const start = segmentStarts[index] ?? 0
  const paragraph = startedAt(start, paragraphStarts)
  const from = start - (paragraphStarts[paragraph] ?? 0)
  return { paragraph, from, to: from + (segments[index]?.text.length ?? 0) }
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
