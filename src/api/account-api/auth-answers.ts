/** Requests to better-auth and its answers: fixed addresses in, our own words out. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../features/accounts/auth.ts'
import { AUTH_BASE, VISITOR_HEADER } from '../../model/accounts/sign-in.ts'
import { Problem } from '../../kit/problem.ts'

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
