/**
 * Limits how often one may try: to sign in, to open links, to have mails sent, to look at pages. Counted for the visitor's network
 * (an IPv4 address, a /64 of IPv6), for the address that is named, and for both together.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { visitorNetwork } from '../text/visitor-network.ts'
import { LIMITS } from '../config.ts'
import { Problem } from '../problem.ts'
import { type AttemptLimit, takeAttempt } from '../store/attempt-buckets.ts'

type Rule = { size: number; everySeconds: number }

/** Passwords and links guessed from one place, over all addresses. */
const BY_VISITOR: Rule = { size: 60, everySeconds: 2 }
/** Guesses of one address's password from one place, or on one known device; after ten, one a minute. */
const BY_PAIR: Rule = { size: 10, everySeconds: 60 }
/** Guesses of one address's password from everywhere but known devices. */
const BY_EMAIL: Rule = { size: 100, everySeconds: 20 }
/** Challenges and other rows that a visitor makes without being signed in. */
const ROWS_BY_VISITOR: Rule = { size: 30, everySeconds: 10 }
/** Mails to one address. */
const MAILS: Rule = { size: 5, everySeconds: 600 }
/** Mails to any address that one place asks for. */
const MAILS_BY_VISITOR: Rule = { size: 30, everySeconds: 60 }
/** Requests of the website without a session. */
const STRANGERS: Rule = {
  size: LIMITS.strangerBucketSize,
  everySeconds: 1 / LIMITS.strangerRefillPerSecond,
}
/** Mails of the whole installation. */
const ALL_MAILS: Rule = { size: LIMITS.mailsPerHour, everySeconds: 3600 / LIMITS.mailsPerHour }

/** Who tries: the address as the server saw it. */
type Visitor = { ip: string }

/** Takes what opening a link, a passkey or any other attempt without an address costs. */
export function limitVisitor(pool: pg.Pool, { ip }: Visitor): Promise<void> {
  return take(pool, [{ bucket: `try:${visitorNetwork(ip)}`, ...BY_VISITOR }])
}

/**
 * Takes what a guess of an address's password costs. A device that signed in to the address before has a
 * limit of its own, so that nobody else's guesses keep its owner out; null where it has not.
 */
export function limitGuesses(
  pool: pg.Pool,
  { ip, email, device }: Visitor & { email: string; device: string | null },
): Promise<void> {
  const address = digest(email)
  if (device !== null) return take(pool, [{ bucket: `try:device:${digest(device)}`, ...BY_PAIR }])
  const network = visitorNetwork(ip)
  return take(pool, [
    { bucket: `try:${network}`, ...BY_VISITOR },
    { bucket: `try:${network}:${address}`, ...BY_PAIR },
    { bucket: `try:${address}`, ...BY_EMAIL },
  ])
}

/** Takes what guessing the password of one mailed link costs. */
export function limitLinkGuesses(
  pool: pg.Pool,
  { ip, token }: Visitor & { token: string },
): Promise<void> {
  return take(pool, [
    { bucket: `try:${visitorNetwork(ip)}`, ...BY_VISITOR },
    { bucket: `try:link:${digest(token)}`, ...BY_PAIR },
  ])
}

/** Takes what a request costs that may leave a row behind. */
export function limitRows(pool: pg.Pool, { ip }: Visitor): Promise<void> {
  return take(pool, [{ bucket: `rows:${visitorNetwork(ip)}`, ...ROWS_BY_VISITOR }])
}

/** Takes what a request costs that may mail to an address, whether it then does or not. */
export function limitMails(
  pool: pg.Pool,
  { ip, email }: Visitor & { email: string },
): Promise<void> {
  return take(pool, [
    { bucket: `mail:from:${visitorNetwork(ip)}`, ...MAILS_BY_VISITOR },
    { bucket: `mail:to:${digest(email)}`, ...MAILS },
    { bucket: 'mail:all', ...ALL_MAILS },
  ])
}

/** Takes what any request for a page costs whose sender is not signed in. */
export function limitStranger(pool: pg.Pool, { ip }: Visitor): Promise<void> {
  const bucket = `stranger:${visitorNetwork(ip)}`
  const message = 'Too many requests from your network; wait the number of seconds in Retry-After.'
  return take(pool, [{ bucket, ...STRANGERS }], () => message)
}

/** Throws `rate_limited` for the first limit that has nothing left. */
async function take(
  pool: pg.Pool,
  limits: AttemptLimit[],
  told = (seconds: number): string => `Too many attempts; try again in ${inWords(seconds)}.`,
): Promise<void> {
  for (const limit of limits) {
    const seconds = await takeAttempt(pool, limit)
    if (seconds === 0) continue
    throw new Problem('rate_limited', {
      message: told(seconds),
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
