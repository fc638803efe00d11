/** Secrets of an account: API keys, tokens of mailed links and cookies, and sealed texts. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

// Tokens of mailed links and cookies: 256 random bits, kept by their SHA-256.

export const TOKEN_BYTES = 32
const TOKEN_FORM = /^[\w-]{43}$/

/** Returns a new token from TOKEN_BYTES random bytes. */
export function createToken(random: Buffer): string {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`a token is ${TOKEN_BYTES} random bytes`)
  return random.toString('base64url')
}

export function isToken(text: string): boolean {
  return TOKEN_FORM.test(text)
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

// An API key: a secret of 256 random bits, shown once. It reads `sk_<43 letters><6 of check>`. The check catches
// a key that was cut or mistyped before the database is asked. The prefix stays visible; the SHA-256 hash of the
// whole key is stored.

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

// Seals a text for a purpose and a time: it can be shown later, and only this installation can have made it.
// Signed with the installation's secret, not encrypted.

export type Seal = {
  /** Returns the text sealed for `lifetimeSeconds` from now. */
  close(text: string, lifetimeSeconds: number): string
  /** Returns the text; null where it was not sealed here for this purpose, or is too old. */
  open(sealed: string): string | null
}

export function createSeal({
  secret,
  purpose,
  now,
}: {
  secret: string
  purpose: string
  now: () => Date
}): Seal {
  const nowSeconds = (): number => Math.floor(now().getTime() / 1000)
  const sign = (body: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:${body}`).digest()
  return {
    close(text, lifetimeSeconds) {
      const body = `${Buffer.from(text).toString('base64url')}.${nowSeconds() + lifetimeSeconds}`
      return `${body}.${sign(body).toString('base64url')}`
    },
    open(sealed) {
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
