/**
 * The blocks of a deflate stream that hold a form: one with codes of its own (RFC 1951, 3.2.7), and an empty stored one,
 * after which the next begins on a byte. They are written, or only counted, which takes the same steps.
 */
import type { BlockCode } from './block-code.ts'
import { writeHead } from './deflate-head.ts'
import {
  distanceBits,
  distanceSymbol,
  END_OF_BLOCK,
  LENGTH_BITS,
  LENGTH_FIRSTS,
  LENGTH_SYMBOLS,
} from './deflate-symbols.ts'
import { BitWriter } from './bit-writer.ts'
import type { Lines } from './lines.ts'

/** Takes a form as bytes, as parts of its lines, and as repetitions of bytes before: 3 to 258, up to 32,768 back. */
export type Blocks = {
  bytes(bytes: Uint8Array, from: number, end: number): void
  /** Those of the lines from one place to another. */
  words(from: number, end: number): void
  repeat(length: number, distance: number): void
}

/** The empty block: not the last, stored, and after the bits that fill the byte its length and that inverted. */
const EMPTY_BLOCK_BITS = 3
const EMPTY_BLOCK = [0, 0, 255, 255]

/** How many bits the lines take up to each place, in a code. */
export function bitSums({ bytes }: Lines, { literals }: BlockCode): Int32Array {
  const { lengths } = literals
  const sums = new Int32Array(bytes.length + 1)
  let bits = 0
  for (let at = 0; at < bytes.length; at += 1) {
    bits += lengths[bytes[at] ?? 0] ?? 0
    sums[at + 1] = bits
  }
  return sums
}

/** How many bytes the blocks take. */
export class BlockCounter implements Blocks {
  #bits = EMPTY_BLOCK_BITS
  readonly #literals: Uint8Array
  readonly #distances: Uint8Array
  readonly #sums: Int32Array

  /** `sums`: of the lines in this code. */
  constructor({ literals, distances, headBits }: BlockCode, sums: Int32Array) {
    this.#sums = sums
    this.#literals = literals.lengths
    this.#distances = distances.lengths
    this.#bits += headBits + (literals.lengths[END_OF_BLOCK] ?? 0)
  }

  bytes(bytes: Uint8Array, from: number, end: number): void {
    const lengths = this.#literals
    let bits = 0
    for (let at = from; at < end; at += 1) bits += lengths[bytes[at] ?? 0] ?? 0
    this.#bits += bits
  }

  words(from: number, end: number): void {
    this.#bits += (this.#sums[end] ?? 0) - (this.#sums[from] ?? 0)
  }

  repeat(length: number, distance: number): void {
    const symbol = distanceSymbol(distance - 1)
    this.#bits +=
      (this.#literals[LENGTH_SYMBOLS[length] ?? 0] ?? 0) +
      (LENGTH_BITS[length] ?? 0) +
      (this.#distances[symbol] ?? 0) +
      distanceBits(symbol)
  }

  get sizeBytes(): number {
    return Math.ceil(this.#bits / 8) + EMPTY_BLOCK.length
  }
}

/** The blocks themselves. */
export class BlockWriter implements Blocks {
  readonly #out: BitWriter
  readonly #code: BlockCode

  readonly #words: Uint8Array

  constructor(code: BlockCode, lines: Lines) {
    this.#out = new BitWriter()
    this.#code = code
    this.#words = lines.bytes
    writeHead(this.#out, code.head)
  }

  bytes(bytes: Uint8Array, from: number, end: number): void {
    this.#out.symbols(bytes, from, end, this.#code.literals)
  }

  words(from: number, end: number): void {
    this.#out.symbols(this.#words, from, end, this.#code.literals)
  }

  repeat(length: number, distance: number): void {
    const out = this.#out
    const { literals, distances } = this.#code
    const symbol = LENGTH_SYMBOLS[length] ?? 0
    out.write(literals.codes[symbol] ?? 0, literals.lengths[symbol] ?? 0)
    const far = distance - 1
    const distant = distanceSymbol(far)
    const moreBits = LENGTH_BITS[length] ?? 0
    if (moreBits > 0) out.write(length - (LENGTH_FIRSTS[symbol] ?? 0), moreBits)
    out.write(distances.codes[distant] ?? 0, distances.lengths[distant] ?? 0)
    const bits = distanceBits(distant)
    out.write(far & ((1 << bits) - 1), bits)
  }

  /** The blocks, to be asked for once. */
  end(): Buffer {
    const out = this.#out
    const { codes, lengths } = this.#code.literals
    out.write(codes[END_OF_BLOCK] ?? 0, lengths[END_OF_BLOCK] ?? 0)
    out.write(0, EMPTY_BLOCK_BITS)
    out.fillByte()
    for (const byte of EMPTY_BLOCK) out.write(byte, 8)
    return Buffer.from(out.bytes)
  }
}
