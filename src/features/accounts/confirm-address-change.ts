/**
 * Confirms a change of address: whoever opens the link to the new address, signed in as the user who asked, has
 * shown that both are theirs. Everything of the account follows in one commit.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { isUniqueViolation, transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { setAccountEmail } from '../../store/accounts.ts'
import { lockPendingChange, setChangeMade } from '../../store/address-changes.ts'
import { deleteLinksOf, lockSignInUser, setUserEmail } from '../../store/sign-in.ts'
import { deleteSignUps } from '../../store/sign-ups.ts'
import { isAddressTaken } from './start-address-change.ts'
import { createToken, hashOf, isToken, TOKEN_BYTES } from '../../model/accounts/token.ts'

export type AddressChangeConfirmed =
  | { kind: 'confirmed'; oldEmail: string; newEmail: string; undoToken: string }
  /** Unknown, too old, used, or of another account. */
  | { kind: 'void' }
  /** Somebody else got an account with the new address meanwhile. */
  | { kind: 'taken' }

/** Works once for a link. */
export async function confirmAddressChange(
  db: Db,
  { token, userId }: { token: string; userId: string },
): Promise<AddressChangeConfirmed> {
  if (!isToken(token)) return { kind: 'void' }
  try {
    return await transact(db, (tx) => makeLocked(tx, { confirmHash: hashOf(token), userId }))
  } catch (error) {
    if (isAddressRace(error)) return { kind: 'taken' }
    throw error
  }
}

async function makeLocked(
  tx: Tx,
  { confirmHash, userId }: { confirmHash: Buffer; userId: string },
): Promise<AddressChangeConfirmed> {
  // The user first, as by whoever undoes another of their changes and forgets this one.
  const user = await lockSignInUser(tx, userId)
  const change = await lockPendingChange(tx, confirmHash)
  if (change === null || change.userId !== userId || user?.email !== change.oldEmail)
    return { kind: 'void' }
  const { oldEmail, newEmail } = change
  if (await isAddressTaken(tx, newEmail)) return { kind: 'taken' }

  const undoToken = createToken(randomBytes(TOKEN_BYTES))
  await moveAddress(tx, { userId, accountId: user.accountId, email: newEmail })
  const undoHash = hashOf(undoToken)
  await setChangeMade(tx, { confirmHash, undoHash, undoSeconds: LIMITS.addressUndoSeconds })
  return { kind: 'confirmed', oldEmail, newEmail, undoToken }
}

/** The user and their account have this address from now on; links that went to the one before are void. */
export async function moveAddress(
  tx: Tx,
  { userId, accountId, email }: { userId: string; accountId: string | null; email: string },
): Promise<void> {
  await setUserEmail(tx, { userId, email })
  if (accountId !== null) await setAccountEmail(tx, { accountId, email })
  await deleteSignUps(tx, email)
  await deleteLinksOf(tx, userId)
}

/** Somebody signed up with the address in the same moment. */
export function isAddressRace(error: unknown): boolean {
  return (
    isUniqueViolation(error, 'sign_in_user_email_key') || isUniqueViolation(error, 'account_email')
  )
}
