/** A job's use of its account's allowance: platform calls for listing are counted before they are made. */
import { LIMITS } from '../config.ts'
import {
  type AllowanceTerms,
  callsOfDay,
  COPIED_PAGES_PER_CALL,
  FREE_ROWS_PER_CALL,
  type SpentBound,
} from '../jobs/allowance.ts'
import type { Db } from '../postgres/database.ts'
import {
  addFreeCalls,
  countDeliveredToday,
  readBrought,
  readFreeCalls,
  takeFreeCalls,
} from '../store/free-calls.ts'

export type FreeCalls = {
  /** Takes one call; false where a bound is reached, from then on for good. */
  take(): Promise<boolean>
  /** A page was read from a copy: a part of a call. */
  takeCopied(): Promise<boolean>
  /** Rows that cost nothing are kept: so many count as a call. */
  keep(rows: number): void
  /** One question took more calls than the one taken for it. */
  owe(calls: number): void
  /** The bound that was reached; null as long as none was. */
  readonly spent: SpentBound | null
  /** The account's calls of a day, as far as it is known. */
  readonly daily: number
  /** Looks whether the account asked for so many videos in vain today that no further one is tried. */
  checkRefused(): Promise<void>
  /** Gives back what was taken and not used, and pays what is owed. */
  settle(): Promise<void>
}

export function freeCalls(db: Db, accountId: string, terms: AllowanceTerms): FreeCalls {
  const purse = openPurse(db, accountId, terms)
  let spent: SpentBound | null = null
  let used = 0
  let copied = 0
  let kept = 0
  /** One at a time: dates are asked for side by side. */
  let turn: Promise<unknown> = Promise.resolve()

  async function takeOne(): Promise<boolean> {
    if (spent === null && used >= LIMITS.freeCallsPerJobMax) spent = 'job'
    if (spent === null && !(await purse.take())) spent = 'day'
    if (spent !== null) return false
    used += 1
    return true
  }

  function take(): Promise<boolean> {
    const taken = turn.then(takeOne)
    turn = taken.catch(() => undefined)
    return taken
  }

  return {
    take,
    async takeCopied() {
      copied += 1
      return copied % COPIED_PAGES_PER_CALL === 0 ? take() : spent === null
    },
    keep(rows) {
      kept += rows
      purse.owe(Math.floor(kept / FREE_ROWS_PER_CALL))
      kept %= FREE_ROWS_PER_CALL
    },
    owe(calls) {
      purse.owe(calls)
      used += calls
    },
    get daily() {
      return purse.daily ?? Infinity
    },
    get spent() {
      return spent
    },
    async checkRefused() {
      const { refused } = await readFreeCalls(db, accountId)
      if (refused === 0 || refused < terms.callsPerDay) return
      const most = await readAllowance(
        db,
        accountId,
        terms,
        await countDeliveredToday(db, accountId),
      )
      if (refused >= most) spent = 'refused'
    },
    async settle() {
      await turn
      await purse.settle()
    },
  }
}

/** Calls are taken from the database several at a time: a job of one page takes one, a long one few times. */
const LEASES = [1, 4, 16, 32]

type Purse = {
  /** The account's calls of a day; null until some were taken. */
  readonly daily: number | null
  take(): Promise<boolean>
  owe(calls: number): void
  settle(): Promise<void>
}

/** What is taken from the account's day and not used yet. */
function openPurse(db: Db, accountId: string, terms: AllowanceTerms): Purse {
  let daily: number | null = null
  let leases = 0
  /** Below zero: owed. */
  let left = 0

  async function lease(calls: number): Promise<boolean> {
    daily ??= await readAllowance(db, accountId, terms)
    if (await takeFreeCalls(db, { accountId, calls, allowance: daily })) return true
    // Transcripts of the day, and what was paid in meanwhile, are looked up only by who needs them.
    daily = await readAllowance(db, accountId, terms, await countDeliveredToday(db, accountId))
    return takeFreeCalls(db, { accountId, calls, allowance: daily })
  }

  /** As many as this lease may hold, or else as many as are needed now. */
  async function fill(): Promise<void> {
    const least = 1 - left
    const most = least - 1 + (LEASES[Math.min(leases, LEASES.length - 1)] ?? 1)
    leases += 1
    if (await lease(most)) left += most
    else if (most > least && (await lease(least))) left += least
  }

  return {
    get daily() {
      return daily
    },
    async take() {
      if (left < 1) await fill()
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

async function readAllowance(
  db: Db,
  accountId: string,
  terms: AllowanceTerms,
  delivered = 0,
): Promise<number> {
  return callsOfDay(terms, { broughtMicros: await readBrought(db, accountId), delivered })
}
