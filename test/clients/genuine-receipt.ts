/** A genuine receipt, in parts, for tests that change one. */
import { createHash, randomBytes } from 'node:crypto'
import { pairOfSeed, signBytes, type SigningPair } from '../../src/kit/ed25519.ts'
import { canonicalBytes, type Receipt, type ReceiptBody } from '../../src/model/money/receipt.ts'

type Json = Record<string, unknown>

export const RECEIPT_TEXTS = ['The first “text”', 'das zweite\u2028😀', 'third']
const FINISHED_AT = '2026-03-01T12:00:00.000Z'
export const issuerPair = pairOfSeed(randomBytes(32))
export const otherPair = pairOfSeed(randomBytes(32))

export function publishedKey({ id, publicKey }: SigningPair, retiredAt: string | null = null) {
  return { id, algorithm: 'Ed25519', publicKey: publicKey.toString('base64'), retiredAt }
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function receiptBody(issuer: string): ReceiptBody {
  const delivered = RECEIPT_TEXTS.map((text, at) => {
    return { index: at + 1, videoId: `video-${at}`, textSha256: sha256Hex(text) }
  })
  const entries = [
    receiptEntry('0'.repeat(64), { number: '7', kind: 'reserve', heldMicros: '40000' }),
  ] as ReceiptBody['ledger']['entries']
  const charge = { number: '8', kind: 'charge', postedMicros: '-24000', heldMicros: '-24000' }
  entries.push(receiptEntry(entries[0]!.hash, charge))
  entries.push(
    receiptEntry(entries[1]!.hash, { number: '9', kind: 'release', heldMicros: '-16000' }),
  )
  return {
    type: 'scriptorium-receipt-1',
    issuer,
    jobId: 'job_1',
    accountId: 'acc_1',
    state: 'finished',
    createdAt: '2026-03-01T11:59:00.000Z',
    finishedAt: FINISHED_AT,
    urlSetSha256: sha256Hex('urls'),
    delivered,
    currency: 'USD',
    transcripts: 3,
    pricePerTranscript: '0.008',
    reserved: '0.040',
    charged: '0.024',
    released: '0.016',
    ledger: { headBefore: '0'.repeat(64), headAfter: entries[2]!.hash, entries },
  }
}

export function receiptEntry(
  previousHash: string,
  given: Json,
): ReceiptBody['ledger']['entries'][number] {
  const entry = {
    number: '0',
    kind: '',
    postedMicros: '0',
    heldMicros: '0',
    reference: `${given['kind']}:job_1`,
    reason: given['kind'] === 'charge' ? 'a “reason”\n' : null,
    createdAt: FINISHED_AT,
    previousHash,
    ...given,
  }
  const { kind, postedMicros, heldMicros, reference, reason, createdAt } = entry
  const hashed = [previousHash, 'acc_1', kind, postedMicros, heldMicros, reference, reason]
  return { ...entry, hash: sha256Hex(JSON.stringify([...hashed, createdAt])) } as never
}

export function signedReceipt(body: unknown, by: SigningPair = issuerPair): Receipt {
  const value = signBytes(by, canonicalBytes(body as ReceiptBody)).toString('base64')
  return { ...(body as ReceiptBody), signature: { algorithm: 'Ed25519', keyId: by.id, value } }
}
