/**
 * A receipt: what a final job delivered and cost, and where that stands in the account's chain of
 * ledger entries, signed so that nobody can deny or change it later.
 *
 * The signature is Ed25519 over the canonical bytes of everything but `signature`: JSON with the
 * names of every object sorted by code units and nothing between the tokens, in UTF-8. Numbers are
 * whole, money is text. A receipt made again is the same, as long as key and issuer are.
 */
import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
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

// Ed25519 keys as receipts use them: 32 raw bytes each for the seed and the public key, and an id that is made
// from the public key, so that no two keys share one.

export type SigningPair = { id: string; publicKey: Buffer; privateKey: Buffer }

export const SEED_BYTES = 32
const ID_LENGTH = 16
/** Bytes that DER (RFC 8410) puts before the 32 bytes of a private and of a public key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the pair of a seed of SEED_BYTES: a random seed makes a new pair. */
export function pairOfSeed(seed: Buffer): SigningPair {
  const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' })
  const publicKey = der.subarray(SPKI_HEAD.length)
  return { id: keyIdOf(publicKey), publicKey, privateKey: seed }
}

/** Reads a seed as an operator writes it: 32 bytes in base64 (or base64url). Null for anything else. */
export function readSeed(text: string): Buffer | null {
  if (!/^[\w+/-]{43}=?$/.test(text)) return null
  const seed = Buffer.from(text, 'base64')
  return seed.length === SEED_BYTES ? seed : null
}

/** Returns the key's id: the start of the public key's SHA-256 in hex. */
function keyIdOf(publicKey: Buffer): string {
  return hash('sha256', publicKey).slice(0, ID_LENGTH)
}

/** Returns the signature of 64 bytes; equal bytes have equal signatures. */
export function signBytes({ privateKey }: SigningPair, bytes: Buffer): Buffer {
  return sign(null, bytes, privateKeyOf(privateKey))
}

export function isSignedBy(publicKey: Buffer, bytes: Buffer, signature: Buffer): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, publicKey]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, bytes, key, signature)
}

function privateKeyOf(seed: Buffer) {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}
