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
  /** Pays what is owed. */
  settle(): Promise<void>
}

export function freeCalls(db: Db, accountId: string, terms: AllowanceTerms): FreeCalls {
  let last: Promise<unknown> = Promise.resolve()
  let spent: SpentBound | null = null
  let daily: number | null = null
  let [used, copied, kept, owed] = [0, 0, 0, 0]

  /** Runs one step at a time, in the order in which they came: dates are asked for side by side. */
  function inOrder<T>(step: () => Promise<T>): Promise<T> {
    const next = last.then(step)
    last = next.catch(() => undefined)
    return next
  }

  async function takeOne(): Promise<boolean> {
    if (spent === null && used >= FREE_CALLS_PER_JOB_MAX) spent = 'job'
    const calls = owed + 1
    if (spent === null && !(await isWithinDay(calls))) spent = 'day'
    if (spent !== null) return false
    owed -= calls - 1
    used += 1
    return true
  }

  async function isWithinDay(calls: number): Promise<boolean> {
    daily ??= await readAllowance(db, accountId, terms)
    if (await takeFreeCalls(db, { accountId, calls, allowance: daily })) return true
    // Only a job that needs more looks up the transcripts of the day, and what was paid in meanwhile.
    daily = await readAllowance(db, accountId, terms, await countDeliveredToday(db, accountId))
    return takeFreeCalls(db, { accountId, calls, allowance: daily })
  }

  return {
    async takeCopied() {
      copied += 1
      return copied % COPIED_PAGES_PER_CALL === 0 ? inOrder(takeOne) : spent === null
    },
    keep(rows) {
      kept += rows
      owed += Math.floor(kept / FREE_ROWS_PER_CALL)
      kept %= FREE_ROWS_PER_CALL
    },
    async ask(question) {
      if (!(await inOrder(takeOne))) return null
      let made = 0
      try {
        return await question(() => void (made += 1))
      } finally {
        const more = Math.max(0, made - 1)
        owed += more
        used += more
      }
    },
    get daily() {
      return daily ?? Infinity
    },
    get spent() {
      return spent
    },
    async checkRefused(refused) {
      const known = refused ?? (await readFreeCalls(db, accountId)).refused
      if (await isAllRefused(db, accountId, terms, known)) spent = 'refused'
    },
    settle: () =>
      inOrder(async () => {
        const listing = owed
        owed = 0
        if (listing > 0) await addFreeCalls(db, accountId, { listing })
      }),
  }
}

/** Returns whether the account's videos in vain are as many as its calls of today. */
async function isAllRefused(
  db: Db,
  accountId: string,
  terms: AllowanceTerms,
  refused: number,
): Promise<boolean> {
  if (refused === 0 || refused < terms.callsPerDay) return false
  const delivered = await countDeliveredToday(db, accountId)
  return refused >= (await readAllowance(db, accountId, terms, delivered))
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
