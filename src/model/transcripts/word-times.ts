/**
 * Word times as they are stored: when the words of each segment begin, without the words, which the body has.
 *
 *     edition   length   zstd( count   least   kinds   starts   steps   lengths   confidences )
 *
 *     count        how many segments the transcript has
 *     least        the smallest step of all words
 *     kinds        of each segment: 0 without word times, 2n for n words that its blanks (U+0020) part, 2n + 1 for n
 *                  other words
 *     starts       of each segment with words: when the first one begins, from the segment's start
 *     steps        of each further word: how long after the word before it it begins, less `least`
 *     lengths      of each other word: its UTF-16 units, the blank before it included
 *     confidences  of each word a byte, 0 to 254, or 255 for none; absent where the speech recognition names none
 *
 * Times are whole milliseconds. All but the edition and the confidences are varints.
 */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import { compressed } from './transcript-body.ts'
import type { Segment, TimedWord } from './transcript.ts'
import { type ByteReader, readVarint, varint, VARINT_BYTES_MAX, writeVarint } from './varints.ts'

/** The first byte; a change of the layout is a new edition. */
const EDITION = 1
const BLANK = ' '
/** A confidence as it is published, and as it is stored. */
const PUBLISHED_MAX = 255
const STORED_MAX = 254
const NO_CONFIDENCE = 255

/** A word with its times from the video's start, in milliseconds. */
export type Word = {
  startMs: number
  /** When the next word of the segment begins, or the segment ends. */
  endMs: number
  /** The word, with the blank before it: joined, the words of a segment are its text. */
  text: string
  /** How sure the speech recognition is, 0 to 1; null where it does not say. */
  confidence: number | null
}

/** Words as they are stored, part by part. */
type Columns = {
  kinds: number[]
  starts: number[]
  steps: number[]
  lengths: number[]
  confidences: (number | null)[]
}

/**
 * Returns the word times of segments as `oneLineSegments` leaves them; null where no segment has any. Words that do not
 * make their segment's text are left out.
 */
export function packWordTimes(segments: readonly Segment[]): Buffer | null {
  const columns: Columns = { kinds: [], starts: [], steps: [], lengths: [], confidences: [] }
  for (const segment of segments) addSegment(columns, segment)
  const { kinds, starts, steps, lengths, confidences } = columns
  if (starts.length === 0) return null
  const least = steps.reduce((smallest, step) => Math.min(smallest, step), steps[0] ?? 0)
  const content = Buffer.concat([
    varints([segments.length, least]),
    varints(kinds),
    varints(starts),
    varints(steps, least),
    varints(lengths),
    // What is 0 for every word of a text says nothing: so it comes today (2026).
    confidences.some((confidence) => confidence !== null && confidence > 0)
      ? Buffer.from(confidences.map(storedConfidence))
      : Buffer.alloc(0),
  ])
  return Buffer.concat([Buffer.of(EDITION), varint(content.length), compressed(content)])
}

function addSegment(columns: Columns, { text, words = [] }: Segment): void {
  const kind = kindOf(text, words)
  columns.kinds.push(kind)
  if (kind === 0) return
  let before: number | null = null
  for (const { chars, offsetMs, confidence } of words) {
    if (before === null) columns.starts.push(offsetMs)
    else columns.steps.push(offsetMs - before)
    if (kind % 2 === 1) columns.lengths.push(chars)
    columns.confidences.push(confidence)
    before = offsetMs
  }
}

/** Returns the segment's kind: 0 also where the words do not make the text. */
function kindOf(text: string, words: readonly TimedWord[]): number {
  let [at, isParted] = [0, true]
  for (const { chars } of words) {
    const blank = isParted ? blankAfter(text, at) : -1
    at += chars
    isParted &&= at === blank
  }
  if (words.length === 0 || at !== text.length) return 0
  return 2 * words.length + (isParted ? 0 : 1)
}

function storedConfidence(confidence: number | null): number {
  if (confidence === null) return NO_CONFIDENCE
  return Math.round((confidence * STORED_MAX) / PUBLISHED_MAX)
}

/** Writes numbers, each less `least`. */
function varints(numbers: readonly number[], least = 0): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * VARINT_BYTES_MAX)
  let at = 0
  for (const number of numbers) at = writeVarint(bytes, at, number - least)
  return bytes.subarray(0, at)
}

/** Returns how long the content of packed word times is, in bytes. */
export function wordTimesBytes(packed: Uint8Array): number {
  return openPacked(packed).contentBytes
}

/** The words of each segment of a transcript, opened once to be read part by part. */
export type OpenedWords = {
  /** How many words each segment has: none where it has no word times. */
  sizes: readonly number[]
  /** Returns the words of each segment from one place to before another. */
  of(from: number, to: number, cut?: Cut): Word[][]
}

/** How many words of the first segment are left out, and before which one of the last segment its words end. */
type Cut = { skip: number; end: number }

/** Returns the words of each of the transcript's segments; a segment without word times has none. */
export function wordsOfSegments(packed: Uint8Array, segments: readonly Segment[]): Word[][] {
  return openWords(packed, segments).of(0, segments.length)
}

export function openWords(packed: Uint8Array, segments: readonly Segment[]): OpenedWords {
  const reader: ByteReader = { bytes: zlib.zstdDecompressSync(openPacked(packed).frame), at: 0 }
  const numbers = (count: number): number[] =>
    Array.from({ length: count }, () => readVarint(reader))
  const [count = 0, least = 0] = numbers(2)
  assert(count === segments.length, 'word times are of as many segments as the transcript has')
  const kinds = numbers(count)
  const sizes = kinds.map((kind) => Math.floor(kind / 2))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const starts = numbers(sizes.filter((size) => size > 0).length)
  const steps = numbers(total - starts.length)
  const others = kinds.reduce((sum, kind, at) => sum + (kind % 2 === 0 ? 0 : (sizes[at] ?? 0)), 0)
  const lengths = numbers(others)
  const confidences = reader.bytes.subarray(reader.at)
  assert(confidences.length === 0 || confidences.length === total, 'each word has a confidence')

  const wordsAt = (at: number, { skip, end }: Cut, places: Places): Word[] => {
    const { startMs, endMs, text } = segments[at] ?? NO_SEGMENT
    const size = sizes[at] ?? 0
    const isParted = (kinds[at] ?? 0) % 2 === 0
    const words: Word[] = []
    let offset = size === 0 ? 0 : (starts[places.start++] ?? 0)
    let from = 0
    for (let nth = 0; nth < size; nth += 1) {
      if (nth > 0) offset += least + (steps[places.step++] ?? 0)
      const to = isParted ? blankAfter(text, from) : from + (lengths[places.length++] ?? 0)
      const begins = Math.min(startMs + offset, endMs) // a line may be cut before its last word
      const last = words.at(-1)
      if (last !== undefined) last.endMs = begins
      if (nth >= end) break
      const confidence = shownConfidence(confidences[places.word++])
      if (nth >= skip)
        words.push({ startMs: begins, endMs, text: text.slice(from, to), confidence })
      from = to
    }
    return words
  }
  return {
    sizes,
    of(from, to, { skip, end } = { skip: 0, end: Infinity }) {
      const places = placesBefore(kinds.slice(0, from))
      return Array.from({ length: to - from }, (_, nth) => {
        const [isFirst, isLast] = [nth === 0, nth === to - from - 1]
        return wordsAt(
          from + nth,
          { skip: isFirst ? skip : 0, end: isLast ? end : Infinity },
          places,
        )
      })
    },
  }
}

const NO_SEGMENT: Segment = { startMs: 0, endMs: 0, text: '' }

/** How much of each part is read. */
type Places = { start: number; step: number; length: number; word: number }

/** Returns how much of each part the segments of these kinds take. */
function placesBefore(kinds: readonly number[]): Places {
  const places = { start: 0, step: 0, length: 0, word: 0 }
  for (const kind of kinds) {
    const size = Math.floor(kind / 2)
    if (size === 0) continue
    places.start += 1
    places.step += size - 1
    places.length += kind % 2 === 0 ? 0 : size
    places.word += size
  }
  return places
}

function blankAfter(text: string, from: number): number {
  const blank = text.indexOf(BLANK, from + 1)
  return blank === -1 ? text.length : blank
}

function shownConfidence(stored: number | undefined): number | null {
  if (stored === undefined || stored === NO_CONFIDENCE) return null
  return Number((stored / STORED_MAX).toFixed(3))
}

function openPacked(packed: Uint8Array): { frame: Buffer; contentBytes: number } {
  assert(packed[0] === EDITION, 'word times have an edition that we know')
  const reader = { bytes: Buffer.from(packed.buffer, packed.byteOffset, packed.length), at: 1 }
  const contentBytes = readVarint(reader)
  return { frame: reader.bytes.subarray(reader.at), contentBytes }
}
