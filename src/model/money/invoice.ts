/**
 * An invoice: one payment that topped up an account. Its number is of a series of the account's own, without gaps:
 * payments are never deleted, and counted in the order of the books.
 */
import { formatUsd } from './money.ts'

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

/** The sender of invoices, from the operator's settings. */
export type InvoiceSender = {
  name: string
  /** The lines of the address. */
  address: string[]
  taxId: string | null
  note: string | null
}

/** Returns the sender; null where the operator gave no name. */
export function senderOf(settings: {
  OPERATOR_NAME: string | null
  OPERATOR_ADDRESS: string | null
  OPERATOR_TAX_ID: string | null
  INVOICE_NOTE: string | null
}): InvoiceSender | null {
  if (settings.OPERATOR_NAME === null) return null
  const address = (settings.OPERATOR_ADDRESS ?? '').split('|').map((line) => line.trim())
  return {
    name: settings.OPERATOR_NAME,
    address: address.filter((line) => line !== ''),
    taxId: settings.OPERATOR_TAX_ID,
    note: settings.INVOICE_NOTE,
  }
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
