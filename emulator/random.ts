/** Seeded numbers: hashes and a small generator, from which the whole world is made. */

/** Mixes two 32-bit numbers into one; every bit of the result depends on every bit of both. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ 0x27d4eb2f, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

/** Turns names into seeds: FNV-1a over the UTF-16 units of `text`, then mixed. */
export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193)
  return mix(h, text.length)
}

/** A stream of numbers; the same seed gives the same stream on every machine. */
export type Random = {
  /** Returns a number of at least 0 and below 1. */
  fraction(): number
  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** Returns one of the given things, of which there must be one at least. */
  pick<T>(things: readonly T[]): T
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  return {
    fraction: () => next() / 0x1_0000_0000,
    between: (low, high) => low + (next() % (high - low + 1)),
    pick: (things) => things[next() % things.length] as (typeof things)[number],
  }
}

const HEX = '0123456789ABCDEF'

/** Returns `length` upper-case hexadecimal digits that depend only on `seed`. */
export function hexOf(seed: number, length: number): string {
  let text = ''
  for (let at = 0, word = 0; at < length; at++) {
    word = at % 8 === 0 ? mix(seed, at) : word >>> 4
    text += HEX[word & 15]
  }
  return text
}
