/** Takes a trial up for a worker, and records what it was answered: the latest attempt alone writes. */
import type { Db } from '../../store/database.ts'
import { keepTrialFinding, type TakenTrial, takeTrial } from '../../store/trials.ts'
import { goodSeconds, type TrialFinding } from '../../model/previews/trial.ts'

/** Null where it is ready, or gone. `leftMs`: of its time; below zero, it is over. */
export function takeTrialUp(db: Db, trialId: string): Promise<TakenTrial | null> {
  return takeTrial(db, trialId)
}

/** False where another attempt took over, or it is gone: nothing was written. */
export function recordTrial(
  db: Db,
  taken: Pick<TakenTrial, 'id' | 'attempt'>,
  finding: TrialFinding,
): Promise<boolean> {
  return keepTrialFinding(db, taken, { finding, goodSeconds: goodSeconds(finding) })
}
