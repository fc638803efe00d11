/**
 * better-auth with our tables, our mails and our rules. Loading it takes half a second, so auth.ts does
 * that when somebody first visits, not when the service starts.
 */
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import { LIMITS } from '../config.ts'
import { findAccount } from '../store/accounts.ts'
import { findAccountOfUser, isUserSuspended, revokeSessionBearers } from '../store/sign-in.ts'
import { METHOD_TABLE, PASSKEY_TABLE, SESSION_TABLE, USER_TABLE, VERIFICATION_TABLE } from './auth-tables.ts'
import { AUTH_BASE, OIDC_PROVIDER, type SignInParts, VISITOR_HEADER } from './auth.ts'
import type { Letter, Mail } from './mail.ts'

const SUSPENDED = 'This account is suspended; ask the operator of this service.'
const PASSWORD_LENGTH = { min: 10, max: 128 }

export type Parts = { publicUrl: string; secret: string; mail: Mail }

/** A new instance; it keeps nothing but what it read of a provider. */
export function createAuth(ctx: SignInParts, { publicUrl, secret, mail }: Parts) {
  const { db, pool } = ctx
  const send = sender(mail, publicUrl)
  const auth = betterAuth({
    appName: 'Scriptorium',
    baseURL: publicUrl,
    basePath: AUTH_BASE,
    secret,
    database: pool,
    trustedOrigins: [publicUrl],
    telemetry: { enabled: false },
    // Attempts are limited by our own buckets, which all processes share (account-api/attempts.ts).
    rateLimit: { enabled: false },
    logger: { log: (level, message) => void ctx.log[level === 'error' ? 'warn' : 'debug']({ from: 'sign-in' }, message) },
    advanced: {
      cookiePrefix: 'scriptorium',
      ipAddress: { ipAddressHeaders: [VISITOR_HEADER] },
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    user: USER_TABLE,
    session: {
      ...SESSION_TABLE,
      expiresIn: LIMITS.sessionSeconds,
      updateAge: LIMITS.sessionRenewalSeconds,
    },
    account: { ...METHOD_TABLE, encryptOAuthTokens: true },
    verification: { ...VERIFICATION_TABLE, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: LIMITS.mailedLinkSeconds,
      sendResetPassword: async ({ user, token }) => send.reset(user.email, token),
      async onPasswordReset({ user }) {
        const accountId = await findAccountOfUser(db, user.id)
        if (accountId !== null) await revokeSessionBearers(db, accountId)
      },
      async onExistingUserSignUp({ user }) {
        // Nobody is told on the page that an address is known; its owner is told by mail.
        if (user.emailVerified) await send.known(user.email)
        else await auth.api.sendVerificationEmail({ body: { email: user.email } })
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: LIMITS.mailedLinkSeconds,
      sendVerificationEmail: async ({ user, token }) => send.verify(user.email, token),
    },
    databaseHooks: {
      user: { create: { before: async (user) => refuseWhereClosed(ctx, user.email) } },
      session: { create: { before: async ({ userId }) => refuseWhereSuspended(ctx, userId) } },
    },
    plugins: [
      passkey({
        rpID: new URL(publicUrl).hostname,
        rpName: 'Scriptorium',
        origin: new URL(publicUrl).origin,
        schema: { passkey: PASSKEY_TABLE },
      }),
      genericOAuth({ config: oidcOf(ctx) ?? [] }),
    ],
  })
  return auth
}

/** With sign-up closed only addresses that an operator gave an account may be used. */
async function refuseWhereClosed({ config, db }: SignInParts, email: string): Promise<void> {
  if (config.SIGN_UP === 'open' || (await findAccount(db, email)) !== null) return
  throw new APIError('FORBIDDEN', { message: 'Signing up is closed here.' })
}

/** Whichever way somebody signs in, it ends in a new session. */
async function refuseWhereSuspended({ db }: SignInParts, userId: string): Promise<void> {
  if (!(await isUserSuspended(db, userId))) return
  throw new APIError('FORBIDDEN', { code: 'account_suspended', message: SUSPENDED })
}

function oidcOf({ config }: SignInParts) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config
  if (OIDC_ISSUER === null || OIDC_CLIENT_ID === null || OIDC_CLIENT_SECRET === null) return null
  return [{
    providerId: OIDC_PROVIDER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    discoveryUrl: `${OIDC_ISSUER}/.well-known/openid-configuration`,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    requireIdTokenVerification: true,
  }]
}

/** The mails; links lead to pages of the website, which call sign-in by themselves. */
function sender(mail: Mail, publicUrl: string) {
  const link = (page: string, token: string): string => `${publicUrl}/${page}?token=${encodeURIComponent(token)}`
  const write = (letter: Letter): Promise<void> => mail.send(letter)
  return {
    verify: (to: string, token: string) => write({
      to,
      subject: 'Confirm your address for Scriptorium',
      lines: ['Open this link within an hour to confirm your address:'],
      link: link('verify', token),
    }),
    reset: (to: string, token: string) => write({
      to,
      subject: 'Choose a new password for Scriptorium',
      lines: ['Open this link within an hour to choose a new password. If you did not ask for it, do nothing:'],
      link: link('reset', token),
    }),
    known: (to: string) => write({
      to,
      subject: 'You have an account at Scriptorium already',
      lines: ['Somebody, probably you, tried to sign up with this address. You can sign in here:'],
      link: `${publicUrl}/sign-in`,
    }),
  }
}
