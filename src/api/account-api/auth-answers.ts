/**
 * Requests to better-auth and its answers: every field named and bounded on the way in, our own words on the way out,
 * and nothing that tells whether an address is known.
 */
import { createHash } from 'node:crypto'
import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Auth } from '../../features/accounts/auth.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { AUTH_BASE, cookieJar, VISITOR_HEADER } from '../../model/accounts/sign-in.ts'

// Requests to better-auth and its answers: fixed addresses in, our own words out.

/** Headers of a request that are handed on; we write the visitor's address ourselves. */
const HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
]

export type AskBetterAuth = (request: FastifyRequest, path: string) => Promise<Response>

/**
 * Asks better-auth at `path`, one of ours. The path of the request itself is not handed on, since better-auth would
 * read `..\` and the like in it its own way: of the address only the query is.
 */
export function askBetterAuth(auth: Auth, publicUrl: string): AskBetterAuth {
  const { origin } = new URL(publicUrl)
  return (request, path) => {
    const target = new URL(`${AUTH_BASE}${path}`, origin)
    target.search = queryOf(request.url)
    const init = request.method === 'POST' ? { body: JSON.stringify(request.body) } : {}
    const headers = headersOf(request)
    if (request.method === 'POST') headers.set('content-type', 'application/json')
    return auth.handler(new Request(target, { method: request.method, headers, ...init }))
  }
}

export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers({ [VISITOR_HEADER]: request.ip })
  for (const name of HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

/** Sets the cookies of an answer; throws its refusal in our words. */
export async function takeAnswer(response: Response, reply: FastifyReply): Promise<void> {
  reply.header('Cache-Control', 'no-store')
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
  if (response.ok) return
  const refusal = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
  throw refusalOf(response.status, refusal)
}

/** Sends what better-auth answered; its refusals in our words. */
export async function sendFetchResponse(response: Response, reply: FastifyReply): Promise<unknown> {
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null) {
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) reply.header('Set-Cookie', cookies)
    return reply
      .code(response.status)
      .headers({ 'Cache-Control': 'no-store', Location: location })
      .send()
  }
  await takeAnswer(response, reply)
  return reply.type('application/json; charset=utf-8').send(await response.text())
}

/** The sentences that visitors read; a code that is not here keeps better-auth's own. */
const SENTENCES: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD:
    'The email address or password is wrong. If you have just signed up, open the link in the email first.',
  INVALID_EMAIL: 'This is not an email address.',
  INVALID_PASSWORD: 'The password is wrong.',
  INVALID_TOKEN: 'This link is no longer valid; ask for a new one.',
  TOKEN_EXPIRED: 'This link has expired; ask for a new one.',
  USER_NOT_FOUND: 'This link is no longer valid; ask for a new one.',
  SESSION_NOT_FRESH: 'Sign out and in again first: this needs a sign-in within the last 24 hours.',
  PROVIDER_NOT_FOUND:
    'The sign-in provider is not responding; try again, or sign in with your password.',
  PASSKEY_NOT_FOUND: 'This passkey does not belong to any account here.',
  AUTHENTICATION_FAILED:
    'This passkey could not be verified; try again, or sign in with your password.',
  CHALLENGE_NOT_FOUND: 'That took too long; try again.',
  PREVIOUSLY_REGISTERED: 'This device already has a passkey for this account.',
}

function refusalOf(
  status: number,
  { code = '', message }: { code?: string; message?: string },
): Problem {
  const sentence = SENTENCES[code] ?? message ?? 'This did not work; try again.'
  if (status >= 500) return new Problem('internal_error')
  if (status === 401) return new Problem('unauthorized', { message: sentence })
  return new Problem('invalid_request', { status, message: sentence })
}

/** Returns the refusal of a link that opens nothing. */
export function voidLink(): Problem {
  return new Problem('invalid_request', { message: SENTENCES['INVALID_TOKEN'] ?? '' })
}

export function noAddress(): Problem {
  return new Problem('invalid_request', { message: SENTENCES['INVALID_EMAIL'] ?? '' })
}

export function weakPassword(sentence: string): Problem {
  return new Problem('invalid_request', { message: sentence })
}

// What the routes of sign-in take: every field named and bounded, no other one.

const Email = Type.String({ minLength: 1, maxLength: LIMITS.emailChars })
/** A password as far as it is read at all; sign-in.ts says in a sentence what is wrong with it. */
const Password = Type.String({ minLength: 1, maxLength: 1024 })
const Token = Type.String({ maxLength: 256, pattern: '^[\\w-]+$' })
const Path = Type.String({ maxLength: 2048 })
const Name = Type.String({ maxLength: LIMITS.keyNameLengthMax })
/** An authenticator's answer, which better-auth checks; the body's size bounds it. */
const Credential = Type.Object({}, { additionalProperties: true })
const closed = { additionalProperties: false }

export const signUpBody = Type.Object({ email: Email, password: Password }, closed)
export const verifyBody = Type.Object({ token: Token, password: Type.Optional(Password) }, closed)
export const signInBody = Type.Object({ email: Email, password: Password }, closed)
export const emailBody = Type.Object({ email: Email }, closed)
export const resetBody = Type.Object({ token: Token, newPassword: Password }, closed)
export const grantBody = Type.Object({ grant: Type.String({ maxLength: 512 }) }, closed)
export const changeBody = Type.Object(
  {
    currentPassword: Password,
    newPassword: Password,
    revokeOtherSessions: Type.Literal(true),
  },
  closed,
)
export const changeAddressBody = Type.Object(
  { email: Email, password: Type.Optional(Password) },
  closed,
)
export const linkBody = Type.Object({ token: Token }, closed)
export const socialBody = Type.Object(
  {
    provider: Type.Literal('oidc'),
    callbackURL: Type.Optional(Path),
    errorCallbackURL: Type.Optional(Path),
  },
  closed,
)
export const registrationBody = Type.Object(
  { name: Type.Optional(Name), response: Credential },
  closed,
)
export const authenticationBody = Type.Object({ response: Credential }, closed)
export const passkeyBody = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, closed)
export const passkeyNameBody = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64 }), name: Name },
  closed,
)

// Browsers that signed in to an address before: a signed cookie says so, for one address at a time.

/** How long a browser that signed in is known: wrong guesses from elsewhere do not keep it out. */
const KNOWN_DEVICE_SECONDS = 180 * 24 * 3600

export type KnownDevices = {
  /** Returns the cookie of a browser that is known for this address, else null. */
  find(request: FastifyRequest, email: string): string | null
  /** Makes this browser known for the address from now on. */
  keep(reply: FastifyReply, email: string): void
}

export function knownDevices(auth: Auth, publicUrl: string): KnownDevices {
  const jar = cookieJar(publicUrl, 'device')
  return {
    find(request, email) {
      const cookie = jar.read(request.headers.cookie)
      return cookie !== null && auth.devices.open(cookie) === nameOf(email) ? cookie : null
    },
    keep(reply, email) {
      reply.header(
        'Set-Cookie',
        jar.keep(auth.devices.close(nameOf(email), KNOWN_DEVICE_SECONDS), KNOWN_DEVICE_SECONDS),
      )
    },
  }
}

/** Returns the address as the cookie holds it: a hash, so that the next person at the browser cannot read it. */
function nameOf(email: string): string {
  return createHash('sha256').update(`device:${email}`).digest('base64url')
}

// Work that begins once a request is answered, so that the answer tells nothing of it, not even by its time.

/** Does `work` after the answer. A failure of it is logged, since the client has its answer by then. */
export type AfterAnswer = (reply: FastifyReply, work: () => Promise<void>) => void

export function afterAnswers(log: Logger): { afterAnswer: AfterAnswer; settled(): Promise<void> } {
  const open = new Set<Promise<void>>()
  return {
    afterAnswer(reply, work) {
      const { promise, resolve } = Promise.withResolvers<void>()
      open.add(promise)
      reply.raw.once('close', () => {
        work()
          .catch((error: unknown) =>
            log.error({ err: error }, 'work after a sign-in response failed'),
          )
          .finally(() => (open.delete(promise), resolve()))
      })
    },
    async settled() {
      await Promise.all(open)
    },
  }
}
