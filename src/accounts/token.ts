/** Tokens of mailed links and cookies: 256 random bits, kept by their SHA-256. */
import { createHash, randomBytes } from 'node:crypto'

const FORM = /^[\w-]{43}$/

export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return FORM.test(text)
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
