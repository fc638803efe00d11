/**
 * The codes in which the forms of a transcript are compressed: one for those that are words alone, one for those with
 * times between the lines. They are made of the words that all forms share, so they are made once, and a form
 * is written in one go: how long it becomes needs no look at it before.
 */
import { DISTANCES, distanceSymbol, END_OF_BLOCK, lengthSymbol, LITERALS } from './deflate-symbols'
import { codeLengths, makeCodes } from './huffman-code'
import { lines, textBytes, texts } from './lines'
import { REPEAT_SIZE, repeats, repeatsEnd } from './repeats'

const CODE_BITS_MAX: i32 = 15
const LINE_FEED: i32 = 10
const BLANK: i32 = 32
const LINES_A_PARAGRAPH: i32 = 8
const BYTES: i32 = 256
const ASCII_END: i32 = 127
/** Its three bytes. */
const ZERO_WIDTH_SPACE: i32 = 0xe2808b

/** Bytes of the times and marks of a line. */
const MARKS_BYTES: f64 = 42
/** How much further back repetitions of words are, in symbols, since there are times between. */
const SYMBOLS_FURTHER: i32 = 2

const literals = memory.data(1144)
const distances = memory.data(120)
const timedLiterals = memory.data(1144)
const timedDistances = memory.data(120)

/** Of each of both: the lengths of its codes (u8), and the codes as writeSymbols takes them. */
export const LITERAL_LENGTHS: usize = 0
export const DISTANCE_LENGTHS: usize = 288
export const LITERAL_CODES: usize = 320
export const DISTANCE_CODES: usize = 1472
export const wordsCode = memory.data(1600)
export const timedCode = memory.data(1600)

/** Of the lines and their repetitions. */
export function makeBlockCodes(): void {
  countWords()
  addTimes()
  makeBlockCode(literals, distances, wordsCode)
  makeBlockCode(timedLiterals, timedDistances, timedCode)
}

function makeBlockCode(ofLiterals: usize, ofDistances: usize, code: usize): void {
  codeLengths(ofLiterals, LITERALS, CODE_BITS_MAX, code + LITERAL_LENGTHS)
  codeLengths(ofDistances, DISTANCES, CODE_BITS_MAX, code + DISTANCE_LENGTHS)
  makeCodes(code + LITERAL_LENGTHS, LITERALS, code + LITERAL_CODES)
  makeCodes(code + DISTANCE_LENGTHS, DISTANCES, code + DISTANCE_CODES)
}

/**
 * What a form writes beside the lines counts once more than it occurs, so that it has a code: ASCII from the blank on,
 * the zero-width space, and any repetition. Other bytes have one where they occur in the lines.
 */
function countWords(): void {
  memory.fill(literals, 0, BYTES << 2)
  for (let byte = BLANK; byte < ASCII_END; byte += 1) set(literals, byte, 1)
  for (let at: i32 = 0; at < 24; at += 8) set(literals, (ZERO_WIDTH_SPACE >> at) & 255, 1)
  for (let symbol = BYTES; symbol < LITERALS; symbol += 1) set(literals, symbol, 1)
  for (let symbol: i32 = 0; symbol < DISTANCES; symbol += 1) set(distances, symbol, 1)
  let written: i32 = 0
  for (let next = repeats; next < repeatsEnd; next += REPEAT_SIZE) {
    const at = load<i32>(next)
    const length = load<i32>(next, 12)
    countBytes(written, at)
    add(literals, lengthSymbol(length), 1)
    add(distances, distanceSymbol(at - load<i32>(next, 4) - 1), 1)
    written = at + length
  }
  countBytes(written, textBytes)
  // Between lines mostly is a blank, not a line feed.
  add(literals, BLANK, lines - 1)
  set(literals, LINE_FEED, 1 + (lines + LINES_A_PARAGRAPH - 1) / LINES_A_PARAGRAPH)
  set(literals, END_OF_BLOCK, 1)
}

function countBytes(from: i32, end: i32): void {
  for (let at = from; at < end; at += 1) add(literals, load<u8>(texts + at), 1)
}

/** What the times of a line add, as counted in the three forms of talks that have them, about the mean. */
function addTimes(): void {
  memory.copy(timedLiterals, literals, LITERALS << 2)
  set(timedLiterals, BLANK, max(1, get(literals, BLANK) - lines))
  for (let digit: i32 = 48; digit < 58; digit += 1) addALine(timedLiterals, digit, 0.93)
  addALine(timedLiterals, LINE_FEED, 1)
  addALine(timedLiterals, 44, 0.7) // a comma
  addALine(timedLiterals, 46, 0.7) // a point
  // Repetitions of the marks before, by their bytes.
  addALine(timedLiterals, lengthSymbol(4), 0.2)
  addALine(timedLiterals, lengthSymbol(7), 0.1)
  addALine(timedLiterals, lengthSymbol(8), 0.3)
  addALine(timedLiterals, lengthSymbol(9), 0.5)
  addALine(timedLiterals, lengthSymbol(10), 0.15)
  addALine(timedLiterals, lengthSymbol(11), 0.8)
  addALine(timedLiterals, lengthSymbol(13), 0.1)
  addALine(timedLiterals, lengthSymbol(15), 0.3)
  for (let symbol: i32 = 0; symbol < DISTANCES; symbol += 1) set(timedDistances, symbol, 1)
  for (let symbol: i32 = 0; symbol < DISTANCES; symbol += 1) {
    const further = symbol < SYMBOLS_FURTHER * 2 ? symbol : symbol + SYMBOLS_FURTHER
    add(timedDistances, min(DISTANCES - 1, further), get(distances, symbol) - 1)
  }
  // From how far back, by symbols from that of what stands between the beginnings of two lines.
  const between = distanceSymbol(<u32>(rounded(<f64>textBytes / <f64>lines) + MARKS_BYTES))
  addALine(timedDistances, min(DISTANCES - 1, between - 1), 0.3)
  addALine(timedDistances, min(DISTANCES - 1, between), 2)
  addALine(timedDistances, min(DISTANCES - 1, between + 1), 0.5)
}

function addALine(counts: usize, symbol: i32, aLine: f64): void {
  add(counts, symbol, <i32>rounded(<f64>lines * aLine))
}

function rounded(value: f64): f64 {
  return floor<f64>(value + 0.5)
}

function get(counts: usize, symbol: i32): i32 {
  return load<i32>(counts + (symbol << 2))
}

function set(counts: usize, symbol: i32, count: i32): void {
  store<i32>(counts + (symbol << 2), count)
}

function add(counts: usize, symbol: i32, more: i32): void {
  set(counts, symbol, get(counts, symbol) + more)
}
