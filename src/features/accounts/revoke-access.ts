/** Revokes whatever opens a user's account besides the password: after a reset, or a change of address that was not theirs. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { revokeKeysOfUser } from '../../store/accounts.ts'
import { revokeAppsOfUser } from '../../store/app-connections.ts'
import { deleteGrantsOf, deleteGrantsSince } from '../../store/oauth-grants.ts'
import { type Access, deletePasskeys } from '../../store/sign-in.ts'

const EVER = new Date(0)

/** Every key, bearer, app and passkey, in one commit. Returns how many of each there were. */
export function revokeAllAccess(db: Db, userId: string): Promise<Access> {
  return transact(db, (tx) => revokeAccess(tx, { userId, since: EVER }))
}

/**
 * The same of what was made since; an older app loses what it was allowed since. Consents are locked before their
 * tokens, as by an app that asks for another token.
 */
export async function revokeAccess(tx: Tx, made: { userId: string; since: Date }): Promise<Access> {
  const apps = await revokeAppsOfUser(tx, made)
  await deleteGrantsOf(tx, apps)
  await deleteGrantsSince(tx, made)
  const keys = await revokeKeysOfUser(tx, made)
  return { keys, passkeys: await deletePasskeys(tx, made), apps: apps.length }
}
