/** Tokens of mailed links and cookies: 256 random bits, kept by their SHA-256. */
import { createHash } from 'node:crypto'

export const TOKEN_BYTES = 32
const FORM = /^[\w-]{43}$/

/** Returns a new token from TOKEN_BYTES random bytes. */
export function createToken(random: Buffer): string {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`a token is ${TOKEN_BYTES} random bytes`)
  return random.toString('base64url')
}

export function isToken(text: string): boolean {
  return FORM.test(text)
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
