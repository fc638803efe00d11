/** Data of the money pages: lines of spending, invoices, and receipts with their proof. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ReceiptError, verifyReceipt } from '../../../clients/typescript/src/receipts.ts'
import type { Receipt, Video } from '../../../clients/typescript/src/schema.ts'
import { ask, type Invoices, type Spending, type Usage } from './account.ts'
import { jobs } from './client.ts'

export const SPENDING_PAGE = 25
const TEXTS_PAGE = 50

/** Filter in the page's address; without a month, lines of all months. */
export type SpendingAddress = {
  month?: string | undefined
  by?: string | undefined
  page?: number | undefined
}

export const spendingQuery = ({ month, by, page = 1 }: SpendingAddress) =>
  queryOptions({
    queryKey: ['spending', month, by, page],
    queryFn: () => {
      const query = new URLSearchParams({
        ...spendingFilter({ month, by }),
        offset: String((page - 1) * SPENDING_PAGE),
        limit: String(SPENDING_PAGE),
      })
      return ask<Spending>('GET', `/spending?${query}`)
    },
    placeholderData: keepPreviousData,
  })

export function spendingFilter({ month, by }: Pick<SpendingAddress, 'month' | 'by'>) {
  return {
    ...(month === undefined ? {} : { month }),
    ...(by === undefined ? {} : { spender: by }),
  }
}

export const usageQuery = queryOptions({
  queryKey: ['spending', 'usage'],
  queryFn: () => ask<Usage>('GET', '/usage'),
})

export function spenderName({ id, name }: { id: string; name: string | null }): string {
  return name ?? (id === 'website' ? 'Website' : 'A deleted key')
}

export const invoicesQuery = queryOptions({
  queryKey: ['invoices'],
  queryFn: async () => (await ask<Invoices>('GET', '/invoices')).invoices,
})

export type { Receipt }

export const receiptQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['receipt', jobId],
    queryFn: ({ signal }) => jobs.receipt(jobId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type Verdict =
  | { kind: 'holds'; texts: number }
  | { kind: 'broken'; problems: readonly string[] }
  /** This browser lacks what the check needs. */
  | { kind: 'cannot' }

/**
 * Checks signature, charge and chain, and then each text as the service sends it now, a page at a time, so that no more
 * than a page of texts is in memory. `issuer` is the address whose published keys are trusted.
 */
export async function proveReceipt(receipt: Receipt, issuer: string): Promise<Verdict> {
  if (!(await knowsEd25519())) return { kind: 'cannot' }
  try {
    await verifyReceipt(receipt, { issuer })
    let texts = 0
    for (let offset: number | null = 0; offset !== null;) {
      const page: { videos: Video[]; nextOffset: number | null } = await jobs.resultsPage(
        receipt.jobId,
        { offset, limit: TEXTS_PAGE, status: 'success' },
      )
      await verifyReceipt(receipt, { issuer, videos: page.videos })
      texts += page.videos.filter(({ text }) => text !== null).length
      offset = page.nextOffset
    }
    return { kind: 'holds', texts }
  } catch (error) {
    if (error instanceof ReceiptError) return { kind: 'broken', problems: error.problems }
    throw error
  }
}

/**
 * Returns whether the browser knows Ed25519: Chrome 137, Firefox 129, Safari 17 and newer do, on https and on this
 * machine.
 */
async function knowsEd25519(): Promise<boolean> {
  if (globalThis.crypto?.subtle === undefined) return false
  return crypto.subtle
    .generateKey('Ed25519', false, ['sign', 'verify'])
    .then(() => true)
    .catch(() => false)
}
