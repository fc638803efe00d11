/**
 * A semaphore that shares its slots fairly: a free slot goes to the account that holds the fewest and, among those, had
 * the least work done; within the account it goes to a job by the same rule. So a job of one video is served at once
 * beside jobs of hundreds.
 */
import { openCounts } from './counts.ts'
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
  /** The slots that each account and each job holds. */
  const slots = openCounts()
  let held = 0
  const queue = openFairQueue([
    ({ accountId }) => slots.of(accountId),
    (share) => done.ofAccount(share),
    ({ jobId }) => slots.of(jobId),
    (share) => done.ofJob(share),
  ])

  function count({ accountId, jobId }: Share, by: 1 | -1): void {
    held += by
    slots.add(accountId, by)
    slots.add(jobId, by)
  }

  function enter(share: Share): void {
    count(share, 1)
    if (work === null && queue.isContested(share)) done.add(share, 1)
  }

  function leave(share: Share): void {
    count(share, -1)
    const next = queue.callNext()
    if (next !== null) enter(next)
  }

  return {
    async acquire(share, signal) {
      signal.throwIfAborted()
      if (held < max) enter(share)
      else await queue.wait(share, signal)
      let isHeld = true
      return () => {
        if (!isHeld) return // a repeated call must not give back another's slot
        isHeld = false
        leave(share)
      }
    },
    async run(share, signal, step) {
      const release = await this.acquire(share, signal)
      return step().finally(release)
    },
    get held() {
      return held
    },
    get waiting() {
      return queue.length
    },
  }
}
