/**
 * Limits how often a visitor or an account may try: to sign in, to open links, to have mails sent, to look at pages.
 * Attempts count for the visitor's network (an IPv4 address, a /64 of IPv6), for the address that is named, and for
 * both together; mails for wider networks, too.
 */
import { counted } from '../../kit/text/counted.ts'
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { visitorNetwork, wideningNetworks, widerNetwork } from '../../kit/text/visitor-network.ts'
import { Problem } from '../../kit/problem.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { type AttemptLimit, takeAttempt } from '../../store/rate-buckets.ts'

type Rule = { size: number; everySeconds: number }

/** Guesses of passwords and links from one network, over all addresses. */
const BY_VISITOR: Rule = { size: 60, everySeconds: 2 }
/** Guesses of one address's password from one network, or on one known device; after ten, one a minute. */
const BY_PAIR: Rule = { size: 10, everySeconds: 60 }
/** Guesses of one address's password from everywhere but known devices. */
const BY_EMAIL: Rule = { size: 100, everySeconds: 20 }
/** Challenges and other rows that visitors make without being signed in, from their own network to the widest. */
const ROWS_BY_NETWORK: Rule[] = [
  { size: 30, everySeconds: 10 },
  { size: 60, everySeconds: 5 },
  { size: 120, everySeconds: 2.5 },
  { size: 240, everySeconds: 1.25 },
]
/** Mails to one address. */
const MAILS: Rule = { size: 5, everySeconds: 600 }
/** Mails that networks ask for, to any address, from a visitor's own to the widest around it. */
const MAILS_BY_NETWORK: Rule[] = [
  { size: 30, everySeconds: 60 },
  { size: 60, everySeconds: 30 },
  { size: 120, everySeconds: 15 },
  { size: 240, everySeconds: 7.5 },
]
/** Requests of the website without a session, from one network. */
const STRANGERS: Rule = { size: 120, everySeconds: 0.5 }
/** Tests of an account's webhooks, each a request to a customer's server. */
const WEBHOOK_TESTS: Rule = { size: 10, everySeconds: 60 }
/** Replays of an account's deliveries: of one, or of all since an instant. */
const REPLAYS: Rule = { size: 30, everySeconds: 10 }
/** Registrations of apps from one network, which may be that of a hosted agent. */
const REGISTRATIONS: Rule = { size: 30, everySeconds: 30 }
/** Requests of apps for tokens from one network, which may be that of a hosted agent. */
const TOKENS: Rule = { size: 300, everySeconds: 0.2 }
/** Codes of an operator's second factor, guessed from anywhere: after ten, one in five minutes. */
const CODES: Rule = { size: 10, everySeconds: 300 }
/** Videos that one network may have read without an account. The bucket is full again before it is forgotten. */
const TRIALS: Rule = { size: 4, everySeconds: 1_700 }
/** Videos for the wider network to which it belongs; one visitor may have all of that. */
const TRIALS_OF_WIDER: Rule = { size: 8, everySeconds: 850 }
/** Mails of the whole installation to addresses that have no account yet. */
const MAILS_TO_STRANGERS: Rule = { size: 1_000, everySeconds: 3.6 }

/** A visitor: the address as the server saw it. */
type Visitor = { ip: string }

/** Takes what opening a link, a passkey or any other attempt without an address costs. */
export function limitVisitor(pool: pg.Pool, { ip }: Visitor): Promise<void> {
  return takeAttempts(pool, [{ bucket: `try:${visitorNetwork(ip)}`, ...BY_VISITOR }])
}

/**
 * Takes what a guess of an address's password costs. A device that signed in to the address before has a limit of its
 * own, so that guesses from elsewhere do not keep the owner out; `device` is null without one.
 */
export function limitGuesses(
  pool: pg.Pool,
  { ip, email, device }: Visitor & { email: string; device: string | null },
): Promise<void> {
  const address = digest(email)
  if (device !== null)
    return takeAttempts(pool, [{ bucket: `try:device:${digest(device)}`, ...BY_PAIR }])
  const network = visitorNetwork(ip)
  return takeAttempts(pool, [
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
  return takeAttempts(pool, [
    { bucket: `try:${visitorNetwork(ip)}`, ...BY_VISITOR },
    { bucket: `try:link:${digest(token)}`, ...BY_PAIR },
  ])
}

/** Takes what a request costs that may leave a row behind. */
export function limitRows(pool: pg.Pool, { ip }: Visitor): Promise<void> {
  return takeAttempts(pool, ofNetworks('rows', ip, ROWS_BY_NETWORK))
}

/**
 * Takes what a request costs that may mail to an address. What is refused by one limit takes nothing of another. A
 * device that signed in to the address before has the address's limit alone; `device` is null without one.
 * `isToStranger` says that the mail goes to an address without an account, if any goes: all of those share one limit,
 * of which others take nothing.
 */
export function limitMails(
  db: Db,
  {
    ip,
    email,
    device,
    isToStranger,
  }: Visitor & { email: string; device: string | null; isToStranger: boolean },
): Promise<void> {
  const networks = ofNetworks('mail:from', ip, MAILS_BY_NETWORK)
  const all = isToStranger ? [{ bucket: 'mail:strangers', ...MAILS_TO_STRANGERS }] : []
  const to = { bucket: `mail:to:${digest(email)}`, ...MAILS }
  return transact(db, (tx) => takeAttempts(tx, device === null ? [...networks, to, ...all] : [to]))
}

/** Takes what a request for a page costs whose sender is not signed in. */
export function limitStranger(pool: pg.Pool, { ip }: Visitor): Promise<void> {
  const bucket = `stranger:${visitorNetwork(ip)}`
  const message = 'Too many requests from your network; wait the number of seconds in Retry-After.'
  return takeAttempts(pool, [{ bucket, ...STRANGERS }], () => message)
}

/** Takes what an app's request costs before it is known which app it is. */
export function limitApps(
  pool: pg.Pool,
  { ip, work }: Visitor & { work: 'register' | 'token' },
): Promise<void> {
  const rule = work === 'register' ? REGISTRATIONS : TOKENS
  return takeAttempts(pool, [{ bucket: `oauth:${work}:${visitorNetwork(ip)}`, ...rule }])
}

/** Takes what a test or a replay of a webhook costs its owner. */
export function limitWebhookWork(
  pool: pg.Pool,
  { accountId, work }: { accountId: string; work: 'test' | 'replay' },
): Promise<void> {
  const rule = work === 'test' ? WEBHOOK_TESTS : REPLAYS
  return takeAttempts(pool, [{ bucket: `webhook:${work}:${accountId}`, ...rule }])
}

/** Takes what a guess of an operator's code costs. */
export function limitCodes(pool: pg.Pool, accountId: string): Promise<void> {
  return takeAttempts(pool, [{ bucket: `code:${accountId}`, ...CODES }])
}

/** Takes what a preview costs that no earlier one answers; the accounts of one `beneficiary` share the hour. */
export function limitPreviews(
  pool: pg.Pool,
  { beneficiary, perHour }: { beneficiary: string; perHour: number },
): Promise<void> {
  const limit = { bucket: `preview:${beneficiary}`, size: perHour, everySeconds: 3600 / perHour }
  return takeAttempts(pool, [limit], (seconds) => {
    return `This account may start ${perHour} previews an hour; try again in ${inWords(seconds)}.`
  })
}

/**
 * Takes what a visitor's trial costs that no earlier one answers. Where the transaction is not committed, for example
 * since the second limit refuses, nothing is taken of either limit.
 */
export function limitTrials(tx: Tx, { ip }: Visitor): Promise<void> {
  return takeAttempts(tx, [
    { bucket: `trial:${visitorNetwork(ip)}`, ...TRIALS },
    { bucket: `trial:wider:${widerNetwork(ip)}`, ...TRIALS_OF_WIDER },
  ])
}

/** Returns the limits of the networks around a visitor, the smallest first; `rules` has one for each width. */
function ofNetworks(what: string, ip: string, rules: readonly Rule[]): AttemptLimit[] {
  return wideningNetworks(ip).flatMap((network, at) => {
    const rule = rules[at]
    return rule === undefined ? [] : [{ bucket: `${what}:${network}`, ...rule }]
  })
}

/** Throws `rate_limited` for the first limit that has nothing left. */
async function takeAttempts(
  on: pg.Pool | Tx,
  limits: AttemptLimit[],
  messageFor = (seconds: number): string => `Too many attempts; try again in ${inWords(seconds)}.`,
): Promise<void> {
  for (const limit of limits) {
    const seconds = await takeAttempt(on, limit)
    if (seconds === 0) continue
    throw new Problem('rate_limited', {
      message: messageFor(seconds),
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

/** Returns a digest of the address, since buckets are named without it. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function inWords(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second')
  return `${Math.ceil(seconds / 60)} minutes`
}
