/** The signer of receipts: the key from the setting, or the one in the database that all machines share. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../kit/config/settings.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import {
  findCurrentPair,
  insertPair,
  listPublicKeys,
  publishKey,
  retirePair,
} from '../../store/signing-keys.ts'
import {
  pairOfSeed,
  readSeed,
  SEED_BYTES,
  type SigningPair,
} from '../../model/money/signing-key.ts'

/** Gives the pair to sign with; its public key is published before it signs for the first time. */
export type Signer = { current(): Promise<SigningPair> }

export type PublishedKey = {
  id: string
  algorithm: 'Ed25519'
  /** Raw, in base64. */
  publicKey: string
  createdAt: string
  /** Null while it may still sign. */
  retiredAt: string | null
}

/** `seedText`: RECEIPT_SIGNING_KEY, or null. Throws one sentence if it is not a key. */
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

/** The key pair in the database, created by the first process that needs it. */
async function ensurePair(db: Db): Promise<SigningPair> {
  const found = await findCurrentPair(db)
  if (found !== null) return found
  await insertPair(db, pairOfSeed(randomBytes(SEED_BYTES)))
  const made = await findCurrentPair(db)
  assert(made !== null, 'a signing key was made')
  return made
}

/** From now on a new pair of the database signs; receipts of the old one stay checkable. */
export function rotateSigningKey(db: Db): Promise<SigningPair> {
  return transact(db, async (tx) => {
    await retirePair(tx)
    return ensurePair(tx)
  })
}

/** Every public key that ever signed, newest first, the present one included. */
export async function readPublishedKeys(db: Db, signer: Signer): Promise<PublishedKey[]> {
  await signer.current()
  const keys = await listPublicKeys(db)
  return keys.map(({ id, publicKey, createdAt, retiredAt }) => ({
    id,
    algorithm: 'Ed25519',
    publicKey: publicKey.toString('base64'),
    createdAt: createdAt.toISOString(),
    retiredAt: retiredAt?.toISOString() ?? null,
  }))
}
