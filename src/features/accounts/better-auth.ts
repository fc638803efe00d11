/**
 * better-auth with our tables, our mails and our rules: sessions, passwords, passkeys and the provider. Signing up and
 * proving an address are our own (sign-up.ts).
 */
import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { passkey } from '@better-auth/passkey'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getSessionFromCtx,
  isAPIError,
} from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { Kysely, PostgresDialect } from 'kysely'
import * as z from 'zod'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Config, LIMITS } from '../../config/config.ts'
import type { Db } from '../../store/database.ts'
import { revokeSessionBearers } from '../../store/accounts.ts'
import { countPasskeys, findAccountOfUser, isUserSuspended } from '../../store/sign-in.ts'
import { deleteSignUps } from '../../store/address-changes.ts'
import { deleteAllButLatest } from '../../store/erasure.ts'
import {
  AUTH_BASE,
  cookiePrefix,
  isSecure,
  METHOD_TABLE,
  OIDC_PROVIDER,
  PASSKEY_TABLE,
  SESSION_TABLE,
  USER_TABLE,
  VERIFICATION_TABLE,
  VISITOR_HEADER,
} from '../../model/accounts/sign-in.ts'
import { hashSessionTokens } from './hashed-sessions.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Emails } from './mail.ts'
import type { PasswordPool } from './password-pool.ts'
import { mayHaveUser } from './sign-up.ts'

const SESSION_SECONDS = 30 * 24 * 3600
/** How often a session in use is renewed; its last use is shown with this precision. */
const SESSION_RENEWAL_SECONDS = 600

/** The parts of the process's context with which sign-in is opened. */
export type SignInDeps = {
  config: Config
  db: Db
  pool: pg.Pool
  outbox: Outbox
  log: Logger
  now: () => Date
}
type AuthParts = { publicUrl: string; secret: string; emails: Emails; passwords: PasswordPool }
export type BetterAuth = ReturnType<typeof createAuth>

/** Returns a new instance; it keeps nothing but what it read of a provider. */
export function createAuth(ctx: SignInDeps, { publicUrl, secret, emails, passwords }: AuthParts) {
  const { db, pool } = ctx
  const database = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return betterAuth({
    appName: 'Scriptorium',
    baseURL: publicUrl,
    basePath: AUTH_BASE,
    secret,
    database: (options: BetterAuthOptions) =>
      hashSessionTokens(kyselyAdapter(database, { type: 'postgres' })(options)),
    trustedOrigins: [publicUrl],
    telemetry: { enabled: false },
    // Attempts are limited by our own buckets, which all processes share (attempt-limits.ts).
    rateLimit: { enabled: false },
    logger: {
      log: (level, message) =>
        void ctx.log[level === 'error' ? 'warn' : 'debug']({ from: 'sign-in' }, message),
    },
    advanced: {
      ...cookiesOf(publicUrl),
      ipAddress: { ipAddressHeaders: [VISITOR_HEADER] },
    },
    // Errors that are no refusals are the caller's to answer: a database that is away, a pool that is full.
    onAPIError: {
      onError(error) {
        if (!isAPIError(error)) throw error
      },
    },
    user: USER_TABLE,
    session: {
      ...SESSION_TABLE,
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_RENEWAL_SECONDS,
    },
    account: { ...METHOD_TABLE, encryptOAuthTokens: true },
    // Expired rows are swept in batches (access.ts), not during a visitor's request.
    verification: { ...VERIFICATION_TABLE, storeIdentifier: 'hashed', disableCleanup: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: LIMITS.passwordChars.min,
      maxPasswordLength: LIMITS.passwordChars.max,
      password: passwords,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: LIMITS.mailedLinkSeconds,
      sendResetPassword: async ({ user, token }) => emails.reset(user.email, token),
      async onPasswordReset({ user }) {
        const accountId = await findAccountOfUser(db, user.id)
        if (accountId !== null) await revokeSessionBearers(db, accountId)
      },
    },
    databaseHooks: hooksOf(ctx),
    hooks: { before: createAuthMiddleware((call) => refuseManyPasskeys(ctx, call)) },
    plugins: [
      passkey({
        rpID: new URL(publicUrl).hostname,
        rpName: 'Scriptorium',
        origin: new URL(publicUrl).origin,
        schema: { passkey: PASSKEY_TABLE },
      }),
      genericOAuth({ config: oidcOf(ctx) ?? [] }),
      ownEndpoints,
    ],
  })
}

function cookiesOf(publicUrl: string) {
  return {
    cookiePrefix: cookiePrefix(publicUrl),
    useSecureCookies: false, // would put `__Secure-` before our prefix, which is the stricter one
    defaultCookieAttributes: {
      sameSite: 'lax',
      httpOnly: true,
      secure: isSecure(publicUrl),
      path: '/',
    },
  } as const satisfies BetterAuthOptions['advanced']
}

/** Returns the hooks that decide who becomes a user, and who gets a session. */
function hooksOf(ctx: SignInDeps): NonNullable<BetterAuthOptions['databaseHooks']> {
  return {
    user: {
      create: {
        before: async ({ email, emailVerified }) =>
          refuseUnproven(ctx, { email, isProven: emailVerified }),
        after: async ({ email }) => void (await deleteSignUps(ctx.db, email)),
      },
    },
    session: {
      create: {
        before: async ({ userId }) => refuseWhereSuspended(ctx, userId),
        after: async ({ userId: ownerId }) => {
          const keptMax = LIMITS.sessionsMax
          await deleteAllButLatest(ctx.db, 'sign_in_session', { ownerId, keptMax })
        },
      },
    },
  }
}

/** Calls that we make of better-auth from inside; no address leads to them. */
const ownEndpoints = {
  id: 'own-endpoints',
  endpoints: {
    signInUser: createAuthEndpoint.serverOnly(
      { method: 'POST', requireHeaders: true, body: z.object({ userId: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context
        const user = await internalAdapter.findUserById(ctx.body.userId)
        if (user === null) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_FOUND' })
        await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user })
        return ctx.json({ status: true })
      },
    ),
  },
} satisfies BetterAuthPlugin

function refusal(code: string, message: string): APIError {
  return new APIError('FORBIDDEN', { code, message })
}

/** Refuses a user that a provider made without a proven address, or where sign-up is not open to them. */
async function refuseUnproven(
  { config, db }: SignInDeps,
  { email, isProven }: { email: string; isProven: boolean },
): Promise<void> {
  if (!isProven) {
    throw refusal('address_not_proven', 'The provider has not confirmed the email address.')
  }
  if (!(await mayHaveUser(db, config, email))) {
    throw refusal('sign_up_closed', 'Sign-up is closed on this server.')
  }
}

type Call = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Refuses a further passkey of a user who has as many as may be. */
async function refuseManyPasskeys({ db }: SignInDeps, call: Call): Promise<void> {
  if (call.path !== '/passkey/verify-registration') return
  const session = await getSessionFromCtx(call)
  if (session === null || (await countPasskeys(db, session.user.id)) < LIMITS.passkeysMax) return
  throw refusal(
    'too_many_passkeys',
    `A user can have at most ${LIMITS.passkeysMax} passkeys; remove one that is no longer used.`,
  )
}

/** Refuses a new session of a suspended user, since every way to sign in ends in one. */
async function refuseWhereSuspended({ db }: SignInDeps, userId: string): Promise<void> {
  if (!(await isUserSuspended(db, userId))) return
  throw refusal('account_suspended', 'This account is suspended; ask the operator of this service.')
}

function oidcOf({ config }: SignInDeps) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config
  if (OIDC_ISSUER === null || OIDC_CLIENT_ID === null || OIDC_CLIENT_SECRET === null) return null
  return [
    {
      providerId: OIDC_PROVIDER,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      discoveryUrl: `${OIDC_ISSUER}/.well-known/openid-configuration`,
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
      requireIdTokenVerification: true,
    },
  ]
}
