/** The symbols in which deflate says how many bytes to repeat, and from how far back (RFC 1951, 3.2.5). */

/** Bytes are their own symbols, before these. */
export const LITERALS: i32 = 286
export const DISTANCES: i32 = 30
export const END_OF_BLOCK: i32 = 256
const FIRST_LENGTH: i32 = 257
const LENGTH_MAX: i32 = 258

/** Of each length from 3 to 258 its symbol, and how many bits say which of the symbol's lengths it is. */
const lengthSymbols = memory.data(518)
const lengthBits = memory.data(259)
/** Of each symbol the shortest length. */
const lengthFirsts = memory.data(572)

let first: i32 = 3
for (let symbol = FIRST_LENGTH; symbol < LITERALS - 1; symbol += 1) {
  const bits = symbol < FIRST_LENGTH + 8 ? 0 : (symbol - FIRST_LENGTH - 4) >> 2
  store<u16>(lengthFirsts + (symbol << 1), <u16>first)
  for (const end = first + (1 << bits); first < end; first += 1) setLength(first, symbol, bits)
}
setLength(LENGTH_MAX, LITERALS - 1, 0)
store<u16>(lengthFirsts + ((LITERALS - 1) << 1), <u16>LENGTH_MAX)

function setLength(length: i32, symbol: i32, bits: i32): void {
  store<u16>(lengthSymbols + (length << 1), <u16>symbol)
  store<u8>(lengthBits + length, <u8>bits)
}

export function lengthSymbol(length: i32): i32 {
  return load<u16>(lengthSymbols + (length << 1))
}

export function moreLengthBits(length: i32): u32 {
  return load<u8>(lengthBits + length)
}

export function firstLength(symbol: i32): i32 {
  return load<u16>(lengthFirsts + (symbol << 1))
}

/** Of a distance less one: from 4 on, two symbols for each power of two. */
export function distanceSymbol(far: u32): i32 {
  if (far < 4) return far
  const power = 31 - clz<u32>(far)
  return 2 * power + ((far >> (power - 1)) & 1)
}

/** How many bits say which of a symbol's distances it is. */
export function moreDistanceBits(symbol: i32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1
}
