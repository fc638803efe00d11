/**
 * Hashes passwords on threads of their own, a few at once and a bounded number waiting. Node's own scrypt runs on the
 * threads that also compress answers and read files, and guesses would keep those waiting.
 */
import os from 'node:os'
import { Problem } from '../../kit/problem.ts'
import { openThreads, ThreadsBusy } from '../../kit/threads.ts'

/** Number of passwords hashed at once, each on a thread of its own with 32 MB. */
const PASSWORDS_HASHED_AT_ONCE = Math.max(1, Math.min(4, os.availableParallelism()))
/** Number of passwords that wait for that, at most; beyond it 503. */
const PASSWORDS_WAITING = 64
const PASSWORDS_BUSY_RETRY_SECONDS = 2

export type PasswordPool = ReturnType<typeof openPasswordPool>

/** Opens the pool; no thread starts before the first password. `cost` is the setting `passwordCost`. */
export function openPasswordPool({
  cost,
  atOnceMax = PASSWORDS_HASHED_AT_ONCE,
  waitingMax = PASSWORDS_WAITING,
}: {
  cost: number
  atOnceMax?: number
  waitingMax?: number
}) {
  const threads = openThreads<typeof import('./password-worker.ts')>({
    file: new URL('./password-worker.ts', import.meta.url),
    max: atOnceMax,
    queueMax: waitingMax,
  })
  return {
    /** Throws `server_busy` where too many wait, as `verify` does. */
    hash: (password: string) => threads.run('hash', { password, cost }).catch(refuse),
    verify: (given: { password: string; hash: string }) =>
      threads.run('verify', { ...given, cost }).catch(refuse),
    close: () => threads.close(),
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ThreadsBusy)) throw error
  throw new Problem('server_busy', {
    message: 'Too many people are signing in right now; try again in a few seconds.',
    headers: { 'Retry-After': String(PASSWORDS_BUSY_RETRY_SECONDS) },
  })
}
