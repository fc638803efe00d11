/** A thread that hashes passwords (see password-pool.ts): one scrypt hash at a time. */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

/** Parameters of better-auth's hashes, so that either reads what the other wrote: `salt:key`, both in hex. */
const BLOCKS = { r: 16, p: 1 }
const KEY_BYTES = 64

/** A password; `cost` is scrypt's N: it is verified with the cost with which it was hashed. */
type Given = { password: string; cost: number }

export function hash(given: Given): string {
  const salt = randomBytes(16).toString('hex')
  return `${salt}:${derive(given, salt).toString('hex')}`
}

/** Returns whether the password is the one that was hashed. */
export function verify(given: Given & { hash: string }): boolean {
  const [salt = '', key = ''] = given.hash.split(':')
  const kept = Buffer.from(key, 'hex')
  const derived = derive(given, salt)
  return kept.length === derived.length && timingSafeEqual(kept, derived)
}

function derive({ password, cost }: Given, salt: string): Buffer {
  const maxmem = 128 * cost * BLOCKS.r * 2
  return scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, { N: cost, ...BLOCKS, maxmem })
}
