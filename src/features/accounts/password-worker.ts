/** A thread of the password pool: computes one scrypt hash at a time. */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

/** As better-auth hashes, so that either reads what the other wrote: `salt:key`, both in hex. */
const BLOCKS = { r: 16, p: 1 }
const KEY_BYTES = 64

/** `cost` is scrypt's N: a password is verified with what it was hashed with. */
export type PasswordTask = { cost: number } & (
  { kind: 'hash'; password: string } | { kind: 'verify'; password: string; hash: string }
)

export type PasswordAnswer = { hash: string; isRight: boolean }

/** The new hash, or whether the password is the one that was hashed. */
export function work(task: PasswordTask): PasswordAnswer {
  if (task.kind === 'hash') {
    const salt = randomBytes(16).toString('hex')
    return { hash: `${salt}:${derive(task, salt).toString('hex')}`, isRight: true }
  }
  const [salt = '', key = ''] = task.hash.split(':')
  const kept = Buffer.from(key, 'hex')
  const derived = derive(task, salt)
  return {
    hash: task.hash,
    isRight: kept.length === derived.length && timingSafeEqual(kept, derived),
  }
}

function derive({ password, cost }: PasswordTask, salt: string): Buffer {
  const maxmem = 128 * cost * BLOCKS.r * 2
  return scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, { N: cost, ...BLOCKS, maxmem })
}
