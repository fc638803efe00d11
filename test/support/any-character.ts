/** Arbitrary characters for texts from outside, as the `unit` of `fc.string`. */
import assert from 'node:assert/strict'
import fc from 'fast-check'

const LAST = 0x10_ffff
const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Any character of Unicode, surrogates excepted. fast-check's own `unit: 'binary'` lists all of them to find a
 * character's number, which costs each process a second and 150 MB. That number is known here, too, so that a string
 * of such characters may also be one of fast-check's dangerous words (`__proto__`, `toString`).
 */
export const anyCharacter = fc.nat({ max: LAST - SURROGATES.count }).map(characterAt, placeOf)

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count)
}

/** Returns the place of a character; throws for all else, as fast-check asks of the way back. */
function placeOf(text: unknown): number {
  assert(typeof text === 'string' && text.isWellFormed())
  const [character = '', ...rest] = text
  assert(rest.length === 0)
  const code = character.codePointAt(0)
  assert(code !== undefined)
  return code < SURROGATES.first ? code : code - SURROGATES.count
}
