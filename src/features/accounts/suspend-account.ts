/** Suspends an account: its keys and sessions stop, its jobs end settled, its money stays. */
import { stopLocked } from '../jobs/stop-job.ts'
import { setSuspended } from '../../store/accounts.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { listOpenJobIds } from '../../store/jobs.ts'
import { lockBalance } from '../../store/ledger.ts'
import { insertAct } from '../../store/operator-acts.ts'
import { deleteSessions } from '../../store/sign-in.ts'

/** `stoppedJobs`: ids of the jobs that were ended by it. */
export type Suspension = { stoppedJobs: string[] }

/**
 * One commit: from then on no request of the account is let in, in any process, and no job of it is
 * open. Null where it is suspended already. Nothing but its sessions is deleted; resume-account gives
 * the rest back.
 */
export function suspendAccount(
  db: Db,
  { accountId, ...word }: { accountId: string; actor: string; reason: string },
): Promise<Suspension | null> {
  return transact(db, async (tx) => {
    // Whoever starts a job holds this lock: such a job is either seen below or refused afterwards.
    let balance = await lockBalance(tx, accountId)
    if (!(await setSuspended(tx, accountId, true))) return null

    const stoppedJobs = await listOpenJobIds(tx, accountId)
    for (const jobId of stoppedJobs) balance = (await stopLocked(tx, balance, jobId)) ?? balance
    await deleteSessions(tx, accountId)
    await insertAct(tx, { act: 'suspend_account', accountId, jobId: null, ...word })
    return { stoppedJobs }
  })
}
