/** Sign-in as the account API uses it; better-auth stands behind it (better-auth.ts). */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { ConfigError } from '../../kit/settings.ts'
import { revokeSessionBearers } from '../../store/accounts.ts'
import { ensureSignInSecret } from '../../store/sign-in.ts'
import type { BetterAuth, SignInDeps } from './better-auth.ts'
import { openEmails } from './mail.ts'
import { openPasswordPool } from './password-pool.ts'
import { createSeal } from '../../model/accounts/tokens.ts'
import { AUTH_BASE } from '../../model/accounts/sign-in.ts'

/** Sign-in, opened. */
export type Auth = Awaited<ReturnType<typeof openAuth>>

/**
 * Loads better-auth and everything else that sign-in needs, once: half a second of work, to be begun while something
 * else is waited for, and to be over before the first visit.
 */
export function loadSignIn(): Promise<typeof import('./better-auth.ts')> {
  return import('./better-auth.ts')
}

/** Opens sign-in. `publicUrl` is the only origin whose pages may use it. */
export async function openAuth(ctx: SignInDeps, publicUrl: string) {
  const secret = await ensureSignInSecret(ctx.db, randomBytes(48).toString('base64url'))
  const { passwordCost: cost, deadlines } = ctx.config
  const passwords = openPasswordPool({ cost, deadlines })
  const emails = openEmails(ctx.outbox, publicUrl)
  const { createAuth } = await loadSignIn()
  const create = (): BetterAuth => createAuth(ctx, { publicUrl, secret, emails, passwords })
  let auth = create()
  const hasProvider = isProviderSet(ctx.config)
  const deadline = sleep(deadlines.signInWarmUpMs, undefined, { ref: false })
  await Promise.race([warmUp(auth, publicUrl), deadline])
  return {
    /** Answers a request under AUTH_BASE. */
    async handler(request: Request): Promise<Response> {
      const again = request.clone()
      const response = await auth.handler(request)
      if (!hasProvider || response.status !== 404 || !again.url.endsWith('/sign-in/social'))
        return response
      // better-auth asks a provider once, at its start, and goes without one that was away then.
      auth = create()
      return auth.handler(again)
    },
    /** Returns the session of the cookie, or null; `signedInAt` is when it began. */
    async readSession(headers: Headers) {
      const found = await auth.api.getSession({ headers })
      if (found === null) return null
      const { user, session } = found
      const { id: sessionId, createdAt: signedInAt } = session
      return { userId: user.id, email: user.email, sessionId, signedInAt }
    },
    /** Signs in a user who proved who they are; the answer sets the cookie. */
    signIn: (headers: Headers, userId: string): Promise<Response> =>
      auth.api.signInUser({ headers, body: { userId }, asResponse: true }),
    /** Ends the bearers of all the account's sessions at once: browsers that stay signed in get another. */
    endBearers: (accountId: string) => revokeSessionBearers(ctx.db, accountId),
    /** Ends this session, or all of the user's, and every bearer of the account; the answer clears the cookie. */
    async signOut(
      headers: Headers,
      { accountId, everywhere }: { accountId: string; everywhere: boolean },
    ): Promise<Response> {
      await revokeSessionBearers(ctx.db, accountId)
      if (everywhere) await auth.api.revokeSessions({ headers })
      return auth.api.signOut({ headers, asResponse: true })
    },
    /** Mails a link to choose a new password where the address is known. */
    async sendReset(email: string): Promise<void> {
      await auth.api.requestPasswordReset({ body: { email } })
    },
    /** Returns the user whose password a reset link changes, or null where it is void. */
    async readReset(token: string) {
      const { internalAdapter } = await auth.$context
      const link = await internalAdapter.findVerificationValue(`reset-password:${token}`)
      const user =
        link === null || link.expiresAt < ctx.now()
          ? null
          : await internalAdapter.findUserById(link.value)
      return user === null ? null : { userId: user.id, email: user.email }
    },
    passwords,
    emails,
    /** Seals the cookie by which a device of an address is known. */
    devices: createSeal({ secret, purpose: 'device' }, ctx.now),
    /** Seals the right to revoke an account's keys and passkeys after a reset. */
    grants: createSeal({ secret, purpose: 'revoke' }, ctx.now),
    /** True where links reach their readers by mail. */
    sendsMail: ctx.config.SMTP_URL !== null,
    oidcName: hasProvider ? ctx.config.OIDC_NAME : null,
    close: () => passwords.close(),
  }
}

/**
 * Warms up better-auth: what it makes at its first use takes too long for a visitor's turn of the event loop. It is
 * used once before the first visit, by questions that never reach the database.
 */
async function warmUp(auth: BetterAuth, publicUrl: string): Promise<void> {
  await auth.api.getSession({ headers: new Headers({ cookie: 'none=none' }) })
  const body = JSON.stringify({ email: 'none', password: 'none' })
  const headers = { 'content-type': 'application/json', origin: new URL(publicUrl).origin }
  const url = new URL(`${AUTH_BASE}/sign-in/email`, publicUrl)
  await auth.handler(new Request(url, { method: 'POST', headers, body }))
}

/** Returns whether a provider is set. Throws one sentence where only some of its three settings are there. */
export function isProviderSet(settings: Config): boolean {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = settings
  const parts = Object.entries({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET })
  const missing = parts.filter(([, value]) => value === null).map(([name]) => name)
  if (missing.length === 0 || missing.length === parts.length) return missing.length === 0
  throw new ConfigError(
    `${missing.join(' and ')} must be set with the other settings of the provider (OIDC_…); unset all of them for sign-in without one`,
  )
}
