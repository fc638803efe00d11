/** Checks of the whole service, ledger and doctor, with what came of them: noted in the log of acts. */
import { type LedgerReport, verifyLedger } from '../money/verify-ledger.ts'
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { isWritable } from '../../store/readiness.ts'
import {
  type CheckName,
  findLatestCheck,
  insertAct,
  listAllActs,
  type LoggedAct,
} from '../../store/operator-acts.ts'

export type { CheckName, LoggedAct }

type Check = { act: CheckName; actor: string; detail: string }

/** A copy of the database that takes no writes may be checked all the same. */
export async function noteCheck(db: Db, { act, actor, detail }: Check): Promise<void> {
  if (!(await isWritable(db))) return
  const short = detail.slice(0, LIMITS.checkDetailChars)
  await insertAct(db, { act, accountId: null, jobId: null, actor, reason: null, detail: short })
}

/** The whole ledger, as `admin ledger verify` proves it. */
export async function checkLedger(db: Db, actor: string): Promise<LedgerReport> {
  const report = await verifyLedger(db)
  await noteCheck(db, { act: 'verify_ledger', actor, detail: sentenceOfLedger(report) })
  return report
}

export function sentenceOfLedger({ entries, accounts, jobs, differences }: LedgerReport): string {
  const found =
    differences === 0 ? 'all sums, chains, charges and rows agree' : `${differences} differences`
  return `${entries} entries of ${accounts} accounts and ${jobs} jobs: ${found}`
}

export function readLatestCheck(db: Db, act: CheckName): Promise<LoggedAct | null> {
  return findLatestCheck(db, act)
}

/** Newest first; `before` is the last id of the page before. */
export async function readLog(
  db: Db,
  { before, limit }: { before: bigint | null; limit: number },
): Promise<{ acts: LoggedAct[]; nextBefore: bigint | null }> {
  const found = await listAllActs(db, { before, limit: limit + 1 })
  const acts = found.slice(0, limit)
  return { acts, nextBefore: found.length > limit ? (acts.at(-1)?.id ?? null) : null }
}
