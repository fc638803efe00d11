/** Secrets of an account: API keys, tokens of mailed links and cookies, and sealed texts. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Number of random bytes in each token and key. */
export const SECRET_BYTES = 32
const TOKEN_FORM = /^[\w-]{43}$/

/** Returns a new token of a mailed link or a cookie, from SECRET_BYTES random bytes. */
export function createToken(random: Buffer): string {
  return random.toString('base64url')
}

export function isToken(text: string): boolean {
  return TOKEN_FORM.test(text)
}

/** Returns the SHA-256 by which a token or a key is kept. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

// An API key reads `sk_<43 letters><6 of check>` and is shown once. The check catches a key that was cut or mistyped
// before the database is asked. The prefix stays visible; the hash of the whole key is stored.

export const KEY_START = 'sk_'
/** The beginning of the website's short-lived keys, so that a leaked one is recognised. */
export const SESSION_START = 'ss_'
/** The beginning of apps' access tokens (docs/oauth.md). */
export const APP_START = 'so_'

const CHECK_LENGTH = 6
const PREFIX_LENGTH = 11
const FORM = /^s[kso]_[\w-]{43}[\w-]{6}$/

type NewSecret = { secret: string; prefix: string; hash: Buffer }

/** Returns a new secret from SECRET_BYTES random bytes; `start` says what it is for. */
export function createSecret(
  start: typeof KEY_START | typeof SESSION_START | typeof APP_START,
  random: Buffer,
): NewSecret {
  const body = start + random.toString('base64url')
  const secret = body + checkOf(body)
  return { secret, prefix: secret.slice(0, PREFIX_LENGTH), hash: hashSecret(secret) }
}

/** Returns whether the text can be one of our keys at all: its form and its check are right. */
export function looksLikeKey(text: string): boolean {
  return FORM.test(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
}

function checkOf(body: string): string {
  return createHash('sha256').update(`check:${body}`).digest('base64url').slice(0, CHECK_LENGTH)
}

// Seals a text for a purpose and a time: it can be shown later, and only this installation can have made it.
// Signed with the installation's secret, not encrypted.

export function createSeal(
  { secret, purpose }: { secret: string; purpose: string },
  now: () => Date,
) {
  const nowSeconds = (): number => Math.floor(now().getTime() / 1000)
  const sign = (body: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:${body}`).digest()
  return {
    /** Returns the text sealed for `lifetimeSeconds` from now. */
    close(text: string, lifetimeSeconds: number): string {
      const body = `${Buffer.from(text).toString('base64url')}.${nowSeconds() + lifetimeSeconds}`
      return `${body}.${sign(body).toString('base64url')}`
    },
    /** Returns the text; null where it was not sealed here for this purpose, or is too old. */
    open(sealed: string): string | null {
      const [text = '', until = '', signature = '', ...rest] = sealed.split('.')
      const [given, wanted] = [Buffer.from(signature, 'base64url'), sign(`${text}.${until}`)]
      const isOurs =
        rest.length === 0 && given.length === wanted.length && timingSafeEqual(given, wanted)
      return isOurs && Number(until) > nowSeconds()
        ? Buffer.from(text, 'base64url').toString()
        : null
    },
  }
}
