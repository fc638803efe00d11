/**
 * The codes in which the forms of a transcript are compressed: one for those that are words alone, one for those with
 * times between the lines. They are made of the words that all forms share, so they are made once, and a form
 * is written in one go: how long it becomes needs no look at it before.
 */
import { type BlockHead, headBitsOf, headOf } from './deflate-head.ts'
import {
  DISTANCES,
  distanceSymbol,
  END_OF_BLOCK,
  LENGTH_SYMBOLS,
  LITERALS,
} from './deflate-symbols.ts'
import { codeLengths, codeOf, type HuffmanCode } from './huffman-code.ts'
import type { Lines } from './lines.ts'
import { REPEAT_NUMBERS } from './repeats.ts'

export type BlockCode = {
  literals: HuffmanCode
  distances: HuffmanCode
  head: BlockHead
  headBits: number
}
export type TranscriptCodes = { words: BlockCode; timed: BlockCode }

const CODE_BITS_MAX = 15

type Counts = { literals: Int32Array; distances: Int32Array }

/** Of the lines and their repetitions (findRepeats). */
export function codesOf(lines: Lines, repeats: Int32Array): TranscriptCodes {
  const words = countsOf(lines, repeats)
  const timed = withTimes(words, lines)
  return { words: blockCode(words), timed: blockCode(timed) }
}

/** Every symbol counts once more than it occurs: each has a code, whatever a form writes beside the lines. */
function countsOf({ bytes, from, segments }: Lines, repeats: Int32Array): Counts {
  const literals = new Int32Array(LITERALS).fill(1)
  const distances = new Int32Array(DISTANCES).fill(1)
  const count = (start: number, end: number): void => {
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      literals[byte] = (literals[byte] ?? 0) + 1
    }
  }
  let written = 0
  for (let next = 0; next < repeats.length; next += REPEAT_NUMBERS) {
    const at = repeats[next] ?? 0
    const length = repeats[next + 3] ?? 0
    count(written, at)
    const symbol = LENGTH_SYMBOLS[length] ?? 0
    literals[symbol] = (literals[symbol] ?? 0) + 1
    const distance = distanceSymbol(at - (repeats[next + 1] ?? 0) - 1)
    distances[distance] = (distances[distance] ?? 0) + 1
    written = at + length
  }
  count(written, bytes.length)
  // Between lines mostly is a blank, not a line feed.
  literals[BLANK] = (literals[BLANK] ?? 0) + segments.length - 1
  literals[LINE_FEED] = 1 + Math.ceil((from.length - 1) / LINES_A_PARAGRAPH)
  literals[END_OF_BLOCK] = 1
  return { literals, distances }
}

const LINE_FEED = 10
const BLANK = 32
const LINES_A_PARAGRAPH = 8

/** What the times of a line add, as counted in the three forms of talks that have them, about the mean. */
const TIMES_A_LINE = {
  literals: { '0123456789': 0.93, '\n': 1, ',': 0.7, '.': 0.7 },
  /** Repetitions of the marks before, by their bytes. */
  lengths: { 4: 0.2, 7: 0.1, 8: 0.3, 9: 0.5, 10: 0.15, 11: 0.8, 13: 0.1, 15: 0.3 },
  /** From how far back, by symbols from that of what stands between the beginnings of two lines. */
  distances: [
    [-1, 0.3],
    [0, 2],
    [1, 0.5],
  ],
} as const
/** Bytes of the times and marks of a line. */
const MARKS_BYTES = 42
/** How much further back repetitions of words are, in symbols, since there are times between. */
const SYMBOLS_FURTHER = 2

function withTimes({ literals, distances }: Counts, { bytes, segments }: Lines): Counts {
  const lines = segments.length
  const timed = { literals: literals.slice(), distances: new Int32Array(DISTANCES).fill(1) }
  const add = (counts: Int32Array, symbol: number, aLine: number): void => {
    counts[symbol] = (counts[symbol] ?? 0) + Math.round(lines * aLine)
  }
  timed.literals[BLANK] = Math.max(1, (timed.literals[BLANK] ?? 0) - lines)
  for (const [characters, aLine] of Object.entries(TIMES_A_LINE.literals))
    for (const character of characters) add(timed.literals, character.charCodeAt(0), aLine)
  for (const [length, aLine] of Object.entries(TIMES_A_LINE.lengths))
    add(timed.literals, LENGTH_SYMBOLS[Number(length)] ?? 0, aLine)
  for (let symbol = 0; symbol < DISTANCES; symbol += 1) {
    const further = symbol < SYMBOLS_FURTHER * 2 ? symbol : symbol + SYMBOLS_FURTHER
    const place = Math.min(DISTANCES - 1, further)
    timed.distances[place] = (timed.distances[place] ?? 0) + (distances[symbol] ?? 0) - 1
  }
  const between = distanceSymbol(Math.round(bytes.length / lines) + MARKS_BYTES)
  for (const [further, aLine] of TIMES_A_LINE.distances)
    add(timed.distances, Math.min(DISTANCES - 1, between + further), aLine)
  return timed
}

function blockCode({ literals, distances }: Counts): BlockCode {
  const [of, far] = [codeLengths(literals, CODE_BITS_MAX), codeLengths(distances, CODE_BITS_MAX)]
  const head = headOf(of, far)
  return { literals: codeOf(of), distances: codeOf(far), head, headBits: headBitsOf(head) }
}
