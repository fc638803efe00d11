/** Opens the account of a user who signed in: the one made for their address, or a new one. */
import { addCredit } from '../money/top-up.ts'
import { findAccount } from '../../store/accounts.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  findAccountOfUser,
  isUserSuspended,
  linkSignInUser,
  lockSignInUser,
} from '../../store/sign-in.ts'
import { createAccount } from './create-account.ts'

type Opening = { userId: string; welcomeMicros: bigint }

/**
 * The account of whoever visits, opened at the first visit; null where there is no such user, or the
 * account was suspended while they signed in.
 */
export async function accountOfUser(db: Db, opening: Opening): Promise<string | null> {
  const { userId } = opening
  if (await isUserSuspended(db, userId)) return null
  const known = await findAccountOfUser(db, userId)
  return known ?? transact(db, (tx) => openAccount(tx, opening))
}

/**
 * Returns the account's id, or null where there is no such user. Every user has proven the address:
 * whoever proved an address gets the account that an operator made for it. Safe to repeat: the
 * user's row is locked, and the welcome credit lands once for an account.
 */
export async function openAccount(
  tx: Tx,
  { userId, welcomeMicros }: Opening,
): Promise<string | null> {
  const user = await lockSignInUser(tx, userId)
  if (user === null) return null
  if (user.accountId !== null) return user.accountId

  const found = await findAccount(tx, user.email)
  const accountId = found?.id ?? (await createAccount(tx, { email: user.email }))
  if (found === null && welcomeMicros > 0n) {
    const reference = `welcome:${accountId}`
    await addCredit(tx, { accountId, micros: welcomeMicros, reference, reason: 'welcome credit' })
  }
  await linkSignInUser(tx, { userId, accountId })
  return accountId
}
