/** Deletes expired sessions, links, challenges, sign-ups and rate limits of sign-in. */
import { LIMITS } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import { deleteVoidRows } from '../store/sweep.ts'
import { sweepBuckets } from '../store/visits.ts'

/** In batches, so that no statement takes long; what is left is for the next time. Returns how many rows. */
export async function sweepSignIn(db: Db): Promise<number> {
  let swept = 0
  for (let round = 0; round < LIMITS.sweepRounds; round += 1) {
    const deleted = await deleteVoidRows(db, LIMITS.sweepRows)
    swept += deleted
    if (deleted < LIMITS.sweepRows) break
  }
  return swept
}

/** Deletes rate limits of keys and accounts that are long full again. */
export async function sweepRateLimits(db: Db): Promise<void> {
  await sweepBuckets(db)
}
