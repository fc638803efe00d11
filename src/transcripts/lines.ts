/** The texts of a transcript's segments as bytes: a line each, around which every form is written. */
import type { Segment } from './transcript.ts'

/** Line `at` is `bytes` from `from[at]` to before `from[at + 1] - 1`, where its line feed stands, or would. */
export type Lines = {
  segments: readonly Segment[]
  bytes: Buffer
  from: Int32Array
  /** Of each line what it has of MARKS: most lines have none, and are the same in every form. */
  marks: Uint8Array
}

const LINE_FEED = 10
/** Characters that some forms write otherwise, by what is kept of them. */
export const MARK_QUOTE = 1
export const MARK_BACKSLASH = 2
export const MARK_ANGLE = 4
export const MARK_AMPERSAND = 8
export const MARK_BRACE = 16
const MARKS = new Uint8Array(256)
MARKS[0x22] = MARK_QUOTE
MARKS[0x5c] = MARK_BACKSLASH
MARKS[0x3c] = MARK_ANGLE
MARKS[0x3e] = MARK_ANGLE
MARKS[0x26] = MARK_AMPERSAND
MARKS[0x7b] = MARK_BRACE

/** Of segments as `oneLineSegments` leaves them, whose texts have no line feed. */
export function linesOf(segments: readonly Segment[]): Lines {
  return linesIn(segments, Buffer.from(segments.map(({ text }) => text).join('\n')))
}

/** The same where the bytes are at hand. */
export function linesIn(segments: readonly Segment[], bytes: Buffer): Lines {
  const from = new Int32Array(segments.length + 1)
  const marks = new Uint8Array(segments.length)
  let line = 0
  let found = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    found |= MARKS[byte] ?? 0
    if (byte !== LINE_FEED) continue
    marks[line++] = found
    from[line] = at + 1
    found = 0
  }
  marks[line] = found
  from[segments.length] = bytes.length + 1
  return { segments, bytes, from, marks }
}
