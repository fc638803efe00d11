/**
 * Requests to better-auth and its answers: every field named and bounded on the way in, our own words on the way out,
 * and nothing that tells whether an address is known.
 */
import { createHash } from 'node:crypto'
import { type TProperties, type TSchema, Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Auth } from '../../features/accounts/auth.ts'
import type { ApiContext } from '../api-context.ts'
import { closedObject } from '../contract.ts'
import { LIMITS } from '../../config/config.ts'
import { declaredQuery } from '../../kit/http/declared-fields.ts'
import { onceClosed } from '../../kit/once-closed.ts'
import { Problem } from '../../kit/problem.ts'
import {
  AUTH_BASE,
  cookieJar,
  readAddress,
  VISITOR_HEADER,
  whyRefused,
} from '../../model/accounts/sign-in.ts'
import { answering, REPLIES } from './replies.ts'
import { refused } from './visitor.ts'

/** The context with which the routes of the account API are opened. */
export type AccountContext = ApiContext & {
  auth: Auth
  askBetterAuth: AskBetterAuth
  devices: ReturnType<typeof knownDevices>
  afterAnswer: AfterAnswer
}

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

type AskBetterAuth = (request: FastifyRequest, path: string) => Promise<Response>

/**
 * Returns what asks better-auth at `path`, one of ours. The path of the request itself is not handed on, since
 * better-auth would read `..\` and the like in it its own way: of the address only the query's declared fields are.
 */
export function betterAuthAt(auth: Auth, publicUrl: string): AskBetterAuth {
  const { origin } = new URL(publicUrl)
  return (request, path) => {
    const target = new URL(`${AUTH_BASE}${path}`, origin)
    target.search = declaredQuery(request).toString()
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

function takeCookies(response: Response, reply: FastifyReply): void {
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
}

/** Sets the cookies of an answer; throws its refusal in our words. */
export async function takeAnswer(response: Response, reply: FastifyReply): Promise<void> {
  takeCookies(response, reply)
  if (response.ok) return
  const refusal = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
  throw problemOf(response.status, refusal)
}

/** Sends what better-auth answered; its refusals in our words. */
export async function sendFetchResponse(response: Response, reply: FastifyReply): Promise<unknown> {
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null) {
    takeCookies(response, reply)
    return reply.code(response.status).header('Location', location).send()
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

function problemOf(
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
  return refused(SENTENCES['INVALID_TOKEN'] ?? '')
}

/** Returns the address as it is compared and stored; throws where it is none. */
export function requireAddress(text: string): string {
  const email = readAddress(text)
  if (email === null) throw refused(SENTENCES['INVALID_EMAIL'] ?? '')
  return email
}

/** Throws the sentence that says why a new password of this address is too weak. */
export function requireStrong(password: string, email: string): void {
  const sentence = whyRefused(password, email)
  if (sentence !== null) throw refused(sentence)
}

// What the routes of sign-in take, every field named and bounded, no other one; and what they answer.

const Email = Type.String({ minLength: 1, maxLength: LIMITS.emailChars })
/** A password as far as it is read at all; sign-in.ts says in a sentence what is wrong with it. */
const Password = Type.String({ minLength: 1, maxLength: 1024 })
const Token = Type.String({ maxLength: 256, pattern: '^[\\w-]+$', examples: ['Zk3v_9Q-x'] })
const Path = Type.String({ maxLength: 2048 })
const Name = Type.String({ maxLength: LIMITS.keyNameLengthMax })
/** An authenticator's answer, which better-auth checks; the body's size bounds it. */
const Credential = Type.Object({}, { additionalProperties: true })

function taking<Fields extends TProperties, Answer extends TSchema>(
  answer: Answer,
  fields: Fields,
) {
  return { ...answering(answer), body: closedObject(fields) }
}

export const signInSchema = taking(REPLIES.Done, { email: Email, password: Password })
export const firstRunSchema = taking(REPLIES.Done, {
  code: Token,
  email: Email,
  password: Password,
})
export const verifySchema = taking(REPLIES.Verified, {
  token: Token,
  password: Type.Optional(Password),
})
export const emailSchema = taking(REPLIES.Done, { email: Email })
export const resetSchema = taking(REPLIES.AfterReset, { token: Token, newPassword: Password })
export const grantSchema = taking(REPLIES.Access, { grant: Type.String({ maxLength: 512 }) })
export const renewalSchema = taking(REPLIES.Done, {
  currentPassword: Password,
  newPassword: Password,
  revokeOtherSessions: Type.Literal(true),
})
export const changeAddressSchema = taking(REPLIES.Done, {
  email: Email,
  password: Type.Optional(Password),
})
export const confirmSchema = taking(REPLIES.Done, { token: Token })
export const keepSchema = taking(REPLIES.AddressKept, { token: Token })
export const authenticationSchema = taking(REPLIES.Done, { response: Credential })
export const socialBody = closedObject({
  provider: Type.Literal('oidc'),
  callbackURL: Type.Optional(Path),
  errorCallbackURL: Type.Optional(Path),
})
export const registrationBody = closedObject({ name: Type.Optional(Name), response: Credential })
export const passkeyBody = closedObject({ id: Type.String({ minLength: 1, maxLength: 64 }) })
export const passkeyNameBody = closedObject({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  name: Name,
})

// Browsers that signed in to an address before: a signed cookie says so, for one address at a time.

/** How long a browser that signed in is known: wrong guesses from elsewhere do not keep it out. */
const KNOWN_DEVICE_SECONDS = 180 * 24 * 3600

export function knownDevices(auth: Auth, publicUrl: string) {
  const jar = cookieJar(publicUrl, 'device')
  return {
    /** Returns the cookie of a browser that is known for this address, else null. */
    find(request: FastifyRequest, email: string): string | null {
      const cookie = jar.read(request.headers.cookie)
      return cookie !== null && auth.devices.open(cookie) === addressHash(email) ? cookie : null
    },
    /** Makes this browser known for the address from now on. */
    keep(reply: FastifyReply, email: string): void {
      reply.header(
        'Set-Cookie',
        jar.keep(
          auth.devices.close(addressHash(email), KNOWN_DEVICE_SECONDS),
          KNOWN_DEVICE_SECONDS,
        ),
      )
    },
  }
}

/** Returns the address as the cookie holds it: a hash, so that the next person at the browser cannot read it. */
function addressHash(email: string): string {
  return createHash('sha256').update(`device:${email}`).digest('base64url')
}

// Work that begins once a request is answered, so that the answer tells nothing of it, not even by its time.

/** Does `work` after the answer. A failure of it is logged, since the client has its answer by then. */
type AfterAnswer = (reply: FastifyReply, work: () => Promise<void>) => void

export function afterAnswers(log: Logger): { afterAnswer: AfterAnswer; settled(): Promise<void> } {
  const open = new Set<Promise<void>>()
  return {
    afterAnswer(reply, work) {
      const answered = new Promise<void>((resolve) => onceClosed(reply.raw, resolve))
      const done: Promise<void> = answered
        .then(work)
        .catch((error: unknown) =>
          log.error({ err: error }, 'work after a sign-in response failed'),
        )
        .finally(() => open.delete(done))
      open.add(done)
    },
    async settled() {
      await Promise.all(open)
    },
  }
}
