/** Cancels a job: at once if no worker has it, else by asking its worker to stop. */
import type { Db, Tx } from '../../store/database.ts'
import { transact } from '../../kit/postgres/database.ts'
import { findJob, type JobRecord, setCancelling } from '../../store/jobs.ts'
import { lockJobWithBalance } from '../../store/locked-job.ts'
import { signal } from '../../store/signals.ts'
import { endJob } from './attempt.ts'
import { isFinal, nextState } from '../../model/jobs/job.ts'

type Cancelled = { job: JobRecord; isAccepted: boolean }

/**
 * Returns the job as this leaves it, whatever its worker does next, or null where the account has no such job. A job
 * that is final already stays as it is (`isAccepted` false). Safe to repeat.
 */
export async function cancelJob(
  db: Db,
  owned: { accountId: string; jobId: string },
): Promise<Cancelled | null> {
  if ((await findJob(db, owned)) === null) return null
  return transact(db, (tx) => cancelJobIn(tx, owned))
}

/** Cancels a job of the account in a transaction of its caller, who holds no lock behind the balance's. */
export async function cancelJobIn(
  tx: Tx,
  owned: { accountId: string; jobId: string },
): Promise<Cancelled | null> {
  const isAccepted = await askToEnd(tx, owned)
  const job = await findJob(tx, owned)
  return job === null ? null : { job, isAccepted }
}

async function askToEnd(tx: Tx, owned: { accountId: string; jobId: string }): Promise<boolean> {
  const locked = await lockJobWithBalance(tx, owned)
  const { job } = locked
  if (isFinal(job.state)) return false

  const asked = nextState(job.state, 'cancel')
  if (asked === null) return true // it is being cancelled already
  // A running job that was handed back has no worker, and may wait long for the next attempt.
  const state = isFinal(asked) || job.isHeld ? asked : nextState(asked, 'stop')
  if (state === null) throw new Error(`a job that is ${asked} can be stopped`)
  if (isFinal(state)) await endJob(tx, locked, { state, error: null })
  else {
    await setCancelling(tx, job.id)
    signal(tx, 'scriptorium_cancel', job.id)
  }
  return true
}
