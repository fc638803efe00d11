/** An account's statement, and the invoices of its payments. */
import type { Config } from '../../config/config.ts'
import { type Cell, csvHead, csvLine, exactCell, type Separator } from '../../kit/text/csv.ts'
import { available, type Balance, type Entry, type LedgerEntry } from './ledger.ts'
import { formatUsd } from './money.ts'

// A statement: an account's ledger entries, newest first, each with the balance that it left behind; also as CSV
// (RFC 4180, CRLF, UTF-8). The CSV has everything from which the chain's hashes are made, so that anybody can add
// up the account and check the chain without us, as tools/scripts/verify-receipt.ts does.

/** An entry and the balance after it. */
export type StatementLine = LedgerEntry & { after: Balance }

/** The cells of the CSV by the names of their columns. */
const CELLS: Record<string, (line: StatementLine, accountId: string) => Cell> = {
  number: ({ number }) => exactCell(number),
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  kind: ({ kind }) => kind,
  changeUsd: (line) => exactCell(formatUsd(change(line))),
  balanceUsd: ({ after }) => exactCell(formatUsd(available(after))),
  reservedUsd: ({ after }) => exactCell(formatUsd(after.heldMicros)),
  jobId: ({ jobId }) => jobId ?? '',
  reference: ({ reference }) => reference,
  reason: ({ reason }) => reasonCell(reason),
  accountId: (_, accountId) => accountId,
  postedMicros: ({ postedMicros }) => exactCell(postedMicros),
  heldMicros: ({ heldMicros }) => exactCell(heldMicros),
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
}

/** Returns what an entry changed of the available balance, in micros. */
export function change(entry: Entry): bigint {
  return entry.postedMicros - entry.heldMicros
}

/** Returns the lines newest first, given the balance after the newest of them. */
export function withBalances<T extends Entry>(
  entries: readonly T[],
  newest: Balance,
): (T & { after: Balance })[] {
  let after = newest
  return entries.map((entry) => {
    const line = { ...entry, after }
    after = balanceBefore(line)
    return line
  })
}

/** Returns the balance before a line's entry. */
export function balanceBefore(line: Entry & { after: Balance }): Balance {
  return {
    postedMicros: line.after.postedMicros - line.postedMicros,
    heldMicros: line.after.heldMicros - line.heldMicros,
  }
}

export function statementHead(separator?: Separator): string {
  return csvHead(Object.keys(CELLS), { bom: false, separator })
}

/** Returns one entry as a line of the CSV. A `'` before a formula's sign is not part of the text. */
export function statementLine(
  accountId: string,
  line: StatementLine,
  separator?: Separator,
): string {
  const cells = Object.values(CELLS).map((cell) => cell(line, accountId))
  return csvLine(cells, separator)
}

/** Returns a cell of a reason: empty for null, a quote for an empty one; a quote at its start is doubled. */
function reasonCell(reason: string | null): string {
  if (reason === null) return ''
  return reason === '' || reason.startsWith("'") ? `'${reason}` : reason
}

// An invoice: one payment that topped up an account. Its number is of a series of the account's own, without
// gaps: payments are never deleted, and counted in the order of the books.

export type Invoice = {
  /** The account's series and the payment's place in it, such as `1F09A2C4D7E8-0003`. */
  number: string
  paidAt: Date
  micros: bigint
  /** The part of it that went back by refunds and disputes. */
  returnedMicros: bigint
  /** The payment provider's id of the payment. */
  paymentId: string
}

export type InvoiceSender = NonNullable<ReturnType<typeof senderOf>>

/** Returns the sender of invoices and the lines of their address; null where the operator gave no name. */
export function senderOf(config: Config) {
  const { OPERATOR_NAME: name, OPERATOR_TAX_ID: taxId, INVOICE_NOTE: note } = config
  if (name === null) return null
  const address = (config.OPERATOR_ADDRESS ?? '').split('|').map((line) => line.trim())
  return { name, address: address.filter((line) => line !== ''), taxId, note }
}

/** Number of hexadecimal digits of a random id: no two accounts of a service share a series. */
const SERIES_LENGTH = 12

export function invoiceNumber(accountId: string, number: number): string {
  const series = accountId.replace(/^acc_/, '').slice(0, SERIES_LENGTH).toUpperCase()
  return `${series}-${String(number).padStart(4, '0')}`
}

/** Returns the sum with at least two decimals, and all that there are beyond them: "10.00 USD". */
export function invoiceSum(micros: bigint): string {
  return `${formatUsd(micros).replace(/0$/, '')} USD`
}
