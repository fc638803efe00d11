/** The names of better-auth's tables and columns in our database (0008-sign-in.sql). */

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
