/** Takes a refresh token and issues the next ones; one that was taken before ends them all. */
import { hashOf, isToken } from '../../model/accounts/token.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  countFreshRefreshTokens,
  deleteGrant,
  findGrantOf,
  findLiveGrant,
  markRefreshTokenUsed,
  readRefreshToken,
} from '../../store/oauth-grants.ts'
import { issueAppTokens, type TokenAnswer } from './issue-app-tokens.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { type AppScope, type Audience, readScopes } from '../../model/oauth/scope.ts'

export type BroughtRefreshToken = {
  refreshToken: string
  clientId: string
  /** Fewer scopes than were allowed, for this access token; null for all. */
  scope: string | null
  /** For fewer of our interfaces; null for all. */
  audience: Audience[] | null
}

/** Throws an OAuthError. */
export async function takeRefreshToken(db: Db, brought: BroughtRefreshToken): Promise<TokenAnswer> {
  const taken = isToken(brought.refreshToken) ? await transact(db, (tx) => take(tx, brought)) : null
  if (taken === null)
    throw new OAuthError(
      'invalid_grant',
      'The refresh token is unknown, used, expired or revoked; ask for consent again.',
    )
  return taken
}

async function take(tx: Tx, brought: BroughtRefreshToken): Promise<TokenAnswer | null> {
  const hash = hashOf(brought.refreshToken)
  const grantId = await findGrantOf(tx, { table: 'oauth_refresh_token', hash })
  const grant = grantId === null ? null : await findLiveGrant(tx, grantId)
  const token = grant === null ? null : await readRefreshToken(tx, hash)
  if (grant === null || token === null || grant.clientId !== brought.clientId) return null
  if (token.usedSeconds !== null && token.usedSeconds > OAUTH_LIMITS.repeatSeconds) {
    await deleteGrant(tx, grant.grantId)
    return null
  }
  if (token.isExpired || (token.usedSeconds !== null && (await isRepeatedOften(tx, grant.grantId))))
    return null
  const scopes = narrowed(brought.scope, grant.scopes)
  const audience = brought.audience ?? grant.audience
  if (!audience.every((one) => grant.audience.includes(one)))
    throw new OAuthError('invalid_target', 'resource is not one that was allowed.')
  await markRefreshTokenUsed(tx, hash, OAUTH_LIMITS.usedKeptSeconds)
  return issueAppTokens(tx, { ...grant, scopes, audience })
}

/** Lost answers are few; whoever asks again and again collects tokens. */
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
