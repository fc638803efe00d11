/** Writes bits into bytes, the lowest first, as deflate has them. */
import type { HuffmanCode } from './huffman-code.ts'

/** Where one writer after the other writes: fresh memory for each would cost more than the writing. */
let atHand = Buffer.alloc(2 ** 16)
/** More than this is not kept. */
const AT_HAND_MAX = 2 ** 20
/** A step writes two bytes, whether they are full or not, and a symbol takes two at most. */
const STEP_BYTES = 2

/** One at a time: the bytes of the one before are lent until the next is made. */
export class BitWriter {
  #bytes = atHand
  #size = 0
  /** Bits that fill no byte yet, and how many. */
  #bits = 0
  #count = 0

  /** What was written, in whole bytes. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  /** At most 16 bits of a number that has no others. */
  write(value: number, bits: number): void {
    if (this.#size + STEP_BYTES > this.#bytes.length) this.#grow(STEP_BYTES)
    const all = this.#bits | (value << this.#count)
    const count = this.#count + bits
    this.#bytes[this.#size] = all
    this.#bytes[this.#size + 1] = all >>> 8
    this.#size += count >> 3
    this.#bits = all >>> (count & ~7)
    this.#count = count & 7
  }

  /** The codes of symbols one after the other. */
  symbols(symbols: Uint8Array, from: number, end: number, { codes, lengths }: HuffmanCode): void {
    const most = (end - from + 1) * STEP_BYTES
    if (this.#size + most > this.#bytes.length) this.#grow(most)
    const bytes = this.#bytes
    let [size, bits, count] = [this.#size, this.#bits, this.#count]
    for (let at = from; at < end; at += 1) {
      const symbol = symbols[at] ?? 0
      bits |= (codes[symbol] ?? 0) << count
      count += lengths[symbol] ?? 0
      bytes[size] = bits
      bytes[size + 1] = bits >>> 8
      size += count >> 3
      bits >>>= count & ~7
      count &= 7
    }
    this.#size = size
    this.#bits = bits
    this.#count = count
  }

  /** Zeros until the byte is full. */
  fillByte(): void {
    if (this.#count > 0) this.write(0, 8 - this.#count)
  }

  #grow(bytes: number): void {
    const larger = Buffer.alloc((this.#size + bytes) * 2)
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
    if (larger.length <= AT_HAND_MAX) atHand = larger
  }
}
