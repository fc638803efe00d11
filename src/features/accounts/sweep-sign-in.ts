/**
 * Deletes expired sessions, links, challenges, sign-ups and changes of address, and rate limits that are full again.
 */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { sweepAddressChanges } from '../../store/address-changes.ts'
import { sweepBuckets } from '../../store/rate-buckets.ts'
import { sweepSignIns } from '../../store/sign-in.ts'
import { sweepSignUps } from '../../store/sign-ups.ts'

/** Number of buckets that one statement deletes. */
const SWEPT_BUCKETS_MAX = 10_000

/** Deletes in batches, so that no statement takes long; the rest is left for the next time. Returns how many rows. */
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
  const changes = await sweepAddressChanges(db, rowsMax)
  return signIns + changes + (await sweepSignUps(db, rowsMax))
}

/** Deletes rate limits that are long full again, in batches: some may have been made by a flood. */
export async function sweepRateLimits(db: Db): Promise<void> {
  while ((await sweepBuckets(db, SWEPT_BUCKETS_MAX)) === SWEPT_BUCKETS_MAX);
}
