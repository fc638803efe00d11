/** Acts of operators that the log of acts names. */
import { counted } from '../../kit/text/counted.ts'
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { available } from '../../model/money/ledger.ts'
import { dollars } from '../../model/money/money.ts'
import type { Db, Tx } from '../../store/database.ts'
import { type CheckName, insertAct, listAllActs, type LoggedAct } from '../../store/operators.ts'
import { isWritable } from '../../store/readiness.ts'
import { addCredit } from '../money/balance.ts'
import { sentenceOfGap } from './failovers.ts'
import { DIFFERENCES_LISTED, type LedgerReport, verifyLedger } from '../money/verify-ledger.ts'
import { type Gap, listGaps } from '../../store/timelines.ts'

export { type CheckName, findLatestCheck, type LoggedAct } from '../../store/operators.ts'

type CreditGrant = { accountId: string; micros: bigint; actor: string; reason: string }

/**
 * Gives money: the entry and the act in one commit. `availableMicros` is the available balance after it. Returns null,
 * and gives nothing, where the account is deleted.
 */
export function giveCredit(
  db: Db,
  grant: CreditGrant,
): Promise<{ reference: string; availableMicros: bigint } | null> {
  return transact(db, (tx) => giveCreditIn(tx, grant))
}

/** Does the same in a transaction that does more. */
export async function giveCreditIn(
  tx: Tx,
  { accountId, micros, actor, reason }: CreditGrant,
): Promise<{ reference: string; availableMicros: bigint } | null> {
  const reference = `grant:${randomUUID()}`
  const balance = await addCredit(tx, { accountId, micros, reference, reason })
  if (balance === null) return null
  const detail = dollars(micros)
  await insertAct(tx, { act: 'add_credit', accountId, jobId: null, actor, reason, detail })
  return { reference, availableMicros: available(balance) }
}

/**
 * Notes a check of the whole service, by ledger or doctor, in the log of acts. A copy of the database that takes no
 * writes may be checked, too; nothing is noted there.
 */
export async function noteCheck(
  db: Db,
  { act, actor, detail }: { act: CheckName; actor: string; detail: string },
): Promise<void> {
  if (!(await isWritable(db))) return
  const short = detail.slice(0, LIMITS.checkDetailChars)
  await insertAct(db, { act, accountId: null, jobId: null, actor, reason: null, detail: short })
}

/** `gaps` are the failovers that lost something which no operator accepted. */
type LedgerCheck = LedgerReport & { gaps: Gap[] }

/** Verifies the whole ledger, as `admin ledger verify` does. */
export async function checkLedger(db: Db, actor: string): Promise<LedgerCheck> {
  const report = { ...(await verifyLedger(db)), gaps: await listGaps(db, DIFFERENCES_LISTED) }
  await noteCheck(db, { act: 'verify_ledger', actor, detail: sentenceOfLedger(report) })
  return report
}

export function sentenceOfLedger({
  entries,
  accounts,
  jobs,
  differences,
  gaps,
}: LedgerCheck): string {
  const found =
    differences === 0 ? 'all sums, chains, charges and rows agree' : `${differences} differences`
  const lost = gaps.map((gap) => `; ${sentenceOfGap(gap)}`).join('')
  return `${counted(entries, 'entry', 'entries')} of ${counted(accounts, 'account')} and ${counted(jobs, 'job')}: ${found}${lost}`
}

/** Returns acts, newest first; `before` is the last id of the page before. */
export async function readLog(
  db: Db,
  { before, limit }: { before: bigint | null; limit: number },
): Promise<{ acts: LoggedAct[]; nextBefore: bigint | null }> {
  const found = await listAllActs(db, { before, limit: limit + 1 })
  const acts = found.slice(0, limit)
  return { acts, nextBefore: found.length > limit ? (acts.at(-1)?.id ?? null) : null }
}
