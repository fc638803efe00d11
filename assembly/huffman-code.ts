/** Huffman codes as deflate has them: of a longest length, given by their lengths alone (RFC 1951, 3.2.2). */
import { CODE_BITS_AT } from './bits'

const SYMBOL_BITS: u64 = 9
const SYMBOL_MASK: u64 = 511
const SYMBOLS_MAX: i32 = 512
/** No code of deflate is longer than 15 bits. */
const LENGTHS: i32 = 17

/** Each count above its symbol, the rarest first. */
const leaves = memory.data(SYMBOLS_MAX << 3)
const weights = memory.data(SYMBOLS_MAX << 4)
const joints = memory.data(SYMBOLS_MAX << 3)
const depths = memory.data(SYMBOLS_MAX << 3)
const nextCodes = memory.data((LENGTHS + 1) << 2)

/** Leaves and joints are two queues, both in order: the first of each that is not joined yet. */
let leaf: i32 = 0
let joint: i32 = 0

/**
 * How long each symbol's code is (u8), by how often it occurs (i32); those that do not have none, a single one has one
 * bit. Where a code would be longer than `longest`, the counts are made more alike until none is.
 */
export function codeLengths(counts: usize, symbols: i32, longest: i32, lengths: usize): void {
  for (let halvings: i32 = 0; ; halvings += 1) {
    memory.fill(lengths, 0, symbols)
    if (huffmanLengths(counts, symbols, halvings, lengths) <= longest) return
  }
}

/** Symbols sorted by count, then joined from the rarest on. Gives the longest length. */
function huffmanLengths(counts: usize, symbols: i32, halvings: i32, lengths: usize): i32 {
  const many = findLeaves(counts, symbols, halvings)
  if (many == 0) return 0
  if (many == 1) {
    store<u8>(lengths + symbolAt(0), 1)
    return 1
  }
  for (let at: i32 = 0; at < many; at += 1)
    store<u64>(weights + (at << 3), load<u64>(leaves + (at << 3)) >> SYMBOL_BITS)
  leaf = 0
  joint = many
  const last = 2 * many - 2
  for (let made = many; made <= last; made += 1) {
    const one = lightest(made, many)
    const other = lightest(made, many)
    store<u64>(
      weights + (made << 3),
      load<u64>(weights + (one << 3)) + load<u64>(weights + (other << 3)),
    )
    store<i32>(joints + (one << 2), made)
    store<i32>(joints + (other << 2), made)
  }
  store<i32>(depths + (last << 2), 0)
  let longest: i32 = 0
  for (let at = last - 1; at >= 0; at -= 1) {
    const depth = load<i32>(depths + (load<i32>(joints + (at << 2)) << 2)) + 1
    store<i32>(depths + (at << 2), depth)
    if (at >= many) continue
    store<u8>(lengths + symbolAt(at), <u8>depth)
    longest = max(longest, depth)
  }
  return longest
}

function lightest(made: i32, many: i32): i32 {
  const isLeaf =
    leaf < many &&
    (joint >= made || load<u64>(weights + (leaf << 3)) <= load<u64>(weights + (joint << 3)))
  if (isLeaf) {
    leaf += 1
    return leaf - 1
  }
  joint += 1
  return joint - 1
}

function symbolAt(at: i32): usize {
  return <usize>(load<u64>(leaves + (at << 3)) & SYMBOL_MASK)
}

function findLeaves(counts: usize, symbols: i32, halvings: i32): i32 {
  let many: i32 = 0
  for (let symbol: i32 = 0; symbol < symbols; symbol += 1) {
    const count = load<i32>(counts + (symbol << 2))
    if (count == 0) continue
    store<u64>(leaves + (many << 3), ((<u64>(count >> halvings) + 1) << SYMBOL_BITS) | symbol)
    many += 1
  }
  for (let gap: i32 = 132; gap > 0; gap = nextGap(gap)) sortLeaves(many, gap)
  return many
}

/** Ciura's gaps for Shell's sort. */
function nextGap(gap: i32): i32 {
  if (gap == 132) return 57
  if (gap == 57) return 23
  if (gap == 23) return 10
  if (gap == 10) return 4
  return gap == 4 ? 1 : 0
}

function sortLeaves(many: i32, gap: i32): void {
  for (let at = gap; at < many; at += 1) {
    const moved = load<u64>(leaves + (at << 3))
    let to = at
    for (; to >= gap; to -= gap) {
      const before = load<u64>(leaves + ((to - gap) << 3))
      if (before <= moved) break
      store<u64>(leaves + (to << 3), before)
    }
    store<u64>(leaves + (to << 3), moved)
  }
}

/** The codes of these lengths, as writeSymbols takes them: of one length those of earlier symbols first. */
export function makeCodes(lengths: usize, symbols: i32, codes: usize): void {
  memory.fill(nextCodes, 0, (LENGTHS + 1) << 2)
  for (let symbol: i32 = 0; symbol < symbols; symbol += 1) {
    const length = load<u8>(lengths + symbol)
    const after = nextCodes + ((<usize>length + 1) << 2)
    if (length > 0) store<u32>(after, load<u32>(after) + 1)
  }
  for (let length: i32 = 1; length < LENGTHS; length += 1) {
    const at = nextCodes + (length << 2)
    store<u32>(at, (load<u32>(at - 4) + load<u32>(at)) << 1)
  }
  for (let symbol: i32 = 0; symbol < symbols; symbol += 1) {
    const length = <u32>load<u8>(lengths + symbol)
    let entry: u32 = 0
    if (length > 0) {
      const next = nextCodes + ((<usize>length) << 2)
      const code = load<u32>(next)
      store<u32>(next, code + 1)
      entry = (length << CODE_BITS_AT) | reversed(code, length)
    }
    store<u32>(codes + (symbol << 2), entry)
  }
}

/** So many bits with the first one last. */
function reversed(code: u32, many: u32): u32 {
  let rest = code
  rest = ((rest & 0x5555) << 1) | ((rest >> 1) & 0x5555)
  rest = ((rest & 0x3333) << 2) | ((rest >> 2) & 0x3333)
  rest = ((rest & 0x0f0f) << 4) | ((rest >> 4) & 0x0f0f)
  rest = ((rest & 0x00ff) << 8) | (rest >> 8)
  return rest >> (16 - many)
}
