/**
 * Writes down beside a row that an attempt reads what the platform said of its video. Should the attempt be
 * lost in the middle, the next one knows which video it died of (decision 0010).
 */
import type { Db } from '../../store/database.ts'
import { setSuspect } from '../../store/video-rows.ts'
import type { Attempt } from '../../model/jobs/attempt.ts'

/** False where the job is no longer this attempt's, or the row is recorded: then it must not be read. */
export function markSuspect(db: Db, { jobId, number }: Attempt, index: number): Promise<boolean> {
  return setSuspect(db, { jobId, attempt: number, index, isRead: true })
}

/** It was read, and nothing happened. */
export async function clearSuspect(
  db: Db,
  { jobId, number }: Attempt,
  index: number,
): Promise<void> {
  await setSuspect(db, { jobId, attempt: number, index, isRead: false })
}
