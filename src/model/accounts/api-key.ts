/**
 * An API key: a secret of 256 random bits, shown once. It reads `sk_<43 letters><6 of check>`. The check catches a key
 * that was cut or mistyped before the database is asked. The prefix stays visible; the SHA-256 hash of the whole key is
 * stored.
 */
import { createHash } from 'node:crypto'

export const KEY_START = 'sk_'
/** The beginning of the website's short-lived keys, so that a leaked one is recognised. */
export const SESSION_START = 'ss_'
/** The beginning of apps' access tokens (docs/oauth.md). */
export const APP_START = 'so_'
export const SECRET_BYTES = 32

const CHECK_LENGTH = 6
const PREFIX_LENGTH = 11
const FORM = /^s[kso]_[\w-]{43}[\w-]{6}$/

export type NewSecret = { secret: string; prefix: string; hash: Buffer }

/** Returns a new secret from SECRET_BYTES random bytes; `start` says what it is for. */
export function createSecret(
  start: typeof KEY_START | typeof SESSION_START | typeof APP_START,
  random: Buffer,
): NewSecret {
  if (random.length !== SECRET_BYTES)
    throw new RangeError(`a secret is ${SECRET_BYTES} random bytes`)
  const body = start + random.toString('base64url')
  const secret = body + checkOf(body)
  return { secret, prefix: secret.slice(0, PREFIX_LENGTH), hash: hashSecret(secret) }
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Returns whether the text can be one of our keys at all: its form and its check are right. */
export function looksLikeKey(text: string): boolean {
  return FORM.test(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
}

function checkOf(body: string): string {
  return createHash('sha256').update(`check:${body}`).digest('base64url').slice(0, CHECK_LENGTH)
}
