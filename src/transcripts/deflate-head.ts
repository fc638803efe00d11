/** The head of a deflate block with codes of its own: how long each code is, said with a third code (RFC 1951, 3.2.7). */
import type { BitWriter } from './bit-writer.ts'
import { codeLengths, codeOf } from './huffman-code.ts'

/** The lengths of both codes, up to the last that is not 0; as runs, and the lengths of the runs' code. */
export type BlockHead = {
  literals: Uint8Array
  distances: Uint8Array
  runs: Run[]
  runLengths: Uint8Array
}
/** A symbol of the third code: a length, or several of the same, `extra` more than the fewest. */
type Run = { symbol: number; extra: number }

const LITERALS_MIN = 257
const DISTANCES_MIN = 1
/** Not the last block, codes of its own, and how many lengths there are of each. */
const TYPE_BITS = 3
const TYPE = 0b100
const MANY_LITERALS_BITS = 5
const MANY_DISTANCES_BITS = 5
const MANY_RUN_LENGTHS_BITS = 4
const RUN_LENGTHS_MIN = 4
const RUN_LENGTH_BITS = 3
const RUN_CODE_BITS_MAX = 7
const RUN_SYMBOLS = 19
/** The order in which the lengths of the third code are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** Several of the same: the length before again, or none. */
const AGAIN = { symbol: 16, min: 3, max: 6, bits: 2 }
const NONE = { symbol: 17, min: 3, max: 10, bits: 3 }
const NONE_LONG = { symbol: 18, min: 11, max: 138, bits: 7 }
const SEVERAL = [AGAIN, NONE, NONE_LONG]

export function headOf(literalLengths: Uint8Array, distanceLengths: Uint8Array): BlockHead {
  const literals = used(literalLengths, LITERALS_MIN)
  const distances = used(distanceLengths, DISTANCES_MIN)
  const runs = runsOf([...literals, ...distances])
  const counts = new Int32Array(RUN_SYMBOLS)
  for (const { symbol } of runs) counts[symbol] = (counts[symbol] ?? 0) + 1
  return { literals, distances, runs, runLengths: codeLengths(counts, RUN_CODE_BITS_MAX) }
}

export function headBitsOf({ runs, runLengths }: BlockHead): number {
  const lengths = MANY_LITERALS_BITS + MANY_DISTANCES_BITS + MANY_RUN_LENGTHS_BITS
  let bits = TYPE_BITS + lengths + usedInOrder(runLengths).length * RUN_LENGTH_BITS
  for (const { symbol } of runs) bits += (runLengths[symbol] ?? 0) + extraBits(symbol)
  return bits
}

export function writeHead(
  out: BitWriter,
  { literals, distances, runs, runLengths }: BlockHead,
): void {
  out.write(TYPE, TYPE_BITS)
  out.write(literals.length - LITERALS_MIN, MANY_LITERALS_BITS)
  out.write(distances.length - DISTANCES_MIN, MANY_DISTANCES_BITS)
  const inOrder = usedInOrder(runLengths)
  out.write(inOrder.length - RUN_LENGTHS_MIN, MANY_RUN_LENGTHS_BITS)
  for (const length of inOrder) out.write(length, RUN_LENGTH_BITS)
  const { codes } = codeOf(runLengths)
  for (const { symbol, extra } of runs) {
    out.write(codes[symbol] ?? 0, runLengths[symbol] ?? 0)
    out.write(extra, extraBits(symbol))
  }
}

function used(lengths: Uint8Array, min: number): Uint8Array {
  return lengths.subarray(0, Math.max(min, lengths.findLastIndex((length) => length > 0) + 1))
}

function usedInOrder(runLengths: Uint8Array): number[] {
  const lengths = ORDER.map((symbol) => runLengths[symbol] ?? 0)
  return lengths.slice(
    0,
    Math.max(RUN_LENGTHS_MIN, lengths.findLastIndex((length) => length > 0) + 1),
  )
}

function extraBits(symbol: number): number {
  if (symbol < AGAIN.symbol) return 0
  return SEVERAL.find((several) => several.symbol === symbol)?.bits ?? 0
}

function runsOf(lengths: readonly number[]): Run[] {
  const runs: Run[] = []
  for (let at = 0; at < lengths.length;) {
    const length = lengths[at] ?? 0
    let end = at + 1
    while (end < lengths.length && lengths[end] === length) end += 1
    if (length > 0) {
      runs.push({ symbol: length, extra: 0 })
      at += 1
    }
    for (let left = end - at; left > 0; left = end - at) {
      const several = length > 0 ? AGAIN : left >= NONE_LONG.min ? NONE_LONG : NONE
      const many = Math.min(left, several.max)
      if (many < several.min) {
        runs.push({ symbol: length, extra: 0 })
        at += 1
      } else {
        runs.push({ symbol: several.symbol, extra: many - several.min })
        at += many
      }
    }
  }
  return runs
}
