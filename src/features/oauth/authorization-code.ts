/** Takes the code that a browser brought back to an app, once, and issues tokens for it. */
import { hashOf, isToken } from '../../model/accounts/token.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  deleteGrant,
  findGrantOf,
  findLiveGrant,
  markCodeUsed,
  readCode,
} from '../../store/oauth-grants.ts'
import { issueAppTokens, type TokenAnswer } from './issue-app-tokens.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import type { Audience } from '../../model/oauth/scope.ts'
import { isVerified } from '../../model/oauth/secrets.ts'

export type BroughtCode = {
  code: string
  verifier: string
  clientId: string
  /** Null where the app left it out. */
  redirectUri: string | null
  /** For fewer of our interfaces; null for all that were allowed. */
  audience: Audience[] | null
}

/** Throws an OAuthError. A code that comes twice ends what came of it: one of the two stole it. */
export async function takeCode(db: Db, brought: BroughtCode): Promise<TokenAnswer> {
  const taken = isToken(brought.code) ? await transact(db, (tx) => take(tx, brought)) : null
  if (taken === null)
    throw new OAuthError('invalid_grant', 'The code is unknown, used, expired or not for you.')
  return taken
}

async function take(tx: Tx, brought: BroughtCode): Promise<TokenAnswer | null> {
  const { verifier, clientId, redirectUri } = brought
  const hash = hashOf(brought.code)
  const grantId = await findGrantOf(tx, { table: 'oauth_code', hash })
  const grant = grantId === null ? null : await findLiveGrant(tx, grantId)
  const code = grant === null ? null : await readCode(tx, hash)
  if (grant === null || code === null || code.clientId !== clientId) return null
  if (code.isUsed) {
    await deleteGrant(tx, grant.grantId)
    return null
  }
  // Whoever has the code without the verifier has one try: it may be lost to them, and is to the app as well.
  await markCodeUsed(tx, hash)
  const isSameAddress = redirectUri === null || redirectUri === code.redirectUri
  if (code.isExpired || !isSameAddress || !isVerified(verifier, code.challenge)) {
    await deleteGrant(tx, grant.grantId)
    return null
  }
  const audience = brought.audience ?? grant.audience
  if (!audience.every((one) => grant.audience.includes(one)))
    throw new OAuthError('invalid_target', 'resource is not one that was allowed.')
  return issueAppTokens(tx, { ...grant, audience })
}
