/**
 * Changes the address of an account: requested with the password, confirmed by a link to the new address, stopped or
 * undone by one to the old.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { isUniqueViolation, transact } from '../../kit/postgres/database.ts'
import { createToken, hashSecret, isToken, SECRET_BYTES } from '../../model/accounts/tokens.ts'
import { findAccount, revokeSessionBearers, setAccountEmail } from '../../store/accounts.ts'
import {
  deleteChangesSince,
  deleteSignUps,
  findUserOfUndo,
  insertAddressChange,
  lockPendingChange,
  lockUndoableChange,
  setChangeMade,
} from '../../store/address-changes.ts'
import type { Db, Tx } from '../../store/database.ts'
import { clearFactor, insertAct } from '../../store/operators.ts'
import {
  type Access,
  deleteLinksOf,
  deletePassword,
  deleteProviders,
  deleteSessionsOfUser,
  isUserKnown,
  lockSignInUser,
  setUserEmail,
} from '../../store/sign-in.ts'
import { disableWebhooksSince } from '../../store/webhooks.ts'
import { revokeAccess } from './access.ts'
import { rememberAddress } from './given-once.ts'

/**
 * Starts a change of an account's address, which waits until the link to the new address is opened. It reserves
 * nothing, so that an address is not kept from its owner. Returns the tokens for both mails. It does the same work for
 * every address, known or not.
 */
export async function startAddressChange(
  db: Db,
  wish: { userId: string; oldEmail: string; newEmail: string },
): Promise<{ confirmToken: string; stopToken: string }> {
  const [confirmToken, stopToken] = [newToken(), newToken()]
  await transact(db, (tx) =>
    insertAddressChange(tx, {
      ...wish,
      confirmHash: hashSecret(confirmToken),
      stopHash: hashSecret(stopToken),
      lifetimeSeconds: LIMITS.mailedLinkSeconds,
    }),
  )
  return { confirmToken, stopToken }
}

/** Returns whether a user signs in with the address, or an operator gave it an account. */
export async function isAddressTaken(db: Db, email: string): Promise<boolean> {
  return (await isUserKnown(db, email)) || (await findAccount(db, email)) !== null
}

function newToken(): string {
  return createToken(randomBytes(SECRET_BYTES))
}

// Confirms a change of address: a visitor who opens the link to the new address, signed in as the user who asked for
// it, has shown that both are theirs. Everything of the account follows in one commit.

type AddressChangeConfirmed =
  | { kind: 'confirmed'; oldEmail: string; newEmail: string; undoToken: string }
  /** The link is unknown, too old, used, or of another account. */
  | { kind: 'void' }
  /** Another user or account got the new address meanwhile. */
  | { kind: 'taken' }

/** Confirms the change; works once for a link. */
export async function confirmAddressChange(
  db: Db,
  { token, userId }: { token: string; userId: string },
): Promise<AddressChangeConfirmed> {
  if (!isToken(token)) return { kind: 'void' }
  const confirmHash = hashSecret(token)
  return transact(db, (tx) => makeLocked(tx, { confirmHash, userId })).catch(takenInRace)
}

async function makeLocked(
  tx: Tx,
  { confirmHash, userId }: { confirmHash: Buffer; userId: string },
): Promise<AddressChangeConfirmed> {
  // The user is locked first, as where another of their changes is undone and this one forgotten.
  const user = await lockSignInUser(tx, userId)
  const change = await lockPendingChange(tx, confirmHash)
  if (change === null || change.userId !== userId || user?.email !== change.oldEmail)
    return { kind: 'void' }
  const { oldEmail, newEmail } = change
  if (await isAddressTaken(tx, newEmail)) return { kind: 'taken' }

  const undoToken = newToken()
  await moveAddress(tx, { userId, accountId: user.accountId, email: newEmail })
  const undoHash = hashSecret(undoToken)
  await setChangeMade(tx, { confirmHash, undoHash, undoSeconds: LIMITS.addressUndoSeconds })
  return { kind: 'confirmed', oldEmail, newEmail, undoToken }
}

/** Gives the user and their account this address; links that were mailed to the one before become void. */
async function moveAddress(
  tx: Tx,
  { userId, accountId, email }: { userId: string; accountId: string | null; email: string },
): Promise<void> {
  await setUserEmail(tx, { userId, email })
  if (accountId !== null) {
    await setAccountEmail(tx, { accountId, email })
    await rememberAddress(tx, { accountId, email })
  }
  await deleteSignUps(tx, email)
  await deleteLinksOf(tx, userId)
}

/** Returns what became of a change whose address was taken by a sign-up in the same moment; throws other errors. */
function takenInRace(error: unknown): { kind: 'taken' } {
  const indexes = ['sign_in_user_email_key', 'account_email']
  if (indexes.some((index) => isUniqueViolation(error, index))) return { kind: 'taken' }
  throw error
}

// Cancels a change of address, pending or made: the reader of the old address's mail says that it was not them. The
// person who asked for it may know the password and have been in the account for a while, so nothing that they may have
// made opens it afterwards: docs/decisions/0009-sign-in-and-website.md.

/** Access that is no older than this when another address is asked for ends with an undo. */
const DOUBTED_ACCESS_MS = 24 * 3600 * 1_000

/** Access that was made shortly before the change or after it, and was ended. */
type EndedAccess = Access & { webhooks: number }

type AddressChangeCancelled =
  /** The account is used with `email`, as before; a link for a new password is to be mailed there. */
  | { kind: 'cancelled'; email: string; ended: EndedAccess }
  | { kind: 'void' }
  /** The old address has another account by now. */
  | { kind: 'taken' }

/** Cancels the change; works once for a link. */
export async function cancelAddressChange(db: Db, token: string): Promise<AddressChangeCancelled> {
  if (!isToken(token)) return { kind: 'void' }
  return transact(db, (tx) => undoLocked(tx, hashSecret(token))).catch(takenInRace)
}

/** Locks the user before the change: undoing another change of theirs deletes this one, and waits meanwhile. */
async function undoLocked(tx: Tx, hash: Buffer): Promise<AddressChangeCancelled> {
  const asker = await findUserOfUndo(tx, hash)
  const user = asker === null ? null : await lockSignInUser(tx, asker)
  const change = user === null ? null : await lockUndoableChange(tx, hash)
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
  const since = new Date(change.askedAt.getTime() - DOUBTED_ACCESS_MS)
  return { kind: 'cancelled', email, ended: await endAccess(tx, { userId, accountId, since }) }
}

async function endAccess(
  tx: Tx,
  { userId, accountId, since }: { userId: string; accountId: string | null; since: Date },
): Promise<EndedAccess> {
  await deleteProviders(tx, { userId, since })
  const access = await revokeAccess(tx, { userId, since })
  if (accountId === null) return { ...access, webhooks: 0 }
  await revokeSessionBearers(tx, accountId)
  if (await clearFactor(tx, { accountId, since })) {
    const reason = 'a change of its address was undone'
    await insertAct(tx, { act: 'clear_factor', accountId, jobId: null, actor: accountId, reason })
  }
  return { ...access, webhooks: await disableWebhooksSince(tx, { accountId, since }) }
}
