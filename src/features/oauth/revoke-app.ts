/** Ends what an app may do: by its owner, by the app itself, or with all access of a user. */
import { hashSecret } from '../../model/accounts/api-key.ts'
import { hashOf, isToken } from '../../model/accounts/token.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { deleteAppToken } from '../../store/accounts.ts'
import { markRevoked } from '../../store/app-connections.ts'
import {
  deleteGrant,
  deleteGrantsOf,
  findGrantOf,
  findLiveGrant,
} from '../../store/oauth-grants.ts'

/** One commit, after which no process takes a token of it. False where the account has no such app. */
export function revokeApp(db: Db, app: { id: string; accountId: string }): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await markRevoked(tx, app))) return false
    await deleteGrantsOf(tx, [app.id])
    return true
  })
}

/**
 * An app gives a token back (RFC 7009): with a refresh token all that follows from the consent ends. Nothing
 * happens to what is unknown or another app's.
 */
export async function revokeToken(
  db: Db,
  { token, clientId }: { token: string; clientId: string },
): Promise<void> {
  await transact(db, async (tx) => {
    if (!isToken(token)) return deleteAppToken(tx, { secretHash: hashSecret(token), clientId })
    const grantId = await findGrantOf(tx, { table: 'oauth_refresh_token', hash: hashOf(token) })
    const grant = grantId === null ? null : await findLiveGrant(tx, grantId)
    if (grant?.clientId === clientId) await deleteGrant(tx, grant.grantId)
  })
}
