/** The visitor of a request: the session cookie's account, and whether the request came from a page of ours. */
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { meterSite } from '../../features/accounts/keys.ts'
import { limitStranger } from '../../features/accounts/attempt-limits.ts'
import { accountOfUser } from '../../features/accounts/account.ts'
import type { Auth } from '../../features/accounts/auth.ts'
import { parseUsd } from '../../model/money/money.ts'
import type { ApiContext } from '../api-context.ts'
import { rateLimited } from '../auth.ts'
import { LIMITS } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'

export type Visitor = {
  userId: string
  accountId: string
  email: string
  sessionId: string
  signedInAt: Date
}

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyRequest {
    /** Set by `meterVisitors`; null for a visitor who is not signed in. */
    visitor: Visitor | null
  }
}

/** Returns the visitor of a request that `requireSession` let through. */
export function visitorOf(request: FastifyRequest): Visitor {
  if (request.visitor === null) throw new Error(`${request.method} ${request.url} has no visitor`)
  return request.visitor
}

type VisitorContext = ApiContext & { auth: Auth }

/** Returns the visitor of the cookie, whose account is opened at the first visit; null where nobody is signed in. */
async function readVisitor(
  ctx: VisitorContext,
  { headers: { cookie } }: FastifyRequest,
): Promise<Visitor | null> {
  if (cookie === undefined) return null
  const signedIn = await ctx.auth.readSession(new Headers({ cookie }))
  if (signedIn === null) return null

  const { userId } = signedIn
  const welcomeMicros = parseUsd(ctx.config.WELCOME_CREDIT_USD) ?? 0n
  const accountId = await accountOfUser(ctx.db, { userId, welcomeMicros })
  return accountId === null ? null : { ...signedIn, accountId }
}

/**
 * Meters every request of the pages: one of a signed-in visitor by their account, any other by the network from which
 * it comes.
 */
export function meterVisitors(ctx: VisitorContext): onRequestAsyncHookHandler {
  return async (request) => {
    const visitor = await readVisitor(ctx, request)
    if (visitor === null) return limitStranger(ctx.pool, request)
    request.visitor = visitor
    const metered = await meterSite(ctx.pool, visitor.accountId)
    if (!metered.isAdmitted) throw rateLimited(metered)
  }
}

/** Lets signed-in visitors through and answers others that they have to sign in. Comes after `meterVisitors`. */
export function requireSession(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Problem) => void,
): void {
  const isStranger = request.visitor === null
  done(isStranger ? new Problem('unauthorized', { message: 'Sign in first.' }) : undefined)
}

/**
 * Refuses what another site's page sends with our visitor's cookie: a request that changes something must name our
 * origin, as every browser does by itself.
 */
export function requireOwnPage(publicUrl: string): onRequestAsyncHookHandler {
  const { origin } = new URL(publicUrl)
  return async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    if (request.headers.origin === origin) return
    const message = `This request did not come from a page of this website; open ${publicUrl}.`
    throw refused(message, { status: 403 })
  }
}

/** How long after signing in a visitor may change what opens the account, or end it. */
export const FRESH_MINUTES = LIMITS.freshSignInSeconds / 60

/** Throws `message` where the visitor signed in longer ago: a browser that was left open is not enough. */
export function requireFreshSignIn(
  { now }: ApiContext,
  { signedInAt }: Visitor,
  message: string,
): void {
  if (now().getTime() - signedInAt.getTime() > LIMITS.freshSignInSeconds * 1_000)
    throw refused(message, { status: 403 })
}

export function refused(
  message: string,
  details: { field?: string; status?: number } = {},
): Problem {
  return new Problem('invalid_request', { message, ...details })
}
