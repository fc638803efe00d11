/**
 * An invoice: one payment by which somebody topped up. Its number is of a series of the account's own, without
 * gaps: payments are never deleted, and counted in the order of the books.
 */
import { formatUsd } from './money.ts'

export type Invoice = {
  /** `1F09A2C4D7E8-0003`: the series of the account, and the payment's place in it. */
  number: string
  paidAt: Date
  micros: bigint
  /** Of it, what went back by refunds and disputes. */
  returnedMicros: bigint
  /** What the payment service calls the payment. */
  paymentId: string
}

/** Who sends invoices, by the operator's settings. */
export type InvoiceSender = {
  name: string
  /** Lines. */
  address: string[]
  taxId: string | null
  note: string | null
}

/** Null where the operator gave no name. */
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

/** So many hexadecimal digits of a random id: no two accounts of a service share a series. */
const SERIES_LENGTH = 12

export function invoiceNumber(accountId: string, number: number): string {
  const series = accountId.replace(/^acc_/, '').slice(0, SERIES_LENGTH).toUpperCase()
  return `${series}-${String(number).padStart(4, '0')}`
}

/** Cents at least, and all there is beyond them: "10.00 USD". */
export function invoiceSum(micros: bigint): string {
  return `${formatUsd(micros).replace(/0$/, '')} USD`
}
