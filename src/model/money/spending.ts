/**
 * Spending: what final jobs cost, a line each, by the day and month (UTC) of their charge; also as a CSV for
 * bookkeeping (RFC 4180, CRLF, UTF-8): plain words and decimals, one row per job that cost something.
 */
import type { OrderedLines } from '../jobs/job-name.ts'
import type { FinalState } from '../jobs/job.ts'
import { type Cell, csvHead, csvLine, exactCell, type Separator } from '../../kit/text/csv.ts'
import { formatUsd, PRICE_MICROS } from './money.ts'

type SpentBy = {
  /** The id of the key or the app; `website` for the pages and followed channels. */
  spenderId: string
  /** The name; null for the website, and for a key that is forgotten. */
  spenderName: string | null
}
type Spent = SpentBy & { transcripts: number; chargedMicros: bigint }

export type ChargedJob = OrderedLines &
  Spent & {
    id: string
    state: FinalState
    /** The name that its customer gave it; null for none. */
    givenName: string | null
    chargedAt: Date
  }

export type SpendingDay = { day: string; transcripts: number; chargedMicros: bigint }
export type SpendingMonth = { month: string; chargedMicros: bigint }
/** Sums of one spender's jobs of a month; `month` is like `2026-11`, in UTC. */
export type UsageRow = Spent & { month: string; jobs: number }
export type Spender = { id: string; name: string | null }

/** The cells of the CSV by the names of their columns. */
const CELLS: Record<string, (job: ChargedJob) => Cell> = {
  'Date (UTC)': ({ chargedAt }) => chargedAt.toISOString().slice(0, 10),
  Description: (job) => `Transcripts of ${describeLines(job)}`,
  Transcripts: ({ transcripts }) => String(transcripts),
  'Price each (USD)': () => exactCell(formatUsd(PRICE_MICROS)),
  'Amount (USD)': ({ chargedMicros }) => exactCell(formatUsd(chargedMicros)),
  'Started by': spenderWords,
  Job: ({ id }) => id,
}

export function spendingHead(separator?: Separator): string {
  return csvHead(Object.keys(CELLS), { bom: false, separator })
}

/** Returns the line of a job that cost something: no other is an event of the books. */
export function spendingCsvLine(job: ChargedJob, separator?: Separator): string {
  const cells = Object.values(CELLS).map((cell) => cell(job))
  return csvLine(cells, separator)
}

const USAGE_CELLS: Record<string, (row: UsageRow) => Cell> = {
  'Month (UTC)': ({ month }) => month,
  'Started by': spenderWords,
  Jobs: ({ jobs }) => String(jobs),
  Transcripts: ({ transcripts }) => String(transcripts),
  'Amount (USD)': ({ chargedMicros }) => exactCell(formatUsd(chargedMicros)),
}

/** Returns usage by month and spender as CSV. */
export function usageCsv(rows: readonly UsageRow[], separator?: Separator): string {
  const lines = rows.map((row) =>
    csvLine(
      Object.values(USAGE_CELLS).map((cell) => cell(row)),
      separator,
    ),
  )
  return csvHead(Object.keys(USAGE_CELLS), { bom: false, separator }) + lines.join('')
}

function describeLines({ firstLine, lines }: OrderedLines): string {
  if (firstLine === null) return 'videos'
  return lines === 1 ? firstLine : `${firstLine} and ${lines - 1} more`
}

function spenderWords({ spenderId, spenderName }: SpentBy): string {
  return spenderName ?? (spenderId === 'website' ? 'website' : `deleted key ${spenderId}`)
}
