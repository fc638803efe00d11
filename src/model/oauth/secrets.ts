/** The secrets of OAuth beside access tokens: codes, verifiers, refresh tokens and what people type. */
import { createHash, timingSafeEqual } from 'node:crypto'

const VERIFIER = /^[\w.~-]{43,128}$/
/** Letters that make no words and do not look alike, so that a code is easy to read out. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LETTERS_EACH_SIDE = 4
export const USER_CODE_BYTES = 2 * LETTERS_EACH_SIDE * 4

/** Returns whether `verifier` proves that its sender made the request with `challenge` (RFC 7636, S256). */
export function isVerified(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const given = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Returns `BCDF-GHJK` from USER_CODE_BYTES random bytes: some 34 bits, for ten minutes and few guesses. */
export function createUserCode(random: Buffer): string {
  const letters = Array.from({ length: 2 * LETTERS_EACH_SIDE }, (_, at) =>
    LETTERS.charAt(random.readUInt32BE(at * 4) % LETTERS.length),
  ).join('')
  return dashed(letters)
}

function dashed(letters: string): string {
  return `${letters.slice(0, LETTERS_EACH_SIDE)}-${letters.slice(LETTERS_EACH_SIDE)}`
}

/** Reads a code as people type it, in any case and with any signs between; null where it cannot be one. */
export function readUserCode(text: string): string | null {
  const letters = text
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
  const isCode =
    letters.length === 2 * LETTERS_EACH_SIDE && [...letters].every((one) => LETTERS.includes(one))
  return isCode ? dashed(letters) : null
}
