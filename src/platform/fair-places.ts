/**
 * Places shared fairly: a free one goes to the account that holds the fewest and, among those, had the
 * least work done; within it to its job by the same rule. So a job of one video is served at once beside
 * jobs of hundreds.
 */
import { openLine, openWork, type Share, type Work } from './fair-line.ts'

export type FairPlaces = {
  /** Resolves with the function that gives the place back; rejects with the signal's reason. */
  take(share: Share, signal: AbortSignal): Promise<() => void>
  readonly taken: number
  readonly waiting: number
}

/** `work`: counted by somebody else; without it, a place taken while others wait is one unit. */
export function fairPlaces(max: number, work: Work | null = null): FairPlaces {
  const done = work ?? openWork()
  const held = new Map<string, number>()
  const holds = (name: string): number => held.get(name) ?? 0
  const line = openLine([
    ({ accountId }) => holds(accountId),
    (share) => done.ofAccount(share),
    ({ jobId }) => holds(jobId),
    (share) => done.ofJob(share),
  ])
  let taken = 0

  function count({ accountId, jobId }: Share, by: 1 | -1): void {
    taken += by
    for (const name of [accountId, jobId]) {
      if (holds(name) + by === 0) held.delete(name)
      else held.set(name, holds(name) + by)
    }
  }

  function enter(share: Share): void {
    count(share, 1)
    if (work === null && line.isContested(share)) done.add(share, 1)
  }

  function leave(share: Share): () => void {
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      count(share, -1)
      const next = line.callNext()
      if (next !== null) enter(next)
    }
  }

  return {
    get taken() {
      return taken
    },
    get waiting() {
      return line.length
    },
    async take(share, signal) {
      signal.throwIfAborted()
      if (taken < max) enter(share)
      else await line.wait(share, signal)
      return leave(share)
    },
  }
}
