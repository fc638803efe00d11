/**
 * A semaphore that shares its slots fairly: a free slot goes to the account that holds the fewest and, among those, had
 * the least work done; within the account it goes to a job by the same rule. So a job of one video is served at once
 * beside jobs of hundreds.
 */
import { openFairQueue, openWork, type Share, type Work } from './fair-queue.ts'

export type FairSemaphore = {
  /** Resolves with a function that gives the slot back; rejects with the signal's reason. */
  acquire(share: Share, signal: AbortSignal): Promise<() => void>
  /** Does the work in a slot and gives the slot back, whether or not the work fails. */
  run<T>(share: Share, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  readonly held: number
  readonly waiting: number
}

/** `work` is counted by the caller; without it, each slot taken while others wait counts as one unit. */
export function fairSemaphore(max: number, work: Work | null = null): FairSemaphore {
  const done = work ?? openWork()
  const holders = openHolders()
  const queue = openFairQueue([
    ({ accountId }) => holders.of(accountId),
    (share) => done.ofAccount(share),
    ({ jobId }) => holders.of(jobId),
    (share) => done.ofJob(share),
  ])

  function enter(share: Share): void {
    holders.count(share, 1)
    if (work === null && queue.isContested(share)) done.add(share, 1)
  }

  function leave(share: Share): void {
    holders.count(share, -1)
    const next = queue.callNext()
    if (next !== null) enter(next)
  }

  return {
    async acquire(share, signal) {
      signal.throwIfAborted()
      if (holders.total < max) enter(share)
      else await queue.wait(share, signal)
      return once(() => leave(share))
    },
    async run(share, signal, step) {
      const release = await this.acquire(share, signal)
      return step().finally(release)
    },
    get held() {
      return holders.total
    },
    get waiting() {
      return queue.length
    },
  }
}

type Holders = {
  /** The number of slots that an account or a job holds. */
  of(name: string): number
  readonly total: number
  count(share: Share, by: 1 | -1): void
}

function openHolders(): Holders {
  const held = new Map<string, number>()
  let total = 0
  const of = (name: string): number => held.get(name) ?? 0
  return {
    of,
    get total() {
      return total
    },
    count({ accountId, jobId }, by) {
      total += by
      for (const name of [accountId, jobId]) {
        if (of(name) + by === 0) held.delete(name)
        else held.set(name, of(name) + by)
      }
    },
  }
}

/** Makes a repeated call do nothing, so that a caller cannot give back another's slot. */
function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}
