/** Names of sign-in: paths, cookies and tables. */

// Names that the parts of sign-in share.

export const AUTH_BASE = '/account/auth'
export const OIDC_PROVIDER = 'oidc'
/** The header with the visitor's address as the server saw it; what a request itself puts there is not believed. */
export const VISITOR_HEADER = 'x-visitor-address'

// The cookies of sign-in beside the session's: which browser signed up, and which devices are known.

/**
 * Returns the prefix of cookie names. Behind HTTPS a browser takes `__Host-` cookies from this host alone, so that a
 * neighbouring host cannot plant one.
 */
export function cookiePrefix(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-scriptorium' : 'scriptorium'
}

export function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:'
}

export type CookieJar = {
  /** Returns the value in a request's Cookie header, or null. */
  read(header: string | undefined): string | null
  /** Returns the Set-Cookie header that keeps `value`, out of reach of scripts. */
  keep(value: string, seconds: number): string
}

export function cookieJar(publicUrl: string, name: 'sign_up' | 'device'): CookieJar {
  const full = `${cookiePrefix(publicUrl)}.${name}`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return {
    read(header = '') {
      const found = header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${full}=`))
      return found === undefined ? null : found.slice(full.length + 1)
    },
    keep: (value, seconds) =>
      `${full}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  }
}

// The names of better-auth's tables and columns in our database (0008-sign-in.sql).

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' }

export const USER_TABLE = {
  modelName: 'sign_in_user',
  fields: { emailVerified: 'email_verified', ...TIMES },
}

export const SESSION_TABLE = {
  modelName: 'sign_in_session',
  fields: {
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    userId: 'user_id',
    ...TIMES,
  },
}

/** A way to sign in: a password or a provider. */
export const METHOD_TABLE = {
  modelName: 'sign_in_method',
  fields: {
    accountId: 'account_id',
    providerId: 'provider_id',
    userId: 'user_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...TIMES,
  },
}

export const VERIFICATION_TABLE = {
  modelName: 'sign_in_verification',
  fields: { expiresAt: 'expires_at', ...TIMES },
}

export const PASSKEY_TABLE = {
  modelName: 'sign_in_passkey',
  fields: {
    publicKey: 'public_key',
    userId: 'user_id',
    credentialID: 'credential_id',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
}
