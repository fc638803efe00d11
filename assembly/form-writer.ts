/**
 * Writes a form as bytes and, where it is to be compressed, as what deflate takes: bytes, and how many to repeat from how
 * far back. Nothing is searched for: lines bring their repetitions along (repeats.ts), and the marks between
 * two lines, numbers and times among them, repeat those before but for some digits.
 */
import { beginBlocks, blocks, endBlocks, writeBytes, writeOtherBytes, writeRepeat } from './blocks'
import { lineFrom, lines, textBytes, texts } from './lines'
import { freeFrom, room } from './memory'
import { REPEAT_BYTES_MAX, REPEAT_SIZE, repeats, repeatsEnd } from './repeats'

/** How far back deflate reaches. */
const DISTANCE_MAX: i32 = 32_768
/** The fewest bytes of marks that are repeated. */
const SAME_BYTES_MIN: i32 = 4
/** What the marks before a line take at most: two times of the longest numbers that are whole, and what is around. */
const MARKS_BYTES_MAX: usize = 128
/** A byte takes 15 bits at most; the head and the end, and what a step writes too much. */
const BLOCKS_BYTES_MORE: usize = 1_024
const ZERO: u8 = 48

/** Of the lines that a form writes otherwise, in order: which (i32), and where its bytes end behind all of these. */
const OTHER_SIZE: usize = 8
let others: usize = 0
let manyOthers: i32 = 0
let otherBytes: i32 = 0
let nextOther: i32 = 0

/** The form as it is. */
export let content: usize = 0
let to: usize = 0
let isPacked = false
/** How much further on each line stands here than in the texts; -1 where it does not stand here as it is. */
let shifts: usize = 0
let nextRepeat: usize = 0
/** Where the marks since the last line begin, and those before it. */
let marksFrom: usize = 0
let marksBefore: usize = 0
let marksBeforeEnd: usize = 0

/** Room for so many lines that the next form writes otherwise, and their bytes, which the host writes. */
export function makeOthers(address: usize, many: i32, bytes: i32): usize {
  freeFrom(address)
  others = room(OTHER_SIZE * <usize>many + bytes)
  manyOthers = many
  otherBytes = bytes
  return others
}

/** `code`: of the blocks, where they are asked for, too. */
export function beginForm(code: usize): void {
  const bytesMax = <usize>textBytes + otherBytes + (<usize>lines + 1) * MARKS_BYTES_MAX
  isPacked = code != 0
  nextOther = 0
  content = room(bytesMax)
  to = content
  marksFrom = to
  marksBefore = to
  marksBeforeEnd = to
  if (!isPacked) return
  nextRepeat = repeats
  shifts = room((<usize>lines) << 2)
  memory.fill(shifts, 255, (<usize>lines) << 2)
  beginBlocks(room(bytesMax * 2 + BLOCKS_BYTES_MORE), code)
}

/** Of ASCII; those before a line are fewer than MARKS_BYTES_MAX. */
export function writeMark(ascii: string): void {
  const from = changetype<usize>(ascii)
  for (let at: i32 = 0; at < ascii.length; at += 1) {
    store<u8>(to, load<u8>(from + (at << 1)))
    to += 1
  }
}

/** A whole number, at least so many digits. */
export function writeNumber(value: u64, digitsMin: i32): void {
  let digits = digitsMin
  for (let power = powerOfTen(digitsMin); value >= power; power *= 10) digits += 1
  let rest = value
  for (let at = digits - 1; at >= 0; at -= 1) {
    const tens = rest / 10
    store<u8>(to + at, ZERO + <u8>(rest - tens * 10))
    rest = tens
  }
  to += digits
}

function powerOfTen(digits: i32): u64 {
  return digits == 1 ? 10 : digits == 2 ? 100 : 1000
}

/** A line as it is in the texts, or as the host writes it for this form. */
export function writeLine(line: i32): void {
  endMarks()
  if (nextOther < manyOthers && load<i32>(others + OTHER_SIZE * nextOther) == line)
    return writeOther()
  const from = lineFrom(line)
  const end = lineFrom(line + 1) - 1
  const shift = <i32>(to - content) - from
  memory.copy(to, texts + from, end - from)
  to += end - from
  marksFrom = to
  if (isPacked) packLine(line, from, end, shift)
}

function writeOther(): void {
  const bytes = others + OTHER_SIZE * manyOthers
  const from = nextOther == 0 ? 0 : load<i32>(others + OTHER_SIZE * (nextOther - 1), 4)
  const end = load<i32>(others + OTHER_SIZE * nextOther, 4)
  nextOther += 1
  memory.copy(to, bytes + from, end - from)
  to += end - from
  if (isPacked) writeOtherBytes(marksFrom, to)
  marksFrom = to
}

/** The repetitions that begin in a line: those of lines that stand here as they are, and the bytes between them. */
function packLine(line: i32, from: i32, end: i32, shift: i32): void {
  store<i32>(shifts + (line << 2), shift)
  let written = from
  let next = nextRepeat
  for (; next < repeatsEnd; next += REPEAT_SIZE) {
    const at = load<i32>(next)
    if (at >= end) break
    const shiftBefore = load<i32>(shifts + (load<i32>(next, 8) << 2))
    const distance = at + shift - load<i32>(next, 4) - shiftBefore
    // Of a line that was written otherwise, or repeats one that was, or one that is too far.
    if (at < from || shiftBefore < 0 || distance > DISTANCE_MAX) continue
    const length = load<i32>(next, 12)
    writeBytes(texts + written, texts + at)
    writeRepeat(length, distance)
    written = at + length
  }
  nextRepeat = next
  writeBytes(texts + written, texts + end)
}

/** The marks since the last line, as what they repeat of those before it, place by place, and their other bytes. */
function endMarks(): void {
  if (isPacked) {
    const distance = marksFrom - marksBefore
    const isFar = <i32>distance > DISTANCE_MAX
    packMarks(distance, min(to, isFar ? marksFrom : marksFrom + marksBeforeEnd - marksBefore))
    marksBefore = marksFrom
    marksBeforeEnd = to
  }
  marksFrom = to
}

/** `sameEnd`: bytes before it can repeat those at that distance. */
function packMarks(distance: usize, sameEnd: usize): void {
  let written = marksFrom
  for (let at = marksFrom; at < sameEnd;) {
    let end = at
    const last = min(sameEnd, at + REPEAT_BYTES_MAX)
    while (end < last && load<u8>(end) == load<u8>(end - distance)) end += 1
    if (<i32>(end - at) >= SAME_BYTES_MIN) {
      writeBytes(written, at)
      writeRepeat(<i32>(end - at), <i32>distance)
      written = end
    }
    at = max(end, at + 1)
  }
  writeBytes(written, to)
}

/** Gives how many bytes the form has. */
export function endForm(): i32 {
  endMarks()
  return <i32>(to - content)
}

/** Gives how many bytes the blocks have, to be asked for once. */
export function endFormBlocks(): i32 {
  return <i32>(endBlocks() - blocks)
}
