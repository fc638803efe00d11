/** How often one may try: to sign in, to sign up, to ask for mails; per visitor and per address. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { Problem } from '../problem.ts'
import { type AttemptLimit, takeAttempt } from '../store/sign-in.ts'

type Rule = { size: number; everySeconds: number }

/** Passwords and links guessed from one place, over all addresses. */
const BY_VISITOR: Rule = { size: 60, everySeconds: 2 }
/** Guesses of one address's password from one place; after ten, one a minute. */
const BY_VISITOR_AND_EMAIL: Rule = { size: 10, everySeconds: 60 }
/** Guesses of one address's password from everywhere. */
const BY_EMAIL: Rule = { size: 50, everySeconds: 30 }
/** Mails to one address. */
const MAILS: Rule = { size: 5, everySeconds: 600 }

const MAILING = new Set(['/sign-up/email', '/send-verification-email', '/request-password-reset'])

/**
 * Takes what an attempt costs; throws `rate_limited` where a bucket is empty. `email` is what the
 * form named, or null.
 */
export async function limitAttempts(
  pool: pg.Pool,
  { path, visitor, email }: { path: string; visitor: string; email: string | null },
): Promise<void> {
  const limits: AttemptLimit[] = [{ bucket: `try:${visitor}`, ...BY_VISITOR }]
  if (email !== null) {
    const address = digest(email.trim().toLowerCase())
    const mailed = MAILING.has(path)
    if (mailed) limits.push({ bucket: `mail:${address}`, ...MAILS })
    else {
      limits.push({ bucket: `try:${visitor}:${address}`, ...BY_VISITOR_AND_EMAIL })
      limits.push({ bucket: `try:${address}`, ...BY_EMAIL })
    }
  }
  for (const limit of limits) {
    const seconds = await takeAttempt(pool, limit)
    if (seconds === 0) continue
    throw new Problem('rate_limited', {
      message: `Too many attempts; try again in ${inWords(seconds)}.`,
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

/** Buckets are named without the address itself. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'one second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
