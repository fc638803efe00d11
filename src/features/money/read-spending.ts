/** Reads what an account's jobs cost: a page of lines with the sums around it, or all lines as CSV. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import {
  listChargedJobs,
  listSpenders,
  listSpendingDays,
  listSpendingMonths,
  type SpendingFilter,
  sumChargedJobs,
} from '../../store/spending.ts'
import {
  type ChargedJob,
  type Spender,
  spendingCsvLine,
  type SpendingDay,
  spendingHead,
  type SpendingMonth,
} from '../../model/money/spending.ts'

export type SpendingPage = {
  total: number
  offset: number
  limit: number
  nextOffset: number | null
  jobs: ChargedJob[]
  transcripts: number
  chargedMicros: bigint
  /** Of the month that was chosen, or else of the latest. */
  days: SpendingDay[]
  months: SpendingMonth[]
  spenders: Spender[]
}

export async function readSpendingPage(
  db: Db,
  filter: SpendingFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<SpendingPage> {
  const { accountId, month } = filter
  const [lines, sum, months, spenders] = await Promise.all([
    listChargedJobs(db, filter, { offset, limit }),
    sumChargedJobs(db, filter),
    listSpendingMonths(db, accountId),
    listSpenders(db, accountId),
  ])
  const shown = month ?? months[0]?.month ?? null
  const days = shown === null ? [] : await listSpendingDays(db, { ...filter, month: shown })
  const { jobs: total, transcripts, chargedMicros } = sum
  const next = offset + limit
  const page = { total, offset, limit, nextOffset: next < total ? next : null }
  return { ...page, jobs: lines, transcripts, chargedMicros, days, months, spenders }
}

/** All lines as pieces of CSV, newest first; memory is that of one page. */
export async function* streamSpendingCsv(db: Db, filter: SpendingFilter): AsyncGenerator<string> {
  yield spendingHead()
  const limit = LIMITS.statementCsvPage
  for (let behind: ChargedJob | null = null; ;) {
    const jobs: ChargedJob[] = await listChargedJobs(db, filter, { behind, limit })
    const piece = jobs.map(spendingCsvLine).join('')
    if (piece !== '') yield piece
    behind = jobs.at(-1) ?? null
    if (jobs.length < limit) return
  }
}
