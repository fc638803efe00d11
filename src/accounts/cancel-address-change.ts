/**
 * Cancels a change of address, pending or made: whoever reads the old address's mail says that it was not
 * them. Who asked for it is taken to know the password, so nobody is signed in afterwards and the password is void.
 */
import { type Db, transact, type Tx } from '../postgres/database.ts'
import { revokeSessionBearers } from '../store/accounts.ts'
import { deleteChangesSince, lockUndoableChange } from '../store/address-changes.ts'
import {
  deleteLinksOf,
  deletePassword,
  deleteSessionsOfUser,
  lockSignInUser,
} from '../store/sign-in.ts'
import { isAddressTaken } from './start-address-change.ts'
import { isAddressRace, moveAddress } from './confirm-address-change.ts'
import { hashOf, isToken } from './token.ts'

export type AddressChangeCancelled =
  /** The account is used with `email`, as before; a link for a new password is to be mailed there. */
  | { kind: 'cancelled'; email: string }
  | { kind: 'void' }
  /** The old address has got another account meanwhile. */
  | { kind: 'taken' }

/** Works once for a link. */
export async function cancelAddressChange(db: Db, token: string): Promise<AddressChangeCancelled> {
  if (!isToken(token)) return { kind: 'void' }
  try {
    return await transact(db, (tx) => undoLocked(tx, hashOf(token)))
  } catch (error) {
    if (isAddressRace(error)) return { kind: 'taken' }
    throw error
  }
}

async function undoLocked(tx: Tx, hash: Buffer): Promise<AddressChangeCancelled> {
  const change = await lockUndoableChange(tx, hash)
  const user = change === null ? null : await lockSignInUser(tx, change.userId)
  if (change === null || user === null) return { kind: 'void' }
  const { userId, oldEmail: email } = change
  const { accountId } = user
  if (user.email !== email) {
    if (await isAddressTaken(tx, email)) return { kind: 'taken' }
    await moveAddress(tx, { userId, accountId, email })
  }
  await deleteChangesSince(tx, change)
  await deleteLinksOf(tx, userId)
  await deletePassword(tx, userId)
  await deleteSessionsOfUser(tx, userId)
  if (accountId !== null) await revokeSessionBearers(tx, accountId)
  return { kind: 'cancelled', email }
}
