/** The symbols in which deflate says how many bytes to repeat, and from how far back (RFC 1951, 3.2.5). */

/** Bytes are their own symbols, before these. */
export const LITERALS = 286
export const DISTANCES = 30
export const END_OF_BLOCK = 256
const FIRST_LENGTH = 257
const LENGTH_MAX = 258

/** Of each length from 3 to 258 its symbol, and how many bits say which of the symbol's lengths it is. */
export const LENGTH_SYMBOLS = new Uint16Array(LENGTH_MAX + 1)
export const LENGTH_BITS = new Uint8Array(LENGTH_MAX + 1)
/** Of each symbol the shortest length. */
export const LENGTH_FIRSTS = new Uint16Array(LITERALS)
for (let symbol = FIRST_LENGTH, length = 3; symbol < LITERALS - 1; symbol += 1) {
  const bits = symbol < FIRST_LENGTH + 8 ? 0 : (symbol - FIRST_LENGTH - 4) >> 2
  LENGTH_FIRSTS[symbol] = length
  for (const end = length + 2 ** bits; length < end; length += 1) {
    LENGTH_SYMBOLS[length] = symbol
    LENGTH_BITS[length] = bits
  }
}
LENGTH_SYMBOLS[LENGTH_MAX] = LITERALS - 1
LENGTH_BITS[LENGTH_MAX] = 0
LENGTH_FIRSTS[LITERALS - 1] = LENGTH_MAX

/** Of a distance less one: from 4 on, two symbols for each power of two. */
export function distanceSymbol(far: number): number {
  if (far < 4) return far
  const power = 31 - Math.clz32(far)
  return 2 * power + ((far >> (power - 1)) & 1)
}

/** How many bits say which of a symbol's distances it is. */
export function distanceBits(symbol: number): number {
  return symbol < 4 ? 0 : (symbol >> 1) - 1
}
