/** Sign-in as the account API uses it; better-auth stands behind it (better-auth.ts). */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../store/database.ts'
import { ensureSignInSecret } from '../store/sign-in.ts'
import type { createAuth } from './better-auth.ts'
import { openMail } from './mail.ts'

export const AUTH_BASE = '/account/auth'
export const OIDC_PROVIDER = 'oidc'
/** The visitor's address as the server saw it; what a request says of itself is not believed. */
export const VISITOR_HEADER = 'x-visitor-address'

/** What sign-in is opened with, of the process's context. */
export type SignInParts = { config: Config; db: Db; pool: pg.Pool; log: Logger }

export type SignedIn = { userId: string; email: string }

export type Auth = {
  /** Answers a request under AUTH_BASE. */
  handler(request: Request): Promise<Response>
  /** Who the cookie belongs to, or null. */
  readSession(headers: Headers): Promise<SignedIn | null>
  /** Ends this session, or all of the user's; the answer clears the cookie. */
  signOut(headers: Headers, everywhere: boolean): Promise<Response>
  /** Whether links reach their readers by mail. */
  sendsMail: boolean
  oidcName: string | null
}

/** Opens sign-in. `publicUrl` is the only origin whose pages may use it. */
export async function openAuth(ctx: SignInParts, publicUrl: string): Promise<Auth> {
  const mail = await openMail(ctx.config, ctx.log)
  const secret = await ensureSignInSecret(ctx.db, randomBytes(48).toString('base64url'))
  const create = async (): Promise<ReturnType<typeof createAuth>> =>
    (await import('./better-auth.ts')).createAuth(ctx, { publicUrl, secret, mail })
  let made: ReturnType<typeof create> | null = null
  const opened = (): ReturnType<typeof create> => (made ??= create())
  const hasProvider = isProviderSet(ctx.config)
  return {
    async handler(request) {
      const again = request.clone()
      const response = await (await opened()).handler(request)
      if (!hasProvider || response.status !== 404 || !again.url.endsWith('/sign-in/social')) return response
      // better-auth asks a provider once, at its start, and goes without one that was away then.
      made = create()
      return (await made).handler(again)
    },
    async readSession(headers) {
      const found = await (await opened()).api.getSession({ headers })
      return found === null ? null : { userId: found.user.id, email: found.user.email }
    },
    async signOut(headers, everywhere) {
      const { api } = await opened()
      if (everywhere) await api.revokeSessions({ headers })
      return api.signOut({ headers, asResponse: true })
    },
    sendsMail: mail.isSent,
    oidcName: hasProvider ? ctx.config.OIDC_NAME : null,
  }
}

/** A provider is used when all three of its settings are there. */
export function isProviderSet({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Config): boolean {
  return OIDC_ISSUER !== null && OIDC_CLIENT_ID !== null && OIDC_CLIENT_SECRET !== null
}
