/** Trials: one video that a visitor without an account has read. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { goodSeconds, LATE_TRIAL, type TrialFinding } from '../../model/previews/trial.ts'
import type { Db } from '../../store/database.ts'
import { signal } from '../../store/signals.ts'
import {
  findTrial,
  findTrialOf,
  insertTrial,
  keepTrialFinding,
  lockTrials,
  readTrialWait,
  type TakenTrial,
} from '../../store/trials.ts'
import { limitTrials } from '../accounts/attempt-limits.ts'

// Starts a trial for a visitor, or finds the one that answers already.

export type TrialDeps = { db: Db; perHour: number; perDay: number }

export type TrialStart =
  | { kind: 'started' | 'known'; id: string }
  /** The service's own bound is reached: no visitor may start one for so many seconds. */
  | { kind: 'full'; seconds: number }

/**
 * One at a time over all processes, which counts exactly: trials are few, whoever asks. Throws `rate_limited`
 * where the visitor's network has started too many. Only a trial that is started counts against anybody: a
 * video that is known costs nothing, nor does asking while the service's own bound is reached.
 */
export async function startTrial(
  { db, perHour, perDay }: TrialDeps,
  { ip, videoId }: { ip: string; videoId: string },
): Promise<TrialStart> {
  const known = await findTrialOf(db, videoId)
  if (known !== null) return { kind: 'known', id: known }
  // Whoever asks while there is no room, however often, keeps nobody waiting for the lock.
  const full = await readTrialWait(db, { perHour, perDay })
  if (full > 0) return { kind: 'full', seconds: full }

  return transact(db, async (tx) => {
    await lockTrials(tx)
    const meanwhile = await findTrialOf(tx, videoId)
    if (meanwhile !== null) return { kind: 'known', id: meanwhile }
    const seconds = await readTrialWait(tx, { perHour, perDay })
    if (seconds > 0) return { kind: 'full', seconds }
    await limitTrials(tx, { ip })

    const id = `trl_${randomUUID().replaceAll('-', '')}`
    const { trialSeconds: readSeconds, trialKeptSeconds: keptSeconds } = LIMITS
    await insertTrial(tx, { id, videoId, readSeconds, keptSeconds })
    signal(tx, 'scriptorium_preview', '')
    return { kind: 'started', id }
  })
}

// Records what a trial was answered: the latest attempt alone writes.

/** False where another attempt took over, or it is gone: nothing was written. */
export function recordTrial(
  db: Db,
  taken: Pick<TakenTrial, 'id' | 'attempt'>,
  finding: TrialFinding,
): Promise<boolean> {
  return keepTrialFinding(db, taken, { finding, goodSeconds: goodSeconds(finding) })
}

// Reads a trial as a visitor sees it: what nobody read in time is told as it is, even where no worker is left to
// say so.

/** `finding` null: it is still being read. */
export type TrialView = { videoId: string; finding: TrialFinding | null }

/** Null where there is none of that id, or no longer. */
export async function readTrial(db: Db, trialId: string): Promise<TrialView | null> {
  const found = await findTrial(db, trialId)
  if (found === null) return null
  const { videoId, finding, isOverdue } = found
  return { videoId, finding: finding ?? (isOverdue ? LATE_TRIAL : null) }
}
