/** Arbitrary characters for texts from outside, as the `unit` of `fc.string`. */
import fc from 'fast-check'

const LAST = 0x10_ffff
const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Any character of Unicode. fast-check's own `unit: 'binary'` lists all of them for shrinking, which costs each process
 * a second and 150 MB.
 */
export const anyCharacter = fc
  .nat({ max: LAST - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count))
