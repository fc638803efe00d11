/** Issues what an app calls with: an access token, which is an API key of its own kind, and the means to get the next. */
import { randomBytes, randomUUID } from 'node:crypto'
import { APP_START, createSecret, SECRET_BYTES } from '../../model/accounts/api-key.ts'
import { createToken, hashOf, TOKEN_BYTES } from '../../model/accounts/token.ts'
import { LIMITS } from '../../kit/config/config.ts'
import type { Tx } from '../../store/database.ts'
import { insertApiKey } from '../../store/accounts.ts'
import { noteUses } from '../../store/app-connections.ts'
import { extendGrant, insertRefreshToken, type LiveGrant } from '../../store/oauth-grants.ts'
import { readClock } from '../../store/database.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'

/** As the token endpoint answers (RFC 6749, section 5.1). */
export type TokenAnswer = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** Under the grant's lock. All tokens of an app share one bucket. */
export async function issueAppTokens(tx: Tx, grant: LiveGrant): Promise<TokenAnswer> {
  const { accountId, connectionId, grantId } = grant
  const { secret, prefix, hash } = createSecret(APP_START, randomBytes(SECRET_BYTES))
  const refreshToken = createToken(randomBytes(TOKEN_BYTES))
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
  await insertRefreshToken(tx, { hash: hashOf(refreshToken), grantId, lifetimeSeconds })
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
