/**
 * A fair queue: among the waiting, the account that has had the least goes first, within it the job that has had the
 * least, and among equals the first to come. What no customer ordered goes last.
 */
import { setLatest } from './latest.ts'

/**
 * The account and the job for which something is done. `isSpare` marks what no customer ordered (a preview), which
 * waits while anything else does.
 */
export type Share = { accountId: string; jobId: string; isSpare?: boolean }

/** The share of work for no customer's job, such as the doctor's or a test's. */
export const OPERATOR: Share = { accountId: 'operator', jobId: 'none' }

/**
 * How far an account or a job may be ahead of the queue's time, or behind it, in units of work (calls, turns); more is
 * neither saved nor owed. A newcomer is ahead by half of it, which an order of one video, some four calls, does not use
 * up. An account that was given work back, for delivering, or had none for long, is ahead by at most all of it.
 */
const LEAD_MAX = 40
const LEAD_OF_NEW = LEAD_MAX / 2
/**
 * How many accounts, and jobs of each, are remembered; beyond that, those without work for the longest are forgotten.
 */
const REMEMBERED_MAX = 1_000

/**
 * The work done for accounts, and for the jobs within each, while others waited; it only tells which had more. The
 * caller adds work only where the queue was contested: work that kept nobody waiting does not count.
 */
export type Work = {
  ofAccount(share: Share): number
  ofJob(share: Share): number
  /** Adds to the account and to the job; a negative amount gives work back. */
  add(share: Share, amount: number): void
}

export function openWork(): Work {
  const accounts = openTally()
  const jobs = new Map<string, Tally>()
  const jobsOf = (accountId: string): Tally => jobs.get(accountId) ?? openTally()
  return {
    ofAccount: ({ accountId }) => accounts.of(accountId),
    ofJob: ({ accountId, jobId }) => jobsOf(accountId).of(jobId),
    add({ accountId, jobId }, amount) {
      const tally = jobsOf(accountId)
      tally.add(jobId, amount)
      jobs.set(accountId, tally)
      const forgotten = accounts.add(accountId, amount)
      if (forgotten !== null) jobs.delete(forgotten)
    },
  }
}

type Tally = {
  of(name: string): number
  /** Returns the name that was forgotten to make room, or null. */
  add(name: string, amount: number): string | null
}

/**
 * Start-time fair queuing (Goyal, Vin, Cheng 1996): each name has a tag that grows by what it gets, and the queue's own
 * time is the tag of the last one served. Tags count only near that time.
 */
function openTally(): Tally {
  const tags = new Map<string, number>()
  let time = 0
  const of = (name: string): number => {
    const tag = tags.get(name) ?? time - LEAD_OF_NEW
    return Math.min(Math.max(tag, time - LEAD_MAX), time + LEAD_MAX)
  }
  return {
    of,
    add(name, amount) {
      const start = of(name)
      if (amount > 0) time = Math.max(time, start)
      return setLatest(tags, name, { value: start + amount, max: REMEMBERED_MAX })
    },
  }
}

export type FairQueue = {
  readonly length: number
  /** Whether another account waits. */
  isContested(share: Share): boolean
  /** Resolves when the share is called; rejects with the signal's reason, or with the error of `fail`. */
  wait(share: Share, signal: AbortSignal): Promise<void>
  /** Calls the next share and returns it; null where none waits. */
  callNext(): Share | null
  /** Rejects every wait with this error. */
  fail(error: unknown): void
}

type Waiter = { share: Share; resolve(): void; reject(error: unknown): void }

/**
 * Opens a queue. `measures` say what a share has had: the first one in which two shares differ decides, and the smaller
 * goes first.
 */
export function openFairQueue(measures: readonly ((share: Share) => number)[]): FairQueue {
  const waiters: Waiter[] = []

  function isNeedier(a: Share, b: Share): boolean {
    const { isSpare = false } = b
    if ((a.isSpare ?? false) !== isSpare) return isSpare
    for (const measure of measures) {
      const difference = measure(a) - measure(b)
      if (difference !== 0) return difference < 0
    }
    return false
  }

  return {
    get length() {
      return waiters.length
    },
    isContested: ({ accountId }) => waiters.some((waiter) => waiter.share.accountId !== accountId),
    wait: (share, signal) => waitAmong(waiters, share, signal),
    callNext() {
      let next = waiters[0]
      if (next === undefined) return null
      for (const waiter of waiters) {
        // Waiters of one share object are equal, so the first of them goes.
        if (waiter.share !== next.share && isNeedier(waiter.share, next.share)) next = waiter
      }
      remove(waiters, next)
      next.resolve()
      return next.share
    },
    fail(error) {
      for (const waiter of waiters.splice(0)) waiter.reject(error)
    },
  }
}

async function waitAmong(waiters: Waiter[], share: Share, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiter = { share, resolve, reject }
  const onAbort = (): void => {
    remove(waiters, waiter)
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  waiters.push(waiter)
  return promise.finally(() => signal.removeEventListener('abort', onAbort))
}

/** Removes a waiter, unless it was called already. */
function remove(waiters: Waiter[], waiter: Waiter): void {
  const at = waiters.indexOf(waiter)
  if (at >= 0) waiters.splice(at, 1)
}
