/** Opens accounts, by sign-in or by an operator, suspends them and resumes them. */
import { randomUUID } from 'node:crypto'
import { transact } from '../../kit/postgres/database.ts'
import {
  findAccount,
  findBeneficiary,
  insertAccount,
  lockAccount,
  setSuspended,
} from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import { setWelcomed } from '../../store/given-once.ts'
import { listOpenJobIds } from '../../store/jobs.ts'
import { insertBalance, lockBalance } from '../../store/ledger.ts'
import { insertAct } from '../../store/operators.ts'
import {
  deleteSessions,
  findAccountOfUser,
  isUserSuspended,
  linkSignInUser,
  lockSignInUser,
} from '../../store/sign-in.ts'
import { stopLocked } from '../jobs/attempt.ts'
import { addCredit } from '../money/balance.ts'
import { rememberAddress } from './given-once.ts'
import { issueKey } from './keys.ts'

type Opening = { userId: string; welcomeMicros: bigint }

/**
 * Returns the visitor's account, opened at the first visit; null where there is no such user, or the account was
 * suspended while they signed in.
 */
export async function accountOfUser(db: Db, opening: Opening): Promise<string | null> {
  const { userId } = opening
  if (await isUserSuspended(db, userId)) return null
  const known = await findAccountOfUser(db, userId)
  return known ?? transact(db, (tx) => openAccount(tx, opening))
}

/**
 * Returns the account's id, or null where there is no such user. Every user has proven their address, so a user gets
 * the account that an operator made for it. Safe to repeat: the user's row is locked, and the welcome credit is posted
 * once for a mailbox.
 */
export async function openAccount(
  tx: Tx,
  { userId, welcomeMicros }: Opening,
): Promise<string | null> {
  const user = await lockSignInUser(tx, userId)
  if (user === null) return null
  if (user.accountId !== null) return user.accountId

  const found = await lockAccountOf(tx, user.email)
  const accountId = found ?? (await createAccount(tx, { email: user.email }))
  if (found === null && welcomeMicros > 0n) {
    await welcome(tx, { accountId, micros: welcomeMicros })
  }
  await linkSignInUser(tx, { userId, accountId })
  return accountId
}

/** Gives the welcome credit, once to whoever owns the mailbox: not again to who deletes an account and comes back. */
async function welcome(
  tx: Tx,
  { accountId, micros }: { accountId: string; micros: bigint },
): Promise<void> {
  const beneficiary = await findBeneficiary(tx, accountId)
  if (beneficiary === null || !(await setWelcomed(tx, beneficiary))) return
  const reference = `welcome:${accountId}`
  await addCredit(tx, { accountId, micros, reference, reason: 'welcome credit' })
}

/**
 * Locks the account of the address, and returns its id; null where it has none. The address is looked for again under
 * the lock: the account may have been deleted meanwhile, or got another one.
 */
async function lockAccountOf(tx: Tx, email: string): Promise<string | null> {
  const seen = await findAccount(tx, email)
  if (seen === null || !(await lockAccount(tx, seen.id))) return null
  return (await findAccount(tx, email))?.id ?? null
}

/**
 * Creates an account with an empty balance, and returns its id. An e-mail address that has an account throws the
 * index's violation.
 */
export async function createAccount(tx: Tx, { email }: { email: string }): Promise<string> {
  const id = `acc_${randomUUID().replaceAll('-', '')}`
  await insertAccount(tx, { id, email })
  await insertBalance(tx, id)
  await rememberAddress(tx, { accountId: id, email })
  return id
}

/** Creates an account, its first key (shown only now) and its first credit, all or nothing. */
export function createAccountWithKey(
  db: Db,
  { email, micros }: { email: string; micros: bigint },
): Promise<{ accountId: string; apiKey: string }> {
  return transact(db, async (tx) => {
    const accountId = await createAccount(tx, { email })
    const { apiKey } = await issueKey(tx, { accountId, name: 'first key' })
    const reference = `grant:${randomUUID()}`
    if (micros > 0n)
      await addCredit(tx, { accountId, micros, reference, reason: 'credit at creation' })
    return { accountId, apiKey }
  })
}

/**
 * Suspends the account in one commit: from then on no request of it is let in, in any process, and no job of it is
 * open. Returns the ids of the jobs that it ended; null where it is suspended already. Only its sessions are deleted;
 * `resumeAccount` gives the rest back.
 */
export function suspendAccount(
  db: Db,
  { accountId, ...word }: { accountId: string; actor: string; reason: string },
): Promise<{ stoppedJobs: string[] } | null> {
  return transact(db, async (tx) => {
    // A request that starts a job holds this lock: such a job is either seen below or refused afterwards.
    let balance = await lockBalance(tx, accountId)
    if (!(await setSuspended(tx, accountId, true))) return null

    const stoppedJobs = await listOpenJobIds(tx, accountId)
    for (const jobId of stoppedJobs) balance = (await stopLocked(tx, balance, jobId)) ?? balance
    await deleteSessions(tx, accountId)
    await insertAct(tx, { act: 'suspend_account', accountId, jobId: null, ...word })
    return { stoppedJobs }
  })
}

/** Resumes the account; returns false where it is not suspended. Jobs that the suspension ended stay ended. */
export function resumeAccount(
  db: Db,
  { accountId, ...word }: { accountId: string; actor: string; reason: string | null },
): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await setSuspended(tx, accountId, false))) return false
    await insertAct(tx, { act: 'resume_account', accountId, jobId: null, ...word })
    return true
  })
}
