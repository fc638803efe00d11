/** Who visits: the session cookie's account, and whether a request came from a page of ours. */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { openAccount } from '../accounts/open-account.ts'
import type { Auth } from '../accounts/auth.ts'
import { parseUsd } from '../billing/money.ts'
import type { ApiContext } from '../api/app.ts'
import { Problem } from '../problem.ts'
import { transact } from '../store/database.ts'
import { findAccountOfUser, isUserSuspended } from '../store/sign-in.ts'

export type Visitor = { userId: string; accountId: string; email: string }

const visitors = new WeakMap<FastifyRequest, Visitor>()

/** The visitor of a request that `requireSession` let through. */
export function visitorOf(request: FastifyRequest): Visitor {
  const visitor = visitors.get(request)
  if (visitor === undefined) throw new Error(`${request.method} ${request.url} has no visitor`)
  return visitor
}

/** Who the cookie belongs to, with his account opened at the first visit; null where nobody. */
export async function readVisitor(ctx: ApiContext, auth: Auth, request: FastifyRequest): Promise<Visitor | null> {
  const { cookie } = request.headers
  if (cookie === undefined) return null
  const signedIn = await auth.readSession(new Headers({ cookie }))
  if (signedIn === null) return null

  const { userId, email } = signedIn
  if (await isUserSuspended(ctx.db, userId)) return null // signed in while the account was being suspended
  const welcomeMicros = parseUsd(ctx.config.WELCOME_CREDIT_USD) ?? 0n
  const accountId = (await findAccountOfUser(ctx.db, userId))
    ?? (await transact(ctx.db, (tx) => openAccount(tx, { userId, welcomeMicros })))
  return accountId === null ? null : { userId, accountId, email }
}

/** Lets signed-in visitors through; others are told to sign in. */
export function requireSession(ctx: ApiContext, auth: Auth): onRequestAsyncHookHandler {
  return async (request) => {
    const visitor = await readVisitor(ctx, auth, request)
    if (visitor === null) throw new Problem('unauthorized', { message: 'Sign in first.' })
    visitors.set(request, visitor)
  }
}

/**
 * Refuses what another site's page sends with our visitor's cookie: whatever changes something must
 * name our origin, as every browser does by itself.
 */
export function requireOwnPage(publicUrl: string): onRequestAsyncHookHandler {
  const { origin } = new URL(publicUrl)
  return async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    if (request.headers.origin === origin) return
    throw new Problem('invalid_request', {
      status: 403,
      message: `This request did not come from a page of this site; open ${publicUrl}.`,
    })
  }
}
