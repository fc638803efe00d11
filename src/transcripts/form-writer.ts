/**
 * Writes a form as bytes and, where it is to be compressed, as what deflate takes: bytes, and how many to repeat from how
 * far back. Nothing is searched for: lines bring their repetitions along (repeats.ts), and the marks between
 * two lines, numbers and times among them, repeat those before but for some digits.
 */
import type { Blocks } from './deflate-blocks.ts'
import type { Lines } from './lines.ts'
import { REPEAT_BYTES_MAX, REPEAT_BYTES_MIN, REPEAT_NUMBERS } from './repeats.ts'

/** Where a form goes as deflate takes it, with the repetitions of its lines. */
export type Packing = { repeats: Int32Array; blocks: Blocks }

/** How far back deflate reaches. */
const DISTANCE_MAX = 32_768
/** What the marks before a line take at most: two times of the longest numbers that are whole, and what is around. */
const MARKS_BYTES_MAX = 128
const ZERO = 48

/** Where one form after the other is written: fresh memory for each would cost more than the writing. */
let atHand: Buffer = Buffer.alloc(2 ** 16)
/** More than this is not kept. */
const AT_HAND_MAX = 2 ** 20

/** One at a time: the bytes of the one before are lent until the next is made. */
export class FormWriter {
  #bytes = atHand
  #size = 0
  readonly #lines: Lines
  readonly #packing: Packing | null
  /** Where the next repetition's numbers begin. */
  #repeat = 0
  /** How much further on each line stands here than in the texts; -1 where it does not stand here as it is. */
  readonly #shifts: Int32Array
  /** Where the marks since the last line begin, and those before it. */
  #marksFrom = 0
  #marksBefore = 0
  #marksBeforeEnd = 0

  /** `packing` null: only the bytes are asked for. */
  constructor(lines: Lines, packing: Packing | null) {
    this.#lines = lines
    this.#packing = packing
    this.#shifts = new Int32Array(packing === null ? 0 : lines.segments.length).fill(-1)
  }

  /** Marks of ASCII; those before a line are fewer than MARKS_BYTES_MAX. */
  mark(ascii: string): void {
    for (let at = 0; at < ascii.length; at += 1) this.#bytes[this.#size++] = ascii.charCodeAt(at)
  }

  /** A whole number, at least so many digits. */
  number(value: number, digitsMin = 1): void {
    let digits = digitsMin
    for (let power = 10 ** digitsMin; value >= power; power *= 10) digits += 1
    let rest = value
    for (let at = this.#size + digits - 1; at >= this.#size; at -= 1) {
      const tens = Math.floor(rest / 10)
      this.#bytes[at] = ZERO + (rest - tens * 10)
      rest = tens
    }
    this.#size += digits
  }

  /** A line as it is in the texts. */
  line(line: number): void {
    this.#endMarks()
    const from = this.#lines.from[line] ?? 0
    const end = (this.#lines.from[line + 1] ?? 0) - 1
    this.#makeRoom(end - from)
    const shift = this.#size - from
    this.#lines.bytes.copy(this.#bytes, this.#size, from, end)
    this.#size += end - from
    this.#marksFrom = this.#size
    if (this.#packing !== null) this.#packLine(line, this.#packing, { from, end, shift })
  }

  /** A line that this form writes otherwise. */
  otherLine(text: string): void {
    this.#endMarks()
    const length = Buffer.byteLength(text)
    this.#makeRoom(length)
    this.#bytes.write(text, this.#size)
    this.#size += length
    this.#packing?.blocks.bytes(this.#bytes, this.#marksFrom, this.#size)
    this.#marksFrom = this.#size
  }

  end(): Buffer {
    this.#endMarks()
    if (this.#bytes.length <= AT_HAND_MAX) atHand = this.#bytes
    return this.#bytes.subarray(0, this.#size)
  }

  /** The repetitions that begin in a line: those of lines that stand here as they are, and the bytes between them. */
  #packLine(
    line: number,
    { repeats, blocks }: Packing,
    { from, end, shift }: { from: number; end: number; shift: number },
  ): void {
    const shifts = this.#shifts
    shifts[line] = shift
    let written = from
    let next = this.#repeat
    for (; next < repeats.length; next += REPEAT_NUMBERS) {
      const at = repeats[next] ?? 0
      if (at >= end) break
      const before = repeats[next + 1] ?? 0
      const shiftBefore = shifts[repeats[next + 2] ?? 0] ?? -1
      const distance = at + shift - before - shiftBefore
      // Of a line that was written otherwise, or repeats one that was, or one that is too far.
      if (at < from || shiftBefore < 0 || distance > DISTANCE_MAX) continue
      const length = repeats[next + 3] ?? 0
      blocks.words(written, at)
      blocks.repeat(length, distance)
      written = at + length
    }
    this.#repeat = next
    blocks.words(written, end)
  }

  /** The marks since the last line, as what they repeat of those before it, place by place, and their other bytes. */
  #endMarks(): void {
    const from = this.#marksFrom
    const end = this.#size
    if (this.#packing !== null) {
      const distance = from - this.#marksBefore
      const same = distance > DISTANCE_MAX ? 0 : this.#marksBeforeEnd - this.#marksBefore
      this.#packMarks(this.#packing.blocks, { from, end, distance, same })
      this.#marksBefore = from
      this.#marksBeforeEnd = end
    }
    this.#marksFrom = end
  }

  /** `same`: how many bytes from `from` on can repeat those at that distance. */
  #packMarks(
    blocks: Blocks,
    { from, end, distance, same }: Record<'from' | 'end' | 'distance' | 'same', number>,
  ): void {
    const bytes = this.#bytes
    const sameEnd = Math.min(end, from + same)
    let written = from
    for (let at = from; at < sameEnd;) {
      let to = at
      const max = Math.min(sameEnd, at + REPEAT_BYTES_MAX)
      while (to < max && bytes[to] === bytes[to - distance]) to += 1
      if (to - at >= REPEAT_BYTES_MIN) {
        blocks.bytes(bytes, written, at)
        blocks.repeat(to - at, distance)
        written = to
      }
      at = Math.max(to, at + 1)
    }
    blocks.bytes(bytes, written, end)
  }

  /** Room for a line of so many bytes and the marks after it. */
  #makeRoom(lineBytes: number): void {
    const size = this.#size + lineBytes + MARKS_BYTES_MAX
    if (size <= this.#bytes.length) return
    const bytes = Buffer.allocUnsafe(size * 2)
    this.#bytes.copy(bytes, 0, 0, this.#size)
    this.#bytes = bytes
  }
}
