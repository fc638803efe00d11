/** Revokes whatever opens a user's account besides the password: after a reset that follows a break-in. */
import { type Db, transact } from '../postgres/database.ts'
import { type Access, revokeAccess } from '../store/sign-in.ts'

/** Every key, bearer, app and passkey, in one commit. Returns how many of each there were. */
export function revokeAllAccess(db: Db, userId: string): Promise<Access> {
  return transact(db, (tx) => revokeAccess(tx, userId))
}
