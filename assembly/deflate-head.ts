/** The head of a deflate block with codes of its own: how long each code is, said with a third code (RFC 1951, 3.2.7). */
import { CODE_BITS_AT, writeBits } from './bits'
import { DISTANCES, LITERALS } from './deflate-symbols'
import { codeLengths, makeCodes } from './huffman-code'

const LITERALS_MIN: i32 = 257
const DISTANCES_MIN: i32 = 1
/** Not the last block, codes of its own, and how many lengths there are of each. */
const TYPE_BITS: u32 = 3
const TYPE: u64 = 0b100
const MANY_LITERALS_BITS: u32 = 5
const MANY_DISTANCES_BITS: u32 = 5
const MANY_RUN_LENGTHS_BITS: u32 = 4
const RUN_LENGTHS_MIN: i32 = 4
const RUN_LENGTH_BITS: u32 = 3
const RUN_CODE_BITS_MAX: i32 = 7
const RUN_SYMBOLS: i32 = 19

/** Several of the same: the length before again, or none; how many more than the fewest is said in so many bits. */
const AGAIN: u8 = 16
const AGAIN_MIN: i32 = 3
const AGAIN_MAX: i32 = 6
const AGAIN_BITS: u32 = 2
const NONE: u8 = 17
const NONE_MIN: i32 = 3
const NONE_MAX: i32 = 10
const NONE_BITS: u32 = 3
const NONE_LONG: u8 = 18
const NONE_LONG_MIN: i32 = 11
const NONE_LONG_MAX: i32 = 138
const NONE_LONG_BITS: u32 = 7

/** The order in which the lengths of the third code are written. */
const order = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])
/** Both codes' lengths one after the other, and what is said of them: symbols of the third code, and how many more. */
const all = memory.data(316)
const runs = memory.data(316)
const extras = memory.data(316)
let manyRuns: i32 = 0
const counts = memory.data(76)
const runLengths = memory.data(19)
const runCodes = memory.data(76)

/** `literals` and `distances`: the lengths of their codes. */
export function writeHead(literals: usize, distances: usize): void {
  const manyLiterals = used(literals, LITERALS, LITERALS_MIN)
  const manyDistances = used(distances, DISTANCES, DISTANCES_MIN)
  memory.copy(all, literals, manyLiterals)
  memory.copy(all + manyLiterals, distances, manyDistances)
  findRuns(manyLiterals + manyDistances)
  codeLengths(counts, RUN_SYMBOLS, RUN_CODE_BITS_MAX, runLengths)
  makeCodes(runLengths, RUN_SYMBOLS, runCodes)
  writeBits(TYPE, TYPE_BITS)
  writeBits(manyLiterals - LITERALS_MIN, MANY_LITERALS_BITS)
  writeBits(manyDistances - DISTANCES_MIN, MANY_DISTANCES_BITS)
  let inOrder = RUN_SYMBOLS
  while (inOrder > RUN_LENGTHS_MIN && lengthInOrder(inOrder - 1) == 0) inOrder -= 1
  writeBits(inOrder - RUN_LENGTHS_MIN, MANY_RUN_LENGTHS_BITS)
  for (let at: i32 = 0; at < inOrder; at += 1) writeBits(lengthInOrder(at), RUN_LENGTH_BITS)
  for (let at: i32 = 0; at < manyRuns; at += 1) writeRun(load<u8>(runs + at), load<u8>(extras + at))
}

function writeRun(symbol: u8, extra: u8): void {
  const code = load<u32>(runCodes + ((<usize>symbol) << 2))
  writeBits(code & 0xffff, code >> CODE_BITS_AT)
  if (symbol == AGAIN) writeBits(extra, AGAIN_BITS)
  if (symbol == NONE) writeBits(extra, NONE_BITS)
  if (symbol == NONE_LONG) writeBits(extra, NONE_LONG_BITS)
}

function used(lengths: usize, many: i32, least: i32): i32 {
  let last = many
  while (last > least && load<u8>(lengths + last - 1) == 0) last -= 1
  return last
}

function lengthInOrder(at: i32): u64 {
  return load<u8>(runLengths + load<u8>(order + at))
}

function findRuns(many: i32): void {
  memory.fill(counts, 0, RUN_SYMBOLS << 2)
  manyRuns = 0
  for (let at: i32 = 0; at < many;) {
    const length = load<u8>(all + at)
    let end = at + 1
    while (end < many && load<u8>(all + end) == length) end += 1
    if (length > 0) {
      addRun(length, 0)
      at += 1
    }
    while (at < end) at += addSeveral(length, end - at)
  }
}

/** Says some of those that are left, all the same, and gives how many. */
function addSeveral(length: u8, left: i32): i32 {
  if (length > 0) {
    const many = min(left, AGAIN_MAX)
    return many < AGAIN_MIN ? addOne(length) : addMany(AGAIN, many, AGAIN_MIN)
  }
  if (left >= NONE_LONG_MIN) return addMany(NONE_LONG, min(left, NONE_LONG_MAX), NONE_LONG_MIN)
  const many = min(left, NONE_MAX)
  return many < NONE_MIN ? addOne(length) : addMany(NONE, many, NONE_MIN)
}

function addOne(length: u8): i32 {
  addRun(length, 0)
  return 1
}

function addMany(symbol: u8, many: i32, least: i32): i32 {
  addRun(symbol, <u8>(many - least))
  return many
}

function addRun(symbol: u8, extra: u8): void {
  store<u8>(runs + manyRuns, symbol)
  store<u8>(extras + manyRuns, extra)
  manyRuns += 1
  const count = counts + ((<usize>symbol) << 2)
  store<i32>(count, load<i32>(count) + 1)
}
