/**
 * Starts a change of an account's address, which waits until the link to the new address is opened
 * (confirm-address-change.ts). It reserves nothing, so that nobody keeps an address from its owner.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { findAccount } from '../../store/accounts.ts'
import { insertAddressChange } from '../../store/address-changes.ts'
import { isUserKnown } from '../../store/sign-in.ts'
import { createToken, hashOf, TOKEN_BYTES } from '../../model/accounts/token.ts'

export type AddressWish = { userId: string; oldEmail: string; newEmail: string }

/** The tokens for both mails. The same work for every address, known or not. */
export async function startAddressChange(
  db: Db,
  wish: AddressWish,
): Promise<{ confirmToken: string; stopToken: string }> {
  const confirmToken = createToken(randomBytes(TOKEN_BYTES))
  const stopToken = createToken(randomBytes(TOKEN_BYTES))
  await transact(db, (tx) =>
    insertAddressChange(tx, {
      ...wish,
      confirmHash: hashOf(confirmToken),
      stopHash: hashOf(stopToken),
      lifetimeSeconds: LIMITS.mailedLinkSeconds,
    }),
  )
  return { confirmToken, stopToken }
}

/** Whether somebody signs in with the address, or an operator gave it an account. */
export async function isAddressTaken(db: Db, email: string): Promise<boolean> {
  return (await isUserKnown(db, email)) || (await findAccount(db, email)) !== null
}
