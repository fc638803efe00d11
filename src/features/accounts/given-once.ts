/**
 * Remembers what is given once (the welcome credit, a day's free calls, an hour's previews) by the mailbox that got it,
 * which its owner cannot delete with the account: docs/decisions/0013-what-free-work-costs.md.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { transact } from '../../kit/postgres/database.ts'
import { hashMailbox } from '../../model/accounts/mailbox.ts'
import { SECRET_BYTES } from '../../model/accounts/tokens.ts'
import {
  findAccount,
  findBeneficiary,
  listUnremembered,
  lockAccount,
  setBeneficiary,
} from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  ensureMailboxKey,
  insertMailbox,
  renewMailboxes,
  sweepMailboxes,
} from '../../store/given-once.ts'

/** How long a mailbox is remembered, from the beginning of the month in which its last account was deleted. */
const MAILBOX_KEPT_DAYS = 730
const REMEMBERED_AT_ONCE = 500
const FORGOTTEN_AT_ONCE = 5_000

type AddressOfAccount = { accountId: string; email: string }

/**
 * Remembers the address that an account gets, or has, and returns the account's beneficiary: who owned the mailbox
 * before, or else who owns the account. An account keeps its beneficiary whatever its address becomes. The caller
 * holds the lock of the account's row, or has just made it.
 */
export async function rememberAddress(
  tx: Tx,
  { accountId, email }: AddressOfAccount,
): Promise<string> {
  const key = await ensureMailboxKey(tx, randomBytes(SECRET_BYTES))
  const known = await findBeneficiary(tx, accountId)
  const found = await insertMailbox(tx, {
    mailboxHash: hashMailbox(key, email),
    beneficiary: known ?? `ben_${randomUUID().replaceAll('-', '')}`,
    accountId,
  })
  if (known === null) await setBeneficiary(tx, { accountId, beneficiary: found })
  return known ?? found
}

/** Remembers all addresses that a deleted account had, from now on for MAILBOX_KEPT_DAYS. */
export async function rememberDeleted(tx: Tx, account: AddressOfAccount): Promise<void> {
  await renewMailboxes(tx, await rememberAddress(tx, account))
}

/**
 * Remembers the addresses of accounts that earlier releases made, some at a time, and forgets mailboxes whose time is
 * over. Returns how many of each. Every process may call it, now and then.
 */
export async function sweepRemembered(
  db: Db,
  keptDays: number = MAILBOX_KEPT_DAYS,
): Promise<{ remembered: number; forgotten: number }> {
  let remembered = 0
  for (const accountId of await listUnremembered(db, REMEMBERED_AT_ONCE)) {
    remembered += await transact(db, (tx) => rememberEarlier(tx, accountId))
  }
  const forgotten = await sweepMailboxes(db, { keptDays, rowsMax: FORGOTTEN_AT_ONCE })
  return { remembered, forgotten }
}

/** Remembers the address of one account; returns 0 where it was deleted meanwhile. */
async function rememberEarlier(tx: Tx, accountId: string): Promise<number> {
  if (!(await lockAccount(tx, accountId))) return 0
  const account = await findAccount(tx, accountId)
  if (account === null) return 0
  await rememberAddress(tx, { accountId, email: account.email })
  return 1
}
