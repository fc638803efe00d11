/**
 * Verifies all money: adds up every account's entries and compares them with balances, chain,
 * jobs, rows and payments. Reads pages of one snapshot; memory does not grow with the ledger.
 */
import type { Db, Tx } from '../../store/database.ts'
import {
  findBareBalances,
  findDeletedOwners,
  findHeldDifferences,
  findOrphanEntries,
  findPaymentDifferences,
  inSnapshot,
  listAllEntries,
  listJobMoney,
  readBalances,
} from '../../store/ledger-audit.ts'
import {
  type AccountAudit,
  addEntry,
  auditJob,
  type Difference,
  endAccount,
  startAccount,
} from '../../model/money/audit.ts'

const VERIFIED_ENTRIES_PAGE = 5_000
const VERIFIED_JOBS_PAGE = 200

export type LedgerReport = {
  accounts: number
  entries: number
  jobs: number
  /** Number of differences; 0 proves the rest. */
  differences: number
  /** The first of them, at most DIFFERENCES_LISTED. */
  listed: Difference[]
}

/** Number of differences in a report, which counts all: one broken account may break a million entries. */
export const DIFFERENCES_LISTED = 1_000

/** Verifies the ledger. `pages` may be smaller, so that a test crosses their borders. */
export function verifyLedger(
  db: Db,
  pages: { entries: number; jobs: number } = {
    entries: VERIFIED_ENTRIES_PAGE,
    jobs: VERIFIED_JOBS_PAGE,
  },
): Promise<LedgerReport> {
  return inSnapshot(db, async (tx) => {
    const report: LedgerReport = { accounts: 0, entries: 0, jobs: 0, differences: 0, listed: [] }
    const tell = (found: Difference[]): void => {
      report.differences += found.length
      report.listed.push(...found.slice(0, DIFFERENCES_LISTED - report.listed.length))
    }
    await verifyAccounts(tx, report, tell, pages.entries)
    await verifyJobs(tx, report, tell, pages.jobs)
    for (const find of [
      findBareBalances,
      findDeletedOwners,
      findHeldDifferences,
      findOrphanEntries,
      findPaymentDifferences,
    ]) {
      tell(await find(tx, DIFFERENCES_LISTED))
    }
    return report
  })
}

async function verifyAccounts(
  tx: Tx,
  report: LedgerReport,
  tell: (found: Difference[]) => void,
  limit: number,
): Promise<void> {
  let audit: AccountAudit | null = null
  for (let after = { accountId: '', number: 0n }; ;) {
    const entries = await listAllEntries(tx, after, limit)
    const seen = new Set(entries.map((entry) => entry.accountId))
    if (audit !== null) seen.add(audit.accountId)
    const balances = await readBalances(tx, [...seen])
    const end = (ended: AccountAudit): void =>
      tell(endAccount(ended, balances.get(ended.accountId) ?? null))

    for (const entry of entries) {
      if (audit?.accountId !== entry.accountId) {
        if (audit !== null) end(audit)
        audit = startAccount(entry.accountId)
        report.accounts += 1
      }
      const { next, found }: ReturnType<typeof addEntry> = addEntry(audit, entry)
      audit = next
      tell(found)
    }
    report.entries += entries.length
    const last = entries.at(-1)
    if (last === undefined || entries.length < limit) {
      if (audit !== null) end(audit)
      return
    }
    after = last
  }
}

async function verifyJobs(
  tx: Tx,
  report: LedgerReport,
  tell: (found: Difference[]) => void,
  limit: number,
): Promise<void> {
  for (let afterId = ''; ;) {
    const jobs = await listJobMoney(tx, afterId, limit)
    report.jobs += jobs.length
    for (const job of jobs) tell(auditJob(job))
    const last = jobs.at(-1)
    if (last === undefined || jobs.length < limit) return
    afterId = last.id
  }
}
