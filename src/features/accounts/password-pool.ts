/**
 * Hashes passwords on threads of their own, a few at once and a bounded number waiting. Node's own scrypt runs on the
 * threads that also compress answers and read files, and guesses would keep those waiting.
 */
import os from 'node:os'
import type { Deadlines } from '../../config/config.ts'
import { openCounts } from '../../kit/counts.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import { Busy } from '../../kit/problem.ts'
import { widerNetwork } from '../../kit/text/visitor-network.ts'
import { openThreads } from '../../kit/threads.ts'

/** Number of passwords hashed at once, each on a thread of its own with 32 MB. */
const PASSWORDS_HASHED_AT_ONCE = Math.max(1, Math.min(4, os.availableParallelism()))
/** Visitors who wait for that, at most: those of one wider network, and all. Known devices have a line of their own. */
const WAITING_MAX = { ofNetwork: 16, ofAll: 256 }
const PASSWORDS_BUSY_RETRY_SECONDS = 2

export type PasswordPool = ReturnType<typeof openPasswordPool>

/** Who has a password hashed; `isKnown` says that the device signed in to the address before. */
type PasswordVisitor = { ip: string; isKnown: boolean }

/** Opens the pool; no thread starts before the first password. `cost` is the setting `passwordCost`. */
export function openPasswordPool({
  cost,
  deadlines: { passwordTurnMs },
  atOnceMax = PASSWORDS_HASHED_AT_ONCE,
  waitingMax = WAITING_MAX,
}: {
  cost: number
  deadlines: Deadlines
  atOnceMax?: number
  waitingMax?: { ofNetwork: number; ofAll: number }
}) {
  const threads = openThreads<typeof import('./password-worker.ts')>({
    file: new URL('./password-worker.ts', import.meta.url),
    max: atOnceMax,
  })
  const places = fairSemaphore(atOnceMax)
  const waiting = openCounts()
  return {
    /**
     * Does work that hashes passwords when its visitor's turn comes: known devices go first, then wider networks go in
     * turns. Throws `server_busy` where too many wait, or for too long.
     */
    async inTurn<T>({ ip, isKnown }: PasswordVisitor, work: () => Promise<T>): Promise<T> {
      const line = isKnown ? 'known' : 'others'
      const network = `${line} ${widerNetwork(ip)}`
      if (waiting.of(network) >= waitingMax.ofNetwork || waiting.of(line) >= waitingMax.ofAll)
        throw busy()
      const count = (by: number): void => [network, line].forEach((name) => waiting.add(name, by))
      count(1)
      const leave = await places
        .acquire(
          { accountId: network, jobId: 'passwords', isSpare: !isKnown },
          AbortSignal.timeout(passwordTurnMs),
        )
        .catch(() => Promise.reject(busy()))
        .finally(() => count(-1))
      return work().finally(leave)
    },
    hash: (password: string) => threads.run('hash', { password, cost }),
    verify: (given: { password: string; hash: string }) =>
      threads.run('verify', { ...given, cost }),
    close: () => threads.close(),
  }
}

function busy(): Busy {
  const message = 'Too many people are signing in right now; try again in a few seconds.'
  return new Busy(message, PASSWORDS_BUSY_RETRY_SECONDS)
}
