/**
 * A receipt: what a final job delivered and cost, and where that stands in the account's chain of
 * ledger entries, signed so that nobody can deny or change it later.
 *
 * The signature is Ed25519 over the canonical bytes of everything but `signature`: JSON with the
 * names of every object sorted by code units and nothing between the tokens, in UTF-8. Numbers are
 * whole, money is text. A receipt made again is the same, as long as key and issuer are.
 */
import { canonicalJson } from '../../kit/text/canonical-json.ts'
import type { FinalState } from '../jobs/job.ts'
import type { LedgerEntry } from './ledger.ts'
import { formatUsd, PRICE_MICROS } from './money.ts'

export const RECEIPT_TYPE = 'scriptorium-receipt-1' as const

export type ReceiptBody = ReturnType<typeof receiptOf>

export type Receipt = ReceiptBody & {
  signature: { algorithm: 'Ed25519'; keyId: string; value: string }
}

/** The facts from which a receipt is made. */
type ReceiptFacts = {
  issuer: string
  job: {
    id: string
    accountId: string
    state: FinalState
    createdAt: Date
    finishedAt: Date
    urlSetHash: string
    reservedMicros: bigint
    chargedMicros: bigint
  }
  /** The delivered rows in order of index; `textSha256` is over the UTF-8 bytes of `text` in the results. */
  delivered: { index: number; videoId: string; textSha256: string }[]
  entries: readonly LedgerEntry[]
}

export function receiptOf({ issuer, job, delivered, entries }: ReceiptFacts) {
  const [first] = entries
  const last = entries.at(-1)
  if (first === undefined || last === undefined)
    throw new Error(`job ${job.id} has no ledger entries`)
  return {
    type: RECEIPT_TYPE,
    /** The address under which the public keys are published. */
    issuer,
    jobId: job.id,
    accountId: job.accountId,
    state: job.state,
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt.toISOString(),
    urlSetSha256: job.urlSetHash,
    delivered,
    currency: 'USD' as const,
    transcripts: delivered.length,
    pricePerTranscript: formatUsd(PRICE_MICROS),
    reserved: formatUsd(job.reservedMicros),
    charged: formatUsd(job.chargedMicros),
    released: formatUsd(job.reservedMicros - job.chargedMicros),
    /** The entries of the job; the heads are those before its first entry and after its last one. */
    ledger: {
      headBefore: first.previousHash,
      headAfter: last.hash,
      entries: entries.map((entry) => ({
        number: String(entry.number),
        kind: entry.kind,
        postedMicros: String(entry.postedMicros),
        heldMicros: String(entry.heldMicros),
        reference: entry.reference,
        reason: entry.reason,
        createdAt: entry.createdAt.toISOString(),
        previousHash: entry.previousHash,
        hash: entry.hash,
      })),
    },
  }
}

/** Returns the bytes that are signed. */
export function canonicalBytes(body: ReceiptBody): Buffer {
  return Buffer.from(canonicalJson(body))
}
