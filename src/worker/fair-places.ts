/**
 * Places for videos in flight, shared fairly: a free place goes to the account that holds the fewest,
 * and within it to the job that holds the fewest. So a job of one video is served at once beside
 * jobs of hundreds.
 */

export type Share = { accountId: string; jobId: string }
export type FairPlaces = {
  /** Resolves with the function that gives the place back; rejects with the signal's reason. */
  take(share: Share, signal: AbortSignal): Promise<() => void>
  readonly taken: number
}

type Waiter = Share & { admit(): void }

export function fairPlaces(max: number): FairPlaces {
  const waiters: Waiter[] = []
  const held = new Map<string, number>()
  let taken = 0

  const holds = (name: string): number => held.get(name) ?? 0
  const count = ({ accountId, jobId }: Share, by: number): void => {
    taken += by
    for (const name of [accountId, jobId]) {
      if (holds(name) + by === 0) held.delete(name)
      else held.set(name, holds(name) + by)
    }
  }

  /** First come, first served among equals. */
  function next(): Waiter | undefined {
    const [first, ...others] = waiters
    if (first === undefined) return undefined
    return others.reduce((best, waiter) => (isNeedier(waiter, best) ? waiter : best), first)
  }

  function isNeedier(a: Share, b: Share): boolean {
    const byAccount = holds(a.accountId) - holds(b.accountId)
    return byAccount < 0 || (byAccount === 0 && holds(a.jobId) < holds(b.jobId))
  }

  function admitNext(): void {
    const waiter = taken < max ? next() : undefined
    if (waiter === undefined) return
    waiters.splice(waiters.indexOf(waiter), 1)
    count(waiter, 1)
    waiter.admit()
  }

  function leave(share: Share): () => void {
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      count(share, -1)
      admitNext()
    }
  }

  return {
    get taken() {
      return taken
    },
    take(share, signal) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiters.splice(waiters.indexOf(waiter), 1)
          reject(signal.reason)
        }
        const waiter: Waiter = {
          ...share,
          admit() {
            signal.removeEventListener('abort', onAbort)
            resolve(leave(share))
          },
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiters.push(waiter)
        admitNext()
      })
    },
  }
}
