/** Keeps the cache of compressed forms within its bound (PACKED_FORMS_MB): those made first go first. */
import { LIMITS } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import { deleteOldestPacked } from '../store/packed-forms.ts'

const MEGABYTE = 1024 * 1024

/** Some thousands a statement, so that none takes long; what is left is for the next time. Returns how many. */
export async function sweepPackedForms(db: Db, megabytesMax: number): Promise<number> {
  let forms = 0
  for (let round = 0; round < LIMITS.sweepRounds; round += 1) {
    const deleted = await deleteOldestPacked(db, {
      bytesMax: megabytesMax * MEGABYTE,
      keptSeconds: LIMITS.packedKeptSeconds,
      rowsMax: LIMITS.packedRowsSwept,
    })
    forms += deleted
    if (deleted < LIMITS.packedRowsSwept) break
  }
  return forms
}
