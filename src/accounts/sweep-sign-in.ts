/** Deletes expired sessions, links, challenges, sign-ups and rate limits of sign-in. */
import { LIMITS } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import { sweepAttempts } from '../store/attempt-buckets.ts'
import { sweepSignIns } from '../store/sign-in.ts'
import { sweepSignUps } from '../store/sign-ups.ts'
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

/** Deletes up to `rowsMax` rows of each kind. Returns how many; processes may run it side by side. */
export async function deleteVoidRows(db: Db, rowsMax: number): Promise<number> {
  const signIns = await sweepSignIns(db, rowsMax)
  const signUps = await sweepSignUps(db, rowsMax)
  return signIns + signUps + (await sweepAttempts(db, rowsMax))
}

/** Deletes rate limits of keys and accounts that are long full again. */
export async function sweepRateLimits(db: Db): Promise<void> {
  await sweepBuckets(db)
}
