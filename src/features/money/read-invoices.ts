/** Reads the payments of an account: its invoices, by number, and whether one is booked. */
import type { Db } from '../../store/database.ts'
import { findCredited, listPayments } from '../../store/payments.ts'
import { type Invoice, invoiceNumber } from '../../model/money/invoice.ts'

/** Newest first. */
export async function readInvoices(db: Db, accountId: string): Promise<Invoice[]> {
  const payments = await listPayments(db, accountId)
  return payments
    .map(({ id, number, ...paid }) => ({
      ...paid,
      number: invoiceNumber(accountId, number),
      paymentId: id,
    }))
    .reverse()
}

/** What a checkout of the account brought, in micros; null while it is not booked. */
export function readBooked(
  db: Db,
  checkout: { accountId: string; checkoutId: string },
): Promise<bigint | null> {
  return findCredited(db, checkout)
}
