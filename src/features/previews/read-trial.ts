/** Reads a trial as a visitor sees it: what nobody read in time is told as it is, even where no worker is left to say so. */
import type { Db } from '../../store/database.ts'
import { findTrial } from '../../store/trials.ts'
import { LATE_TRIAL, type TrialFinding } from '../../model/previews/trial.ts'

/** `finding` null: it is still being read. */
export type TrialView = { videoId: string; finding: TrialFinding | null }

/** Null where there is none of that id, or no longer. */
export async function readTrial(db: Db, trialId: string): Promise<TrialView | null> {
  const found = await findTrial(db, trialId)
  if (found === null) return null
  const { videoId, finding, isOverdue } = found
  return { videoId, finding: finding ?? (isOverdue ? LATE_TRIAL : null) }
}
