/**
 * Cancels a change of address, pending or made: whoever reads the old address's mail says that it was not
 * them. Who asked for it is taken to know the password and to have been in the account for a while, so nothing
 * that they may have made opens it afterwards: docs/decisions/0045-another-address.md.
 */
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { revokeSessionBearers } from '../../store/accounts.ts'
import {
  deleteChangesSince,
  findUserOfUndo,
  lockUndoableChange,
} from '../../store/address-changes.ts'
import { insertAct } from '../../store/operator-acts.ts'
import { clearFactor } from '../../store/operators.ts'
import {
  type Access,
  deleteLinksOf,
  deletePassword,
  deleteProviders,
  deleteSessionsOfUser,
  lockSignInUser,
} from '../../store/sign-in.ts'
import { disableWebhooksSince } from '../../store/webhooks.ts'
import { isAddressTaken } from './start-address-change.ts'
import { isAddressRace, moveAddress } from './confirm-address-change.ts'
import { revokeAccess } from './revoke-access.ts'
import { hashOf, isToken } from '../../model/accounts/token.ts'

/** Whatever opens the account and is no older than this when another address is asked for goes with an undo. */
const DOUBTED_ACCESS_MS = 24 * 3600 * 1_000

/** What was made shortly before the change or after it, and is of no use any more. */
export type EndedAccess = Access & { webhooks: number }

export type AddressChangeCancelled =
  /** The account is used with `email`, as before; a link for a new password is to be mailed there. */
  | { kind: 'cancelled'; email: string; ended: EndedAccess }
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

/** The user before the change: whoever undoes another change of theirs deletes this one, and waits meanwhile. */
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
