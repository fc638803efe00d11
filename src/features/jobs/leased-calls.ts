/** Calls of an account's day that a job has leased: taken from the database several at a time, given back if unused. */
import { type AllowanceTerms, callsOfDay } from '../../model/jobs/allowance.ts'
import type { Db } from '../../store/database.ts'
import {
  addFreeCalls,
  countDeliveredToday,
  readBrought,
  takeFreeCalls,
} from '../../store/free-calls.ts'

/** A job of one page takes one call, a long one few times many. */
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
  /** Below zero: owed. */
  let left = 0

  async function lease(calls: number): Promise<boolean> {
    daily ??= await readAllowance(db, accountId, terms)
    if (await takeFreeCalls(db, { accountId, calls, allowance: daily })) return true
    // Transcripts of the day, and what was paid in meanwhile, are looked up only by who needs them.
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

/** As many as this lease may hold, or else as many as are needed now, or none. */
async function fill(
  least: number,
  size: number,
  lease: (calls: number) => Promise<boolean>,
): Promise<number> {
  const most = least - 1 + size
  if (await lease(most)) return most
  return most > least && (await lease(least)) ? least : 0
}

/** How many calls the account has today; `delivered` transcripts earn some. */
export async function readAllowance(
  db: Db,
  accountId: string,
  terms: AllowanceTerms,
  delivered = 0,
): Promise<number> {
  return callsOfDay(terms, { broughtMicros: await readBrought(db, accountId), delivered })
}
