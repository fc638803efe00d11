/** /account/auth/…: the parts of better-auth that the website uses; everything else is not there. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { AUTH_BASE, type Auth, VISITOR_HEADER } from '../accounts/auth.ts'
import type { ApiContext } from '../api/app.ts'
import { Problem } from '../problem.ts'
import { revokeSessionBearers } from '../store/sign-in.ts'
import { limitAttempts } from './attempts.ts'
import { readVisitor } from './visitor.ts'

const POSTS = [
  '/sign-up/email',
  '/sign-in/email',
  '/sign-in/social',
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
]
const GETS = [
  '/verify-email',
  '/callback/:id',
  '/passkey/generate-register-options',
  '/passkey/generate-authenticate-options',
]
/** What is handed on of a request's headers; the visitor's address is written by us. */
const HEADERS = [
  'cookie', 'origin', 'referer', 'content-type', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest',
]

export function authRoutes(ctx: ApiContext, auth: Auth): FastifyPluginAsync {
  const { pool, publicUrl } = ctx
  const { origin } = new URL(publicUrl)
  return async (app) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
      sendFetchResponse(await auth.handler(asFetchRequest(request, origin)), reply)

    /** A new password ends the other sessions, so their bearers end too; this one gets another. */
    const changePassword = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const visitor = await readVisitor(ctx, auth, request)
      const response = await auth.handler(asFetchRequest(request, origin))
      if (response.ok && visitor !== null) await revokeSessionBearers(ctx.db, visitor.accountId)
      return sendFetchResponse(response, reply)
    }
    const schema = { hide: true }
    for (const path of GETS) {
      app.get(`${AUTH_BASE}${path}`, { schema, exposeHeadRoute: false }, async (request, reply) => {
        if (path === '/verify-email') await limitAttempts(pool, { path, visitor: request.ip, email: null })
        return answer(request, reply)
      })
    }
    for (const path of POSTS) {
      app.post(`${AUTH_BASE}${path}`, { schema: { ...schema, body: {} } }, async (request, reply) => {
        await limitAttempts(pool, { path, visitor: request.ip, email: emailIn(request.body) })
        if (path === '/change-password') return changePassword(request, reply)
        return answer(request, reply)
      })
    }
  }
}

function emailIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('email' in body)) return null
  return typeof body.email === 'string' ? body.email : null
}

function asFetchRequest(request: FastifyRequest, origin: string): Request {
  const headers = new Headers({ [VISITOR_HEADER]: request.ip })
  for (const name of HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const body = request.method === 'POST' ? { body: JSON.stringify(request.body) } : {}
  return new Request(`${origin}${request.url}`, { method: request.method, headers, ...body })
}

/** Sends what better-auth answered; its refusals in our words. */
export async function sendFetchResponse(response: Response, reply: FastifyReply): Promise<unknown> {
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
  reply.header('Cache-Control', 'no-store')
  const location = response.headers.get('location')
  const isRedirect = response.status >= 300 && response.status < 400
  if (isRedirect && location !== null) return reply.code(response.status).header('Location', location).send()
  if (response.ok) return reply.type('application/json; charset=utf-8').send(await response.text())
  const refusal = await response.json().catch(() => ({})) as { code?: string; message?: string }
  throw refusalOf(response.status, refusal)
}

/** What visitors read; a code that is not here is told as better-auth tells it. */
const SENTENCES: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The address or the password is not right.',
  EMAIL_NOT_VERIFIED: 'Confirm your address first: a new link is on its way to you.',
  PASSWORD_TOO_SHORT: 'Choose a password of at least 10 characters.',
  PASSWORD_TOO_LONG: 'Choose a password of at most 128 characters.',
  INVALID_EMAIL: 'This is no e-mail address.',
  INVALID_PASSWORD: 'The password is not right.',
  INVALID_TOKEN: 'This link is not valid any more; ask for a new one.',
  TOKEN_EXPIRED: 'This link has expired; ask for a new one.',
  USER_NOT_FOUND: 'This link is not valid any more; ask for a new one.',
  SESSION_NOT_FRESH: 'Sign out and in again first: this needs a sign-in of the last 24 hours.',
  PROVIDER_NOT_FOUND: 'That provider does not answer at the moment; try again, or sign in by password.',
  PASSKEY_NOT_FOUND: 'This passkey is not known here.',
  AUTHENTICATION_FAILED: 'This passkey could not be checked; try again or sign in by password.',
  CHALLENGE_NOT_FOUND: 'That took too long; try again.',
  PREVIOUSLY_REGISTERED: 'This device has a passkey here already.',
}

function refusalOf(status: number, { code = '', message }: { code?: string; message?: string }): Problem {
  const sentence = SENTENCES[code] ?? message ?? 'This could not be done.'
  if (status >= 500) return new Problem('internal_error')
  if (code === 'EMAIL_NOT_VERIFIED') return new Problem('unauthorized', { status: 403, message: sentence })
  if (status === 401) return new Problem('unauthorized', { message: sentence })
  return new Problem('invalid_request', { status, message: sentence })
}
