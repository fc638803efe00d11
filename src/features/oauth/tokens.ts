/** Tokens of apps, given for a code of a consent, for a device’s code, or for the token before. */
import { randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import {
  APP_START,
  createSecret,
  createToken,
  hashSecret,
  isToken,
  SECRET_BYTES,
} from '../../model/accounts/tokens.ts'
import {
  type AppScope,
  type Audience,
  OAUTH_LIMITS,
  readScopes,
} from '../../model/oauth/authorization.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { isVerified } from '../../model/oauth/secrets.ts'
import { insertApiKey } from '../../store/accounts.ts'
import { noteUses } from '../../store/app-connections.ts'
import { type Db, readClock, type Tx } from '../../store/database.ts'
import { deleteAllButLatest } from '../../store/erasure.ts'
import { deleteDeviceLogin, pollDeviceLogin } from '../../store/oauth-clients.ts'
import {
  countFreshRefreshTokens,
  deleteGrant,
  extendGrant,
  findLiveGrant,
  insertRefreshToken,
  type LiveGrant,
  lockGrantOf,
  markCodeUsed,
  markRefreshTokenUsed,
  readCode,
  readRefreshToken,
} from '../../store/oauth-grants.ts'

type BroughtCode = {
  code: string
  verifier: string
  clientId: string
  /** The address; null where the app left it out. */
  redirectUri: string | null
  /** The interfaces for which the tokens are to be good; null for all that were allowed. */
  audience: Audience[] | null
}

/**
 * Takes the code that a browser brought back to an app, once, and returns tokens for it. Throws an OAuthError. A code
 * that comes twice ends what came of it: one of the two stole it.
 */
export async function takeCode(db: Db, brought: BroughtCode): Promise<TokenAnswer> {
  const taken = isToken(brought.code) ? await transact(db, (tx) => redeem(tx, brought)) : null
  if (taken === null)
    throw new OAuthError('invalid_grant', 'The code is unknown, used, expired or not for you.')
  return taken
}

async function redeem(tx: Tx, brought: BroughtCode): Promise<TokenAnswer | null> {
  const { verifier, clientId, redirectUri } = brought
  const hash = hashSecret(brought.code)
  const grant = await lockGrantOf(tx, { table: 'oauth_code', hash })
  const code = grant === null ? null : await readCode(tx, hash)
  if (grant === null || code === null || code.clientId !== clientId) return null
  if (code.isUsed) {
    await deleteGrant(tx, grant.grantId)
    return null
  }
  // A program that has the code without the verifier has one try: the code is lost to it, and to the app as well.
  await markCodeUsed(tx, hash)
  const isSameAddress = redirectUri === null || redirectUri === code.redirectUri
  if (code.isExpired || !isSameAddress || !isVerified(verifier, code.challenge)) {
    await deleteGrant(tx, grant.grantId)
    return null
  }
  const audience = allowedAudience(brought.audience, grant.audience)
  return issueAppTokens(tx, { ...grant, audience })
}

const VOID = 'The device code is unknown, used or expired; start again.'

/** Returns tokens for a device's code. Throws an OAuthError, also while the user has not decided. */
export async function takeDeviceCode(
  db: Db,
  { deviceCode, clientId }: { deviceCode: string; clientId: string },
): Promise<TokenAnswer> {
  const deviceHash = hashSecret(deviceCode)
  const intervalSeconds = OAUTH_LIMITS.pollSeconds - 1 // the networks between us are not that exact
  const login = isToken(deviceCode)
    ? await pollDeviceLogin(db, { deviceHash, intervalSeconds })
    : null
  if (login === null || login.clientId !== clientId) throw new OAuthError('invalid_grant', VOID)
  if (login.isDenied) throw new OAuthError('access_denied', 'The login was denied.')
  if (login.isExpired) throw new OAuthError('expired_token', 'The code has expired; start again.')
  const { grantId } = login
  if (grantId === null && login.isTooSoon)
    throw new OAuthError('slow_down', `Ask every ${OAUTH_LIMITS.pollSeconds} seconds at most.`)
  if (grantId === null) throw new OAuthError('authorization_pending', 'Nobody typed the code yet.')
  const tokens = await transact(db, async (tx) => {
    const grant = await findLiveGrant(tx, grantId)
    const isFirst = grant !== null && (await deleteDeviceLogin(tx, deviceHash))
    return isFirst ? issueAppTokens(tx, grant) : null
  })
  if (tokens === null) throw new OAuthError('invalid_grant', VOID)
  return tokens
}

type BroughtRefreshToken = {
  refreshToken: string
  clientId: string
  /** Fewer scopes than were allowed, for this access token; null for all. */
  scope: string | null
  /** The interfaces for which the access token is to be good; null for all. */
  audience: Audience[] | null
}

/**
 * Takes a refresh token and returns the next ones. One that was taken before, and not within moments, ends them all.
 * Throws an OAuthError.
 */
export async function takeRefreshToken(db: Db, brought: BroughtRefreshToken): Promise<TokenAnswer> {
  const taken = isToken(brought.refreshToken)
    ? await transact(db, (tx) => renew(tx, brought))
    : null
  if (taken === null)
    throw new OAuthError(
      'invalid_grant',
      'The refresh token is unknown, used, expired or revoked; ask for consent again.',
    )
  return taken
}

async function renew(tx: Tx, brought: BroughtRefreshToken): Promise<TokenAnswer | null> {
  const hash = hashSecret(brought.refreshToken)
  const grant = await lockGrantOf(tx, { table: 'oauth_refresh_token', hash })
  const token = grant === null ? null : await readRefreshToken(tx, hash)
  if (grant === null || token === null || grant.clientId !== brought.clientId) return null
  if (token.usedSeconds !== null && token.usedSeconds > OAUTH_LIMITS.repeatSeconds) {
    await deleteGrant(tx, grant.grantId)
    return null
  }
  if (token.isExpired || (token.usedSeconds !== null && (await isRepeatedOften(tx, grant.grantId))))
    return null
  const scopes = narrowed(brought.scope, grant.scopes)
  const audience = allowedAudience(brought.audience, grant.audience)
  await markRefreshTokenUsed(tx, hash, OAUTH_LIMITS.usedKeptSeconds)
  return issueAppTokens(tx, { ...grant, scopes, audience })
}

/**
 * Returns whether repeats are too many: lost answers are few, and an app that repeats again and again collects tokens.
 */
async function isRepeatedOften(tx: Tx, grantId: string): Promise<boolean> {
  const { repeatSeconds: seconds, refreshTokenSeconds: lifetimeSeconds } = OAUTH_LIMITS
  const fresh = await countFreshRefreshTokens(tx, { grantId, seconds, lifetimeSeconds })
  return fresh >= OAUTH_LIMITS.repeatsMax
}

function narrowed(asked: string | null, allowed: AppScope[]): AppScope[] {
  if (asked === null) return allowed
  const scopes = readScopes(asked)
  if (scopes !== null && scopes.every((scope) => allowed.includes(scope))) return scopes
  throw new OAuthError('invalid_scope', 'scope asks for more than was allowed.')
}

function allowedAudience(asked: Audience[] | null, allowed: Audience[]): Audience[] {
  if (asked === null || asked.every((one) => allowed.includes(one))) return asked ?? allowed
  throw new OAuthError('invalid_target', 'resource is not one that was allowed.')
}

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export type TokenAnswer = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/**
 * Issues what an app calls with, under the grant's lock: an access token, which is an API key of its own kind, and the
 * means to get the next. All tokens of an app share one bucket.
 */
export async function issueAppTokens(tx: Tx, grant: LiveGrant): Promise<TokenAnswer> {
  const { accountId, connectionId, grantId } = grant
  const { secret, prefix, hash } = createSecret(APP_START, randomBytes(SECRET_BYTES))
  const refreshToken = createToken(randomBytes(SECRET_BYTES))
  await insertApiKey(tx, {
    id: `token_${randomUUID().replaceAll('-', '')}`,
    accountId,
    name: 'app',
    prefix,
    secretHash: hash,
    kind: 'app',
    bucket: `app:${connectionId}`,
    bucketSize: LIMITS.keyBucketSize,
    refillPerSecond: LIMITS.keyRefillPerSecond,
    lifetimeSeconds: OAUTH_LIMITS.accessTokenSeconds,
    app: grant,
  })
  const lifetimeSeconds = OAUTH_LIMITS.refreshTokenSeconds
  await insertRefreshToken(tx, { hash: hashSecret(refreshToken), grantId, lifetimeSeconds })
  const { refreshTokensMax, accessTokensMax } = OAUTH_LIMITS
  const ownerId = grantId
  await deleteAllButLatest(tx, 'oauth_refresh_token', { ownerId, keptMax: refreshTokensMax })
  await deleteAllButLatest(tx, 'api_key', { ownerId, keptMax: accessTokensMax })
  await extendGrant(tx, grantId, lifetimeSeconds)
  await noteUses(tx, [{ connectionId, lastUsedAt: await readClock(tx) }])
  return {
    access_token: secret,
    token_type: 'Bearer',
    expires_in: OAUTH_LIMITS.accessTokenSeconds,
    refresh_token: refreshToken,
    scope: grant.scopes.join(' '),
  }
}
