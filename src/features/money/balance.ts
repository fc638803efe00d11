/** The balance of an account and its statements: read, added to, and what each key and app spent. */
import { LIMITS } from '../../config/config.ts'
import { type PageInfo, pageInfo, type PageRequest } from '../../kit/page.ts'
import type { Separator } from '../../kit/text/csv.ts'
import { available, type Balance, type LedgerEntry, topUp } from '../../model/money/ledger.ts'
import { affordable } from '../../model/money/money.ts'
import {
  type ChargedJob,
  spendingCsvLine,
  spendingHead,
  type UsageRow,
} from '../../model/money/spending.ts'
import {
  balanceBefore,
  statementHead,
  statementLine,
  type StatementLine,
  withBalances,
} from '../../model/money/statement.ts'
import type { Db, Tx } from '../../store/database.ts'
import { type BatchName, batchesOfJobs, titlesOfJobs } from '../jobs/job-names.ts'
import {
  appendEntries,
  countMovements,
  listEntriesDown,
  listMovementLines,
  lockLivingBalance,
  type LockedBalance,
  readBalanceAfter,
} from '../../store/ledger.ts'
import {
  listChargedJobs,
  listSpenders,
  listSpendingDays,
  listSpendingMonths,
  listUsage,
  type SpendingFilter,
  sumChargedJobs,
} from '../../store/spending.ts'

export async function readBalance(db: Db, accountId: string) {
  return viewOf((await readBalanceAfter(db, accountId)) ?? { postedMicros: 0n, heldMicros: 0n })
}

/** Returns what an account can spend: money reserved for running jobs is already subtracted. */
export function viewOf(balance: Balance) {
  const availableMicros = available(balance)
  return {
    availableMicros,
    heldMicros: balance.heldMicros,
    affordableTranscripts: affordable(availableMicros),
  }
}

/**
 * Adds an operator's grant or a payment that arrived, and returns the balance after it; null, and adds nothing, where
 * there is no such account, or it is deleted: nobody could spend the money. `reference` names the payment: a repeated
 * one throws the index's violation and adds nothing.
 */
export async function addCredit(
  tx: Tx,
  credit: { accountId: string; micros: bigint; reference: string; reason: string | null },
): Promise<LockedBalance | null> {
  const balance = await lockLivingBalance(tx, credit.accountId)
  if (balance === null) return null
  const posting = { reference: credit.reference, jobId: null, reason: credit.reason }
  return appendEntries(tx, balance, [{ entry: topUp(credit.micros), posting }])
}

/**
 * Returns a page of the statement, newest first; empty where the account has no entries there (or there is no such
 * account).
 */
export async function readStatement(
  db: Db,
  { accountId, offset, limit }: PageRequest & { accountId: string },
): Promise<PageInfo & { entries: StatementLine[] }> {
  const found = await readBalanceAfter(db, accountId, offset)
  const page = pageInfo({ offset, limit }, Number(found?.entries ?? 0n))
  if (found === null || offset >= page.total) return { ...page, entries: [] }

  const { entries: count, ...newest } = found
  const fromNumber = count - BigInt(offset)
  const entries = await listEntriesDown(db, { accountId, fromNumber, limit })
  return { ...page, entries: withBalances(entries, newest) }
}

/**
 * Yields the whole statement as pieces of CSV, newest first, as it stood when the first piece was asked for: entries
 * are never changed, so later pages still belong to it. Memory is that of one page.
 */
export async function* streamStatementCsv(
  db: Db,
  accountId: string,
  separator?: Separator,
): AsyncGenerator<string> {
  yield statementHead(separator)
  const found = await readBalanceAfter(db, accountId)
  if (found === null) return
  const { entries: count, ...now } = found
  let newest: Balance = now
  const limit = LIMITS.statementCsvPage
  for (let fromNumber = count; fromNumber > 0n;) {
    const lines = withBalances(await listEntriesDown(db, { accountId, fromNumber, limit }), newest)
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines.map((line) => statementLine(accountId, line, separator)).join('')
    newest = balanceBefore(last)
    fromNumber = last.number - 1n
  }
}

/**
 * An entry that belongs to no job, or all entries of one job, the reserve first, with what the job is called; `after`
 * is the balance after the last of them.
 */
export type Movement = {
  jobId: string | null
  title: string | null
  batch: BatchName | null
  entries: LedgerEntry[]
  after: Balance
}

/** Returns a page of the statement with the entries of each job together: what ended last comes first. */
export async function readMovements(
  db: Db,
  { accountId, ...page }: PageRequest & { accountId: string },
): Promise<PageInfo & { movements: Movement[] }> {
  const [total, lines] = await Promise.all([
    countMovements(db, accountId),
    listMovementLines(db, { accountId, ...page }),
  ])
  const groups = [...Map.groupBy(lines, ({ movement }) => movement).values()]
  const jobs = groups.flatMap(([first]) =>
    first?.jobId == null ? [] : [{ ...first, id: first.jobId, accountId }],
  )
  const [titles, batches] = await Promise.all([
    titlesOfJobs(db, jobs),
    batchesOfJobs(
      db,
      accountId,
      jobs.map(({ id }) => id),
    ),
  ])
  const known = new Map(jobs.map(({ id }, at) => [id, titles[at] ?? null]))
  const movements = groups.map((entries) => {
    const [{ jobId = null, owned = 0n, setAside = 0n } = {}] = entries
    const title = jobId === null ? null : (known.get(jobId) ?? null)
    const batch = batches.get(jobId ?? '') ?? null
    return { jobId, title, batch, entries, after: { postedMicros: owned, heldMicros: setAside } }
  })
  return { ...pageInfo(page, total), movements }
}

/** Returns a page of what an account's jobs cost, with the sums around it. */
export async function readSpendingPage(db: Db, filter: SpendingFilter, page: PageRequest) {
  const { accountId, month } = filter
  const [charged, sum, months, spenders] = await Promise.all([
    listChargedJobs(db, filter, page),
    sumChargedJobs(db, filter),
    listSpendingMonths(db, accountId),
    listSpenders(db, accountId),
  ])
  const shown = month ?? months[0]?.month ?? null
  // The days are those of the month that was chosen, or else of the latest.
  const days = shown === null ? [] : await listSpendingDays(db, { ...filter, month: shown })
  const titles = await titlesOfJobs(
    db,
    charged.map((job) => ({ ...job, accountId })),
  )
  const ids = charged.map(({ id }) => id)
  const batches = await batchesOfJobs(db, accountId, ids)
  const jobs = charged.map((job, at) => {
    return { ...job, title: titles[at] ?? '', batch: batches.get(job.id) ?? null }
  })
  const { jobs: total, ...sums } = sum
  return { ...pageInfo(page, total), ...sums, jobs, days, months, spenders }
}

/** Returns what each month's jobs of each key, app and the website cost: a row for each pair that there was. */
export function readSpendingUsage(db: Db, accountId: string): Promise<UsageRow[]> {
  return listUsage(db, accountId)
}

/** Yields all lines as pieces of CSV, newest first; memory is that of one page. */
export async function* streamSpendingCsv(
  db: Db,
  filter: SpendingFilter,
  separator?: Separator,
): AsyncGenerator<string> {
  yield spendingHead(separator)
  const limit = LIMITS.statementCsvPage
  for (let behind: ChargedJob | null = null; ;) {
    const jobs: ChargedJob[] = await listChargedJobs(db, filter, { behind, limit, onlyPaid: true })
    const piece = jobs.map((job) => spendingCsvLine(job, separator)).join('')
    if (piece !== '') yield piece
    behind = jobs.at(-1) ?? null
    if (jobs.length < limit) return
  }
}
