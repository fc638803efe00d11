/** Deletes an account: one commit ends it, and batches of rows follow until only what the books need is left. */
import assert from 'node:assert/strict'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { REGISTER, type Register, tablesErased } from '../../store/register.ts'
import { adjust, available } from '../../model/money/ledger.ts'
import { findAccount, listUnerased, setAccountErased, setDeleted } from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  eraseRowsOfAccount,
  eraseRowsOfJobs,
  type ErasurePlace,
  listUnerasedJobs,
  setErased,
} from '../../store/erasure.ts'
import { listOpenJobIds, stripJob } from '../../store/jobs.ts'
import { appendEntries, lockBalance, type LockedBalance } from '../../store/ledger.ts'
import { deleteMailsTo } from '../../store/mails.ts'
import { insertAct } from '../../store/operators.ts'
import { deleteUsers } from '../../store/sign-in.ts'
import { deleteSignUps } from '../../store/address-changes.ts'
import { disableWebhooksOf } from '../../store/webhooks.ts'
import { type DatedBackup, sentenceOfBackups } from '../backup/list-backups.ts'
import { stopLocked } from '../jobs/attempt.ts'
import { rememberDeleted } from './given-once.ts'
import { readReceiptDigest } from '../money/receipts.ts'

/** Fates of money that is left: sent back to its owner outside the ledger, or given up by them. */
export const LEFT_MONEY = ['paid-back', 'given-up'] as const
export type LeftMoney = (typeof LEFT_MONEY)[number]

type DeletionAnswer =
  | { kind: 'deleted'; stoppedJobs: string[]; leftMicros: bigint; at: Date }
  /** Nothing was done: the account owns money, and the order does not say what becomes of it. */
  | { kind: 'has_money'; micros: bigint }
  | { kind: 'deleted_before' }

type DeletionOrder = {
  accountId: string
  actor: string
  reason: string
  leftMoney: LeftMoney | null
  /** The backups that are known: the log of acts names those that still hold the account. */
  backups?: readonly DatedBackup[]
}

/** Thrown to undo the ends of the jobs, since only after them it is known what money is left. */
class MoneyLeft extends Error {
  readonly micros: bigint
  constructor(micros: bigint) {
    super('the account owns money')
    this.micros = micros
  }
}

/**
 * Ends the account in one commit, after which `eraseAccount` deletes the rows. The ledger stays, under an id without a
 * name; its last entry takes what was left, and says what became of it.
 */
export async function deleteAccount(db: Db, order: DeletionOrder): Promise<DeletionAnswer> {
  try {
    return await transact(db, (tx) => deleteLocked(tx, order))
  } catch (error) {
    if (error instanceof MoneyLeft) return { kind: 'has_money', micros: error.micros }
    throw error
  }
}

async function deleteLocked(
  tx: Tx,
  { accountId, leftMoney, backups = [], ...word }: DeletionOrder,
): Promise<DeletionAnswer> {
  // A request that starts a job holds this lock: such a job is either seen below or refused afterwards.
  let balance = await lockBalance(tx, accountId)
  const account = await findAccount(tx, accountId)
  if (account === null) return { kind: 'deleted_before' }
  if (account.deletedAt !== null)
    return takeLateMoney(tx, balance, { leftMoney, at: account.deletedAt, ...word })

  await disableWebhooksOf(tx, accountId) // before its jobs end: no webhook is told of that any more
  const stoppedJobs = await listOpenJobIds(tx, accountId)
  for (const jobId of stoppedJobs) balance = (await stopLocked(tx, balance, jobId)) ?? balance
  const leftMicros = available(balance)
  await takeLeftMoney(tx, balance, { leftMoney, reference: `deletion:${accountId}` })

  await deleteUsers(tx, accountId)
  await deleteSignUps(tx, account.email.toLowerCase())
  await deleteMailsTo(tx, account.email)
  await rememberDeleted(tx, { accountId, email: account.email })
  await setDeleted(tx, accountId)
  // Who was linked to the account since its users were deleted; from here on its row is locked, and no link is made.
  await deleteUsers(tx, accountId)
  const holding = sentenceOfBackups(backups, account.createdAt)
  const detail = holding?.slice(0, LIMITS.checkDetailChars) ?? null
  await insertAct(tx, { act: 'delete_account', accountId, jobId: null, ...word, detail })
  return { kind: 'deleted', stoppedJobs, leftMicros, at: balance.now }
}

/** Takes what is left; throws where that is something and the order does not say what becomes of it. */
async function takeLeftMoney(
  tx: Tx,
  balance: LockedBalance,
  { leftMoney, reference }: { leftMoney: LeftMoney | null; reference: string },
): Promise<void> {
  const left = available(balance)
  const entry = left > 0n ? adjust(balance, -left) : null
  if (entry === null) return
  if (leftMoney === null) throw new MoneyLeft(left)
  const reason = `account deleted; what was left was ${leftMoney === 'paid-back' ? 'paid back' : 'given up'}`
  await appendEntries(tx, balance, [{ entry, posting: { reference, jobId: null, reason } }])
}

/** Takes money that came to a deleted account: releases before this one credited payments of that moment. */
async function takeLateMoney(
  tx: Tx,
  balance: LockedBalance,
  {
    leftMoney,
    at,
    ...word
  }: { leftMoney: LeftMoney | null; at: Date; actor: string; reason: string },
): Promise<DeletionAnswer> {
  const { accountId } = balance
  const leftMicros = available(balance)
  if (leftMicros === 0n) return { kind: 'deleted_before' }
  const reference = `deletion:${accountId}:${balance.entries + 1n}`
  await takeLeftMoney(tx, balance, { leftMoney, reference })
  await insertAct(tx, { act: 'delete_account', accountId, jobId: null, ...word })
  return { kind: 'deleted', stoppedJobs: [], leftMicros, at }
}

// Erases what a deleted account leaves behind, as the register says: in small batches, each a statement of its own,
// so that an account of any size delays no other work and a crash costs one batch.

/** Number of rows of a deleted account that one statement deletes, and of jobs in whose rows it looks for them. */
const ERASED_ROWS = 2_000
const ERASED_JOBS_AT_ONCE = 20
const ERASED_ACCOUNTS_AT_ONCE = 5
/**
 * Time after which all work has ended that was under way when an account was deleted: what that work wrote is deleted,
 * too.
 */
const ERASURE_LOOKS_AGAIN_SECONDS = 600

/** Number of deleted rows by table. */
type ErasedRows = Record<string, number>

/** Erases the account's rows. May be repeated, and run by several processes at once: each finds what is left. */
export async function eraseAccount(
  db: Db,
  accountId: string,
  register: Register = REGISTER,
): Promise<ErasedRows> {
  const erased: ErasedRows = {}
  const eraseTables = async (tables: readonly string[]): Promise<void> => {
    for (const table of tables) {
      await inBatches(erased, table, (rowsMax) =>
        eraseRowsOfAccount(db, { register, table }, { accountId, rowsMax }),
      )
    }
  }
  await eraseTables(tablesErased(register, 'by_account'))
  const limit = ERASED_JOBS_AT_ONCE
  for (let after: ErasurePlace | null = null; ;) {
    const jobs: ErasurePlace[] = await listUnerasedJobs(db, { accountId, after, limit })
    if (jobs.length === 0) break
    const jobIds = jobs.map(({ id }) => id)
    for (const jobId of jobIds) await sealJob(db, { accountId, jobId })
    for (const table of tablesErased(register, 'by_job'))
      await inBatches(erased, table, (rowsMax) => eraseRowsOfJobs(db, table, { jobIds, rowsMax }))
    await setErased(db, jobIds)
    after = jobs.at(-1) ?? null
  }
  await eraseTables(tablesErased(register, 'after_jobs'))
  return erased
}

/**
 * Keeps the digest of a job's receipt before its first row goes, since afterwards the receipt could not be made again.
 */
function sealJob(db: Db, owned: { accountId: string; jobId: string }): Promise<void> {
  return transact(db, async (tx) => {
    const digest = await readReceiptDigest(tx, owned)
    assert(digest !== null, `job ${owned.jobId} of a deleted account is final`)
    await stripJob(tx, owned.jobId, digest)
  })
}

async function inBatches(
  erased: ErasedRows,
  table: string,
  erase: (rowsMax: number) => Promise<number>,
): Promise<void> {
  for (let rows: number = ERASED_ROWS; rows === ERASED_ROWS;) {
    rows = await erase(ERASED_ROWS)
    erased[table] = (erased[table] ?? 0) + rows
  }
}

/**
 * Erases once more the accounts that were deleted some time ago: what a crash left, and what work under way then wrote
 * afterwards. Returns how many accounts. One that fails keeps no other waiting; the first failure is thrown in the end.
 */
export async function eraseDeletedAccounts(
  db: Db,
  minSeconds: number = ERASURE_LOOKS_AGAIN_SECONDS,
): Promise<number> {
  const accounts = await listUnerased(db, { minSeconds, limit: ERASED_ACCOUNTS_AT_ONCE })
  const failures: unknown[] = []
  for (const id of accounts) {
    const erased = eraseAccount(db, id).then(() => setAccountErased(db, id))
    await erased.catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return accounts.length
}
