/**
 * The audit: what must be true of entries, balances, jobs and rows, with a sentence for each difference.
 * verify-ledger.ts reads the data; this file only compares it.
 *
 * Accounts are added up entry by entry with a state of constant size, so that a ledger of any
 * length is audited in the memory of one page.
 */
import {
  available,
  type Balance,
  chain,
  CHAIN_START,
  type Entry,
  type LedgerEntry,
} from './ledger.ts'
import { cost, formatUsd } from './money.ts'

/** One thing that is not as it must be; `jobId` is null where it is not about a job. */
export type Difference = { accountId: string; jobId: string | null; what: string }

export type AuditedEntry = LedgerEntry & {
  accountId: string
  /** True where the stored instant has parts below a millisecond, which are not under the hash. */
  isFiner: boolean
}

/** The balance that is kept beside the entries. */
export type AuditedBalance = Balance & { entries: bigint; head: string }

/** A job, the sums of its entries and the counts of its rows. */
export type AuditedJob = {
  id: string
  accountId: string
  isFinal: boolean
  reservedMicros: bigint
  chargedMicros: bigint | null
  /** True where its account is deleted: its rows are gone, or going. */
  isErased: boolean
  success: number
  processed: number
  /** Sums over its entries: the number of each kind, their micros, and whether one is another account's. */
  reserves: number
  reserveMicros: bigint
  settlements: number
  chargeMicros: bigint
  releaseMicros: bigint
  isForeign: boolean
  /** Counts over its rows: with `success`, with any status, and with `success` and a stored transcript. */
  delivered: number
  finished: number
  transcripts: number
}

/** The audit of one account: the sums and the head after the entries seen so far. */
export type AccountAudit = AuditedBalance & { accountId: string }

export function startAccount(accountId: string): AccountAudit {
  return { accountId, postedMicros: 0n, heldMicros: 0n, entries: 0n, head: CHAIN_START }
}

/** Adds the next entry by number. After a broken link it goes on from the stored hash, to report one edit once. */
export function addEntry(
  audit: AccountAudit,
  entry: AuditedEntry,
): { next: AccountAudit; found: Difference[] } {
  const found: Difference[] = []
  const tell = (what: string): void => {
    found.push({
      accountId: audit.accountId,
      jobId: entry.jobId,
      what: `entry ${entry.number}: ${what}`,
    })
  }
  const next: AccountAudit = {
    accountId: audit.accountId,
    postedMicros: audit.postedMicros + entry.postedMicros,
    heldMicros: audit.heldMicros + entry.heldMicros,
    entries: entry.number,
    head: entry.hash,
  }
  if (entry.number !== audit.entries + 1n) {
    tell(`the one before it is ${audit.entries}; entries are missing`)
  }
  if (entry.previousHash !== audit.head) {
    tell(`it follows ${entry.previousHash}, but the one before is ${audit.head}`)
  }
  const hash = chain(entry.previousHash, entry)
  if (hash !== entry.hash) {
    tell(
      `it was changed after it was written: its hash is ${entry.hash}, its content gives ${hash}`,
    )
  }
  if (entry.isFiner)
    tell('its instant has parts below a millisecond, which no entry is written with')
  if (!hasShape(entry)) {
    const [posted, held] = [formatUsd(entry.postedMicros), formatUsd(entry.heldMicros)]
    tell(`${entry.kind} of ${posted} and ${held} USD is no shape of its kind`)
  }
  if (entry.jobId !== null && entry.reference !== `${entry.kind}:${entry.jobId}`) {
    tell(`its reference ${entry.reference} does not name its job ${entry.jobId}`)
  }
  if (next.heldMicros < 0n) {
    tell(`less than nothing is set aside after it: ${formatUsd(next.heldMicros)} USD`)
  }
  if (available(next) < 0n) {
    tell(`the available balance is below zero after it: ${formatUsd(available(next))} USD`)
  }
  return { next, found }
}

/** Compares the sum of an account's entries with its balance; null where there is no balance. */
export function endAccount(audit: AccountAudit, balance: AuditedBalance | null): Difference[] {
  const { accountId } = audit
  if (balance === null) return [{ accountId, jobId: null, what: 'it has entries but no balance' }]
  const cases: [string, string, string][] = [
    ['owned', formatUsd(balance.postedMicros), formatUsd(audit.postedMicros)],
    ['set aside', formatUsd(balance.heldMicros), formatUsd(audit.heldMicros)],
    ['number of entries', String(balance.entries), String(audit.entries)],
    ['head of the chain', balance.head, audit.head],
  ]
  return cases
    .filter(([, kept, added]) => kept !== added)
    .map(([name, kept, added]) => ({
      accountId,
      jobId: null,
      what: `balance: ${name} is ${kept}, its entries give ${added}`,
    }))
}

/** Compares a job with its entries and its rows. */
export function auditJob(job: AuditedJob): Difference[] {
  const charged = job.chargedMicros ?? 0n
  const rest = job.isFinal ? job.reservedMicros - charged : 0n
  const settlements = job.isFinal ? Number(charged > 0n) + Number(rest > 0n) : 0
  const cases: [string, bigint | number, bigint | number][] = [
    ['reserve entries', job.reserves, 1],
    ['reserved in the ledger, in micros', job.reserveMicros, job.reservedMicros],
    ['charge and release entries', job.settlements, settlements],
    ['charged in the ledger, in micros', job.chargeMicros, charged],
    ['released in the ledger, in micros', job.releaseMicros, rest],
  ]
  if (!job.isErased) {
    cases.push(
      ['rows delivered', job.delivered, job.success],
      ['rows with a result', job.finished, job.processed],
      ['transcripts stored', job.transcripts, job.success],
    )
  }
  if (job.isFinal) cases.push(['charged on the job, in micros', charged, cost(job.success)])
  const found = cases
    .filter(([, is, must]) => is !== must)
    .map(([name, is, must]) => `${name}: ${is}, but it should be ${must}`)
  if (job.isForeign) found.push("one of its entries is another account's")
  if (job.isFinal !== (job.chargedMicros !== null)) {
    found.push('it is final and not charged, or charged and not final')
  }
  return found.map((what) => ({ accountId: job.accountId, jobId: job.id, what }))
}

/** Returns whether an entry obeys ledger.ts. Its table is repeated here: the database's constraint may be dropped. */
function hasShape({ kind, postedMicros: posted, heldMicros: held }: Entry): boolean {
  switch (kind) {
    case 'top_up':
      return posted > 0n && held === 0n
    case 'adjust':
      return posted !== 0n && held === 0n
    case 'reserve':
      return posted === 0n && held > 0n
    case 'charge':
      return posted < 0n && held === posted
    case 'release':
      return posted === 0n && held < 0n
    default:
      return kind satisfies never
  }
}
