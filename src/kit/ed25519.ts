/**
 * Ed25519 keys and signatures: 32 raw bytes each for the seed and the public key, and an id that is made from the
 * public key, so that no two keys share one.
 */
import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'

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
