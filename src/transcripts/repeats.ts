/**
 * Repetitions within the texts of a transcript, found once for all its forms: every form holds the same lines, only
 * what stands between them differs, so a repetition within lines is one in each form, at a distance of its own.
 */
import type { Lines } from './lines.ts'

/** Numbers of each repetition: where it begins in the texts, where the same bytes stood, their line, and how many. */
export const REPEAT_NUMBERS = 4
/** Shorter ones are hardly shorter than the letters themselves. */
export const REPEAT_BYTES_MIN = 4
/** The longest that deflate can say. */
export const REPEAT_BYTES_MAX = 258

const LINE_FEED = 10
/** Places remembered, by a hash of the four bytes that stand there: as many as a talk has words, in 32 KB. */
const HASH_BITS = 13
/** Knuth's: two to the 32nd by the golden ratio. */
const HASH_FACTOR = 0x9e3779b1

/** By hash, where such bytes stood last, and in which line. Of one text after the other: fresh memory costs more. */
const places = new Int32Array(1 << HASH_BITS)
const lines = new Int32Array(1 << HASH_BITS)

/** In the order of the texts; none crosses a line feed, nor do the bytes that it repeats. The same texts give the same. */
export function findRepeats({ bytes, from }: Lines): Int32Array {
  const repeats = roomFor((bytes.length / REPEAT_BYTES_MIN + 1) * REPEAT_NUMBERS)
  places.fill(-1)
  let count = 0
  for (let line = 0; line < from.length - 1; line += 1) {
    const end = (from[line + 1] ?? 0) - 1
    for (let at = from[line] ?? 0; at <= end - REPEAT_BYTES_MIN;) {
      const place = hashAt(bytes, at)
      const before = places[place] ?? -1
      const length = before < 0 ? 0 : sameBytes(bytes, before, at, end)
      const lineBefore = lines[place] ?? 0
      const next = length < REPEAT_BYTES_MIN ? at + 1 : at + length
      if (length >= REPEAT_BYTES_MIN) {
        repeats[count++] = at
        repeats[count++] = before
        repeats[count++] = lineBefore
        repeats[count++] = length
      }
      for (const last = Math.min(next, end - REPEAT_BYTES_MIN + 1); at < last; at += 1) {
        const seen = hashAt(bytes, at)
        places[seen] = at
        lines[seen] = line
      }
      at = next
    }
  }
  return repeats.slice(0, count)
}

/** Most of what they may be is not used: what is found is copied. */
function roomFor(numbers: number): Int32Array {
  if (numbers <= room.length) return room
  const larger = new Int32Array(numbers * 2)
  if (numbers <= ROOM_MAX) room = larger
  return larger
}
const ROOM_MAX = 2 ** 20
let room = new Int32Array(2 ** 14)

/** How many bytes from `at` on, before the end of its line, stand from `before` on, within one line, too. */
function sameBytes(bytes: Uint8Array, before: number, at: number, end: number): number {
  const max = Math.min(end - at, REPEAT_BYTES_MAX)
  let length = 0
  while (length < max) {
    const byte = bytes[at + length]
    if (byte !== bytes[before + length] || byte === LINE_FEED) break
    length += 1
  }
  return length
}

function hashAt(bytes: Uint8Array, at: number): number {
  const four =
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  return Math.imul(four, HASH_FACTOR) >>> (32 - HASH_BITS)
}
