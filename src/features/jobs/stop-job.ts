/** Stops a job for an operator: cancelled and settled at once, even while a worker has it. */
import type { Db, Tx } from '../../store/database.ts'
import { transact } from '../../kit/postgres/database.ts'
import { lockJob } from '../../store/jobs.ts'
import { lockBalance, type LockedBalance } from '../../store/ledger.ts'
import { insertAct } from '../../store/operator-acts.ts'
import { signal } from '../../store/signals.ts'
import { endJob } from './end-job.ts'
import { isFinal } from '../../model/jobs/job.ts'

const STOPPED =
  'The operator of this service cancelled the job; what it delivered is kept and charged.'

/** False where the job is final already: then nothing was done. */
export function stopJob(
  db: Db,
  {
    accountId,
    jobId,
    ...word
  }: { accountId: string; jobId: string; actor: string; reason: string },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const balance = await lockBalance(tx, accountId)
    if ((await stopLocked(tx, balance, jobId)) === null) return false
    await insertAct(tx, { act: 'cancel_job', accountId, jobId, ...word })
    return true
  })
}

/**
 * Within a transaction that has locked the balance; returns the balance after it, or null where the
 * job is final already. A worker in the middle of it is not waited for: it records nothing more,
 * since rows are recorded in state `running` only, and is told to stop.
 */
export async function stopLocked(
  tx: Tx,
  balance: LockedBalance,
  jobId: string,
): Promise<LockedBalance | null> {
  const job = await lockJob(tx, jobId)
  if (isFinal(job.state)) return null
  const { after } = await endJob(tx, { balance, job }, { state: 'cancelled', error: STOPPED })
  signal(tx, 'scriptorium_cancel', jobId)
  return after
}
