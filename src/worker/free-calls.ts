/** A job's hold on its account's allowance: platform calls for listing are taken here before they are asked. */
import { LIMITS } from '../config.ts'
import { type AllowanceTerms, callsOfDay, COPIED_PAGES_PER_CALL, type SpentBound } from '../jobs/allowance.ts'
import type { Db } from '../store/database.ts'
import { addFreeCalls, countDeliveredToday, readBrought, readFreeCalls, takeFreeCalls } from '../store/free-calls.ts'

export type FreeCalls = {
  /** Takes one call; false where a bound is reached, from then on for good. */
  take(): Promise<boolean>
  /** A page was read from a copy: a part of a call. */
  takeCopied(): Promise<boolean>
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

/** Calls are taken from the database several at a time: a job of one page takes one, a long one few times. */
const LEASES = [1, 4, 16, 32]

export function freeCalls(db: Db, accountId: string, terms: AllowanceTerms): FreeCalls {
  let spent: SpentBound | null = null
  const day = openDay(db, accountId, terms)
  let leases = 0
  /** Taken and not used; below zero: owed. */
  let left = 0
  let used = 0
  let copied = 0
  /** One lease at a time: dates are asked for side by side. */
  let turn: Promise<unknown> = Promise.resolve()

  /** As many as this lease may hold, or else as many as are needed now. */
  async function fill(): Promise<boolean> {
    const least = 1 - left
    const most = least - 1 + (LEASES[Math.min(leases, LEASES.length - 1)] ?? 1)
    const granted = (await day.take(most)) ? most : most > least && (await day.take(least)) ? least : 0
    left += granted
    leases += 1
    return granted > 0
  }

  async function takeOne(): Promise<boolean> {
    if (spent === null && used >= LIMITS.freeCallsPerJobMax) spent = 'job'
    if (spent === null && left < 1 && !(await fill())) spent = 'day'
    if (spent !== null) return false
    left -= 1
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
    owe(calls) {
      left -= calls
      used += calls
    },
    get daily() {
      return day.allowance ?? Infinity
    },
    get spent() {
      return spent
    },
    async checkRefused() {
      const { refused } = await readFreeCalls(db, accountId)
      if (refused === 0 || refused < terms.callsPerDay) return
      const most = await readAllowance(db, accountId, terms, await countDeliveredToday(db, accountId))
      if (refused >= most) spent = 'refused'
    },
    async settle() {
      await turn
      const listing = -left
      left = 0
      if (listing !== 0) await addFreeCalls(db, accountId, { listing, refused: 0 })
    },
  }
}

type Day = {
  /** Null until calls were taken. */
  readonly allowance: number | null
  take(calls: number): Promise<boolean>
}

function openDay(db: Db, accountId: string, terms: AllowanceTerms): Day {
  let allowance: number | null = null
  return {
    get allowance() {
      return allowance
    },
    async take(calls) {
      allowance ??= await readAllowance(db, accountId, terms)
      if (await takeFreeCalls(db, { accountId, calls, allowance })) return true
      // Transcripts of the day, and what was paid in meanwhile, are looked up only by who needs them.
      allowance = await readAllowance(db, accountId, terms, await countDeliveredToday(db, accountId))
      return takeFreeCalls(db, { accountId, calls, allowance })
    },
  }
}

async function readAllowance(db: Db, accountId: string, terms: AllowanceTerms, delivered = 0): Promise<number> {
  return callsOfDay(terms, { broughtMicros: await readBrought(db, accountId), delivered })
}
