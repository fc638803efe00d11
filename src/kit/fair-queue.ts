/**
 * A fair queue: of those that wait, the account goes first that had the least so far; within it, its job
 * that had the least; among equals, who came first. What nobody ordered goes last.
 */

/**
 * On whose behalf something is done. `isSpare`: of nobody's order (a preview), so that it waits as long as
 * anybody else does.
 */
export type Share = { accountId: string; jobId: string; isSpare?: boolean }

/** What is done for nobody's job: the doctor, a test. */
export const OPERATOR: Share = { accountId: 'operator', jobId: 'none' }

/**
 * How far one may be ahead of the queue's time, or behind it, in units of work (calls, turns); more is neither
 * saved nor owed. Who comes new is ahead by half of it, which an order of one video, some four calls, does
 * not use up; who was given work back, for delivering, or had none for long, by all of it.
 */
const LEAD_MAX = 40
const LEAD_OF_NEW = LEAD_MAX / 2
/** Accounts, and jobs of each, that are remembered; beyond, those are forgotten that had no work for the longest. */
const REMEMBERED_MAX = 1_000

/**
 * Work done while others waited, of accounts and of the jobs within each; it only says who had more. What
 * kept nobody waiting is not counted: it is to be added where the queue was contested.
 */
export type Work = {
  ofAccount(share: Share): number
  ofJob(share: Share): number
  /** Adds to both; a negative amount is given back. */
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
  /** Returns the name that was forgotten for it, if any. */
  add(name: string, amount: number): string | null
}

/**
 * Start-time fair queuing (Goyal, Vin, Cheng 1996): each has a tag that grows by what it gets, and the
 * queue's own time is the tag of who was served last. Tags count only near that time.
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
      tags.delete(name) // to the end of the map's order
      tags.set(name, start + amount)
      const [oldest] = tags.keys()
      if (tags.size <= REMEMBERED_MAX || oldest === undefined) return null
      tags.delete(oldest)
      return oldest
    },
  }
}

export type FairQueue = {
  readonly length: number
  /** Another account waits. */
  isContested(share: Share): boolean
  /** Resolves when called; rejects with the signal's reason, or as `fail` says. */
  wait(share: Share, signal: AbortSignal): Promise<void>
  /** Calls the next; null where nobody waits. */
  callNext(): Share | null
  /** Sends everybody away with this error. */
  fail(error: unknown): void
}

function isSpare(share: Share): boolean {
  return share.isSpare === true
}

type Waiter = { share: Share; answer(error: { is: unknown } | null): void }

/** `measures`: what each has had; the first in which two differ decides, and the smaller goes first. */
export function openFairQueue(measures: readonly ((share: Share) => number)[]): FairQueue {
  const waiters: Waiter[] = []

  function isNeedier(a: Share, b: Share): boolean {
    if (isSpare(a) !== isSpare(b)) return isSpare(b)
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
        // Those of one job are equal: the first of them goes.
        if (waiter.share !== next.share && isNeedier(waiter.share, next.share)) next = waiter
      }
      remove(waiters, next)
      next.answer(null)
      return next.share
    },
    fail(error) {
      for (const waiter of waiters.splice(0)) waiter.answer({ is: error })
    },
  }
}

function waitAmong(waiters: Waiter[], share: Share, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      remove(waiters, waiter)
      waiter.answer({ is: signal.reason })
    }
    const waiter: Waiter = {
      share,
      answer(error) {
        signal.removeEventListener('abort', onAbort)
        if (error === null) resolve()
        else reject(error.is as Error)
      },
    }
    signal.addEventListener('abort', onAbort, { once: true })
    waiters.push(waiter)
  })
}

function remove(waiters: Waiter[], waiter: Waiter): void {
  waiters.splice(waiters.indexOf(waiter), 1)
}
