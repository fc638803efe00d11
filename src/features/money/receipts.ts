/** Signed receipts of final jobs, and the keys that sign them. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { ConfigError } from '../../kit/settings.ts'
import { transact } from '../../kit/postgres/database.ts'
import { isFinal, type JobState } from '../../model/jobs/job.ts'
import {
  isSignedBy,
  pairOfSeed,
  readSeed,
  SEED_BYTES,
  signBytes,
  type SigningPair,
} from '../../kit/ed25519.ts'
import {
  canonicalBytes,
  type Receipt,
  type ReceiptBody,
  receiptOf,
} from '../../model/money/receipt.ts'
import type { Db } from '../../store/database.ts'
import { findJob, type JobKey } from '../../store/jobs.ts'
import { listEntriesOfJob } from '../../store/ledger.ts'
import {
  findCurrentPair,
  insertPair,
  listDeliveredTexts,
  listPublicKeys,
  publishKey,
  readReceiptHash,
  retirePair,
} from '../../store/receipts.ts'

type NotFinal = { kind: 'not_final'; state: JobState }

/** Returns the receipt; null where the account has no such job. */
export async function readReceipt(
  db: Db,
  { signer, issuer }: { signer: Signer; issuer: string },
  owned: JobKey,
): Promise<{ kind: 'receipt'; receipt: Receipt } | NotFinal | null> {
  const body = await readBody(db, issuer, owned)
  if (body === null || 'kind' in body) return body
  const pair = await signer.current()
  const value = signBytes(pair, canonicalBytes(body)).toString('base64')
  const signature = { algorithm: 'Ed25519', keyId: pair.id, value } as const
  return { kind: 'receipt', receipt: { ...body, signature } }
}

/** Returns what is wrong with a receipt by our own keys and ledger, as sentences; none where it is ours and true. */
export async function checkReceipt(db: Db, signer: Signer, receipt: Receipt): Promise<string[]> {
  const { signature, ...shown } = receipt
  const keys = await readPublishedKeys(db, signer)
  const key = keys.find(({ id }) => id === signature.keyId)
  if (key === undefined) return [`no key of ours has the id ${signature.keyId}`]
  const publicKey = Buffer.from(key.publicKey, 'base64')
  if (!isSignedBy(publicKey, canonicalBytes(shown), Buffer.from(signature.value, 'base64'))) {
    return ['its signature does not match: it was changed after it was signed']
  }

  const erased = await readReceiptHash(db, shown)
  if (erased !== null) {
    return erased === hashOfReceipt(shown)
      ? []
      : [`job ${shown.jobId} of a deleted account had another receipt`]
  }
  const now = await readBody(db, shown.issuer, shown)
  if (now === null) return [`there is no job ${shown.jobId} of account ${shown.accountId} any more`]
  if ('kind' in now) return [`job ${shown.jobId} is ${now.state} again`]
  const names = Object.keys(shown) as (keyof ReceiptBody)[]
  return names
    .filter((name) => JSON.stringify(shown[name]) !== JSON.stringify(now[name]))
    .map(
      (name) =>
        `${name} was ${JSON.stringify(shown[name])}, ` +
        `by rows and ledger it is ${JSON.stringify(now[name])}`,
    )
}

/**
 * Returns the digest by which receipts of a job are recognised when its rows are gone: SHA-256 in hex of one without
 * issuer and signature. Null where the job is missing or not final.
 */
export async function readReceiptDigest(db: Db, owned: JobKey): Promise<string | null> {
  const body = await readBody(db, '', owned)
  return body === null || 'kind' in body ? null : hashOfReceipt(body)
}

function hashOfReceipt(body: ReceiptBody): string {
  return createHash('sha256')
    .update(canonicalBytes({ ...body, issuer: '' }))
    .digest('hex')
}

async function readBody(
  db: Db,
  issuer: string,
  owned: JobKey,
): Promise<ReceiptBody | NotFinal | null> {
  const job = await findJob(db, owned)
  if (job === null) return null
  const { state, finishedAt, chargedMicros } = job
  // A final job does not change any more, so the parts read below belong together.
  if (!isFinal(state) || finishedAt === null || chargedMicros === null)
    return { kind: 'not_final', state }
  const delivered = await listDeliveredTexts(db, job.id)
  const entries = await listEntriesOfJob(db, owned)
  const final = { ...job, state, finishedAt, chargedMicros }
  return receiptOf({ issuer, job: final, delivered, entries })
}

// The signer of receipts: the key from the setting, or the one in the database that all machines share.

/** Returns the pair to sign with; its public key is published before it signs for the first time. */
export type Signer = { current(): Promise<SigningPair> }

/** Opens the signer. `seedText` is RECEIPT_SIGNING_KEY, or null. Throws one sentence if it is not a key. */
export function openSigner(db: Db, seedText: string | null): Signer {
  if (seedText === null) return { current: () => ensurePair(db) }
  const seed = readSeed(seedText)
  if (seed === null) {
    throw new ConfigError(
      'RECEIPT_SIGNING_KEY must be 32 bytes in base64 (openssl rand -base64 32); ' +
        'unset it for a key kept in the database',
    )
  }
  const pair = pairOfSeed(seed)
  let isPublished = false
  return {
    async current() {
      if (!isPublished) await publishKey(db, pair)
      isPublished = true
      return pair
    },
  }
}

/** Returns the key pair in the database, created by the first process that needs it. */
async function ensurePair(db: Db): Promise<SigningPair> {
  const found = await findCurrentPair(db)
  if (found !== null) return found
  await insertPair(db, pairOfSeed(randomBytes(SEED_BYTES)))
  const made = await findCurrentPair(db)
  assert(made !== null, 'a signing key was made')
  return made
}

/** Makes a new pair in the database, which signs from now on; receipts of the old one stay checkable. */
export function rotateSigningKey(db: Db): Promise<SigningPair> {
  return transact(db, async (tx) => {
    await retirePair(tx)
    return ensurePair(tx)
  })
}

/** Returns every public key that ever signed, newest first, the present one included. */
export async function readPublishedKeys(db: Db, signer: Signer) {
  await signer.current()
  const keys = await listPublicKeys(db)
  return keys.map(({ id, publicKey, createdAt, retiredAt }) => ({
    id,
    algorithm: 'Ed25519' as const,
    /** The raw key in base64. */
    publicKey: publicKey.toString('base64'),
    createdAt: createdAt.toISOString(),
    /** Null while it may still sign. */
    retiredAt: retiredAt?.toISOString() ?? null,
  }))
}
