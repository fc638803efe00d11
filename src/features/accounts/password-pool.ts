/**
 * Hashes passwords on threads of their own, a few at once and a bounded number waiting. Node's own scrypt
 * runs on the threads that also compress answers and read files, and guesses would keep those waiting.
 */
import os from 'node:os'
import { Tinypool } from 'tinypool'
import { Problem } from '../../kit/problem.ts'
import type { PasswordAnswer, PasswordTask } from './password-worker.ts'

/** Passwords hashed at once, each on a thread of its own with 32 MB. */
const PASSWORDS_HASHED_AT_ONCE = Math.max(1, Math.min(4, os.availableParallelism()))
/** Passwords that wait for that, at most; beyond it 503. */
const PASSWORDS_WAITING = 64
const PASSWORD_THREAD_IDLE_MS = 60_000
const PASSWORDS_BUSY_RETRY_SECONDS = 2

export type PasswordPool = {
  /** Both throw `server_busy` where too many wait. */
  hash(password: string): Promise<string>
  verify(given: { password: string; hash: string }): Promise<boolean>
  close(): Promise<void>
}

/** Threads start with the first password and end when none came for a while. `cost` is the setting `passwordCost`. */
export function openPasswordPool({
  cost,
  atOnceMax = PASSWORDS_HASHED_AT_ONCE,
  waitingMax = PASSWORDS_WAITING,
}: {
  cost: number
  atOnceMax?: number
  waitingMax?: number
}): PasswordPool {
  const pool = new Tinypool({
    filename: new URL('./password-worker.ts', import.meta.url).href,
    name: 'work',
    minThreads: 0,
    maxThreads: atOnceMax,
    idleTimeout: PASSWORD_THREAD_IDLE_MS,
    execArgv: [],
  })
  let inHand = 0
  const run = async (task: PasswordTask): Promise<PasswordAnswer> => {
    if (inHand >= atOnceMax + waitingMax) throw busy()
    inHand += 1
    try {
      return await (pool.run(task) as Promise<PasswordAnswer>)
    } finally {
      inHand -= 1
    }
  }
  return {
    hash: async (password) => (await run({ kind: 'hash', password, cost })).hash,
    verify: async ({ password, hash }) =>
      (await run({ kind: 'verify', password, hash, cost })).isRight,
    close: () => pool.destroy(),
  }
}

function busy(): Problem {
  return new Problem('server_busy', {
    message: 'Too many people are signing in right now; try again in a few seconds.',
    headers: { 'Retry-After': String(PASSWORDS_BUSY_RETRY_SECONDS) },
  })
}
