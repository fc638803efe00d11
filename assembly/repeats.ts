/**
 * Repetitions within the texts of a transcript, found once for all its forms: every form holds the same lines, only
 * what stands between them differs, so a repetition within lines is one in each form, at a distance of its own.
 */
import { lineFrom, lines, textBytes, texts } from './lines'
import { room } from './memory'

/** Numbers of each repetition (i32): where it begins in the texts, where the same bytes stood, their line, how many. */
export const REPEAT_SIZE: usize = 16
/** Shorter ones are hardly shorter than the letters themselves. */
const REPEAT_BYTES_MIN: i32 = 5
/** The longest that deflate can say. */
export const REPEAT_BYTES_MAX: i32 = 258

/** Places remembered, by a hash of the bytes that stand there. */
const HASH_BITS: u64 = 14
const PLACES: i32 = 1 << (<i32>HASH_BITS)
/** Two to the 64th by the golden ratio, as an odd number. */
const HASH_FACTOR: u64 = (0x9e3779b9 << 32) | 0x7f4a7c15
/** What is left of eight bytes, the first ones lowest, without the last three. */
const FIVE_BYTES_SHIFT: u64 = 24
const LINE_FEED: u8 = 10

/** By hash, where such bytes stood last, and in which line (two i32); -1: nowhere. */
const places = memory.data(PLACES << 3)

export let repeats: usize = 0
export let repeatsEnd: usize = 0

/** In the order of the texts; none crosses a line feed, nor do the bytes that it repeats. The same texts give the same. */
export function findRepeats(): void {
  repeats = room(REPEAT_SIZE * <usize>(textBytes / REPEAT_BYTES_MIN + 1))
  let out = repeats
  memory.fill(places, 255, PLACES << 3)
  for (let line: i32 = 0; line < lines; line += 1) {
    const end = lineFrom(line + 1) - 1
    const last = end - REPEAT_BYTES_MIN
    let at = lineFrom(line)
    while (at <= last) {
      const place = places + hashAt(at)
      const before = load<i32>(place)
      const length = before < 0 ? 0 : sameBytes(before, at, end)
      let next = at + 1
      if (length >= REPEAT_BYTES_MIN) {
        store<i32>(out, at)
        store<i32>(out, before, 4)
        store<i32>(out, load<i32>(place, 4), 8)
        store<i32>(out, length, 12)
        out += REPEAT_SIZE
        next = at + length
      }
      const hashed = min(next, last + 1)
      for (; at < hashed; at += 1) {
        const seen = places + hashAt(at)
        store<i32>(seen, at)
        store<i32>(seen, line, 4)
      }
      at = next
    }
  }
  repeatsEnd = out
}

/** How many bytes from `at` on, before the end of its line, stand from `before` on, within one line, too. */
function sameBytes(before: i32, at: i32, end: i32): i32 {
  const max = min(end - at, REPEAT_BYTES_MAX)
  let length: i32 = 0
  while (length < max) {
    const byte = load<u8>(texts + at + length)
    if (byte != load<u8>(texts + before + length) || byte == LINE_FEED) break
    length += 1
  }
  return length
}

/** Where the five bytes from there on are remembered. */
function hashAt(at: i32): usize {
  const five = load<u64>(texts + at) << FIVE_BYTES_SHIFT
  return (<usize>((five * HASH_FACTOR) >> (64 - HASH_BITS))) << 3
}
