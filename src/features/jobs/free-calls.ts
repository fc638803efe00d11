/** A job's use of its account's allowance: platform calls for listing are counted before they are made. */
import {
  type AllowanceTerms,
  callsOfDay,
  COPIED_PAGES_PER_CALL,
  FREE_ROWS_PER_CALL,
  type SpentBound,
} from '../../model/jobs/allowance.ts'
import type { Db } from '../../store/database.ts'
import {
  addFreeCalls,
  countDeliveredToday,
  readBrought,
  readFreeCalls,
  takeFreeCalls,
} from '../../store/free-calls.ts'

/** Number of platform calls of one job that are not paid for: lists of half a million videos, or a playlist's dates. */
const FREE_CALLS_PER_JOB_MAX = 10_000

export type FreeCalls = {
  /** Counts a page that was read from a copy, which is a part of a call. Returns false where a bound is reached. */
  takeCopied(): Promise<boolean>
  /** Counts rows that cost nothing and are kept: a number of them is a call. */
  keep(rows: number): void
  /**
   * Takes a call for a question, and owes the further calls of it, each reported by `onCall`. Returns null where a
   * bound is reached, and from then on always.
   */
  ask<T>(question: (onCall: () => void) => Promise<T>): Promise<T | null>
  /** The bound that was reached; null as long as none was. */
  readonly spent: SpentBound | null
  /** The account's calls of a day; Infinity as long as it is not known. */
  readonly daily: number
  /**
   * Checks whether the account asked for so many videos in vain today that no further one is tried. `refused` is their
   * number, where that was read already.
   */
  checkRefused(refused?: number): Promise<void>
  /** Gives back what was taken and not used, and pays what is owed. */
  settle(): Promise<void>
}

export function freeCalls(db: Db, accountId: string, terms: AllowanceTerms): FreeCalls {
  const leased = openLeasedCalls(db, accountId, terms)
  const inOrder = openSequence()
  let spent: SpentBound | null = null
  let [used, copied, kept] = [0, 0, 0]

  async function takeOne(): Promise<boolean> {
    if (spent === null && used >= FREE_CALLS_PER_JOB_MAX) spent = 'job'
    if (spent === null && !(await leased.take())) spent = 'day'
    if (spent === null) used += 1
    return spent === null
  }

  return {
    async takeCopied() {
      copied += 1
      return copied % COPIED_PAGES_PER_CALL === 0 ? inOrder.run(takeOne) : spent === null
    },
    keep(rows) {
      kept += rows
      leased.owe(Math.floor(kept / FREE_ROWS_PER_CALL))
      kept %= FREE_ROWS_PER_CALL
    },
    async ask(question) {
      if (!(await inOrder.run(takeOne))) return null
      let made = 0
      try {
        return await question(() => void (made += 1))
      } finally {
        const more = Math.max(0, made - 1)
        leased.owe(more)
        used += more
      }
    },
    get daily() {
      return leased.daily ?? Infinity
    },
    get spent() {
      return spent
    },
    async checkRefused(refused) {
      const known = refused ?? (await readFreeCalls(db, accountId)).refused
      if (await isAllRefused(known, { db, accountId, terms })) spent = 'refused'
    },
    settle: () => inOrder.run(leased.settle),
  }
}

/** Returns whether the account's videos in vain are as many as its calls of today. */
async function isAllRefused(
  refused: number,
  { db, accountId, terms }: { db: Db; accountId: string; terms: AllowanceTerms },
): Promise<boolean> {
  if (refused === 0 || refused < terms.callsPerDay) return false
  const delivered = await countDeliveredToday(db, accountId)
  return refused >= (await readAllowance(db, accountId, terms, delivered))
}

/** Opens a sequence that runs one step at a time, in the order in which they came: dates are asked for side by side. */
function openSequence(): { run<T>(step: () => Promise<T>): Promise<T> } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(step) {
      const next = last.then(step)
      last = next.catch(() => undefined)
      return next
    },
  }
}

// Calls of an account's day that a job has leased: taken from the database several at a time, given back if unused.

/** Sizes of leases: a job of one page takes one call, a long one takes many calls at a time. */
const LEASES = [1, 4, 16, 32]

export type LeasedCalls = {
  /** The account's calls of a day; null until some were taken. */
  readonly daily: number | null
  take(): Promise<boolean>
  owe(calls: number): void
  /** Gives back what was not used, and pays what is owed. */
  settle(): Promise<void>
}

export function openLeasedCalls(db: Db, accountId: string, terms: AllowanceTerms): LeasedCalls {
  let daily: number | null = null
  let leases = 0
  /** Calls that are left; below zero they are owed. */
  let left = 0

  async function lease(calls: number): Promise<boolean> {
    daily ??= await readAllowance(db, accountId, terms)
    if (await takeFreeCalls(db, { accountId, calls, allowance: daily })) return true
    // Only a job that needs more looks up the transcripts of the day, and what was paid in meanwhile.
    daily = await readAllowance(db, accountId, terms, await countDeliveredToday(db, accountId))
    return takeFreeCalls(db, { accountId, calls, allowance: daily })
  }

  return {
    get daily() {
      return daily
    },
    async take() {
      if (left < 1) {
        left += await fill(1 - left, LEASES[Math.min(leases, LEASES.length - 1)] ?? 1, lease)
        leases += 1
      }
      if (left < 1) return false
      left -= 1
      return true
    },
    owe(calls) {
      left -= calls
    },
    async settle() {
      const listing = -left
      left = 0
      if (listing !== 0) await addFreeCalls(db, accountId, { listing, refused: 0 })
    },
  }
}

/** Leases the most that this lease may hold, or else what is needed now, or none. Returns how many calls. */
async function fill(
  least: number,
  size: number,
  lease: (calls: number) => Promise<boolean>,
): Promise<number> {
  const most = least - 1 + size
  if (await lease(most)) return most
  return most > least && (await lease(least)) ? least : 0
}

/** Returns how many calls the account has today; `delivered` transcripts earn some. */
export async function readAllowance(
  db: Db,
  accountId: string,
  terms: AllowanceTerms,
  delivered = 0,
): Promise<number> {
  return callsOfDay(terms, { broughtMicros: await readBrought(db, accountId), delivered })
}
