/** Deletes an account: nobody uses it from then on, its jobs end settled, and what is left of its money is posted. */
import { adjust, available } from '../../model/money/ledger.ts'
import { type DatedBackup, sentenceOfBackups } from '../backup/known-backup.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { stopLocked } from '../jobs/stop-job.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import { findAccount, setDeleted } from '../../store/accounts.ts'
import { listOpenJobIds } from '../../store/jobs.ts'
import { appendEntries, lockBalance, type LockedBalance } from '../../store/ledger.ts'
import { insertAct } from '../../store/operator-acts.ts'
import { deleteUsers } from '../../store/sign-in.ts'
import { deleteSignUps } from '../../store/sign-ups.ts'
import { disableWebhooksOf } from '../../store/webhooks.ts'

/** What became of money that was left: sent back to its owner outside the ledger, or given up by them. */
export const LEFT_MONEY = ['paid-back', 'given-up'] as const
export type LeftMoney = (typeof LEFT_MONEY)[number]

export type Deletion = { kind: 'deleted'; stoppedJobs: string[]; leftMicros: bigint; at: Date }

export type DeletionAnswer =
  | Deletion
  /** Nothing was done: it owns money, and nobody said what becomes of that. */
  | { kind: 'has_money'; micros: bigint }
  | { kind: 'deleted_before' }

export type DeletionOrder = {
  accountId: string
  actor: string
  reason: string
  leftMoney: LeftMoney | null
  /** Those that are known: the log of acts names which of them still hold the account. */
  backups?: readonly DatedBackup[]
}

/** Thrown to undo the ends of the jobs: only then is it known what is left. */
class MoneyLeft extends Error {
  readonly micros: bigint
  constructor(micros: bigint) {
    super('the account owns money')
    this.micros = micros
  }
}

/**
 * One commit, after which erase-account.ts deletes the rows. The ledger stays, under an id that names
 * nobody; its last entry takes what was left, and says what became of it.
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
  // Whoever starts a job holds this lock: such a job is either seen below or refused afterwards.
  let balance = await lockBalance(tx, accountId)
  const account = await findAccount(tx, accountId)
  if (account === null || account.deletedAt !== null) return { kind: 'deleted_before' }

  await disableWebhooksOf(tx, accountId) // before its jobs end: nobody is told of that any more
  const stoppedJobs = await listOpenJobIds(tx, accountId)
  for (const jobId of stoppedJobs) balance = (await stopLocked(tx, balance, jobId)) ?? balance
  const leftMicros = available(balance)
  if (leftMicros > 0n && leftMoney === null) throw new MoneyLeft(leftMicros)
  await takeLeftMoney(tx, balance, leftMoney)

  await deleteUsers(tx, accountId)
  await deleteSignUps(tx, account.email.toLowerCase())
  await setDeleted(tx, accountId)
  const detail = sentenceOfBackups(backups, account.createdAt)?.slice(0, LIMITS.checkDetailChars)
  await insertAct(tx, {
    act: 'delete_account',
    accountId,
    jobId: null,
    ...word,
    detail: detail ?? null,
  })
  return { kind: 'deleted', stoppedJobs, leftMicros, at: balance.now }
}

async function takeLeftMoney(
  tx: Tx,
  balance: LockedBalance,
  leftMoney: LeftMoney | null,
): Promise<void> {
  const left = available(balance)
  const entry = left > 0n ? adjust(balance, -left) : null
  if (entry === null) return
  const posting = {
    reference: `deletion:${balance.accountId}`,
    jobId: null,
    reason: `account deleted; what was left was ${leftMoney === 'paid-back' ? 'paid back' : 'given up'}`,
  }
  await appendEntries(tx, balance, [{ entry, posting }])
}
