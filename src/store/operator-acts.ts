/** The table `operator_act`: what an operator did to an account or a job, when and why. */
import type { Db, Tx } from '../postgres/database.ts'

export type ActName = 'suspend_account' | 'resume_account' | 'cancel_job'

export type Act = {
  act: ActName
  accountId: string
  /** With `cancel_job` exactly. */
  jobId: string | null
  /** Who did it, as they or their machine named them. */
  actor: string
  reason: string | null
}

export async function insertAct(
  tx: Tx,
  { act, accountId, jobId, actor, reason }: Act,
): Promise<void> {
  await tx
    .insertInto('operator_act')
    .values({ act, account_id: accountId, job_id: jobId, actor, reason })
    .execute()
}

/** Newest first: what was done to the account and its jobs, or to that job alone. */
export async function listActs(
  db: Db,
  { accountId, jobId = null, limit }: { accountId: string; jobId?: string | null; limit: number },
): Promise<(Act & { doneAt: Date })[]> {
  return db
    .selectFrom('operator_act')
    .select([
      'act',
      'account_id as accountId',
      'job_id as jobId',
      'actor',
      'reason',
      'done_at as doneAt',
    ])
    .where('account_id', '=', accountId)
    .$if(jobId !== null, (acts) => acts.where('job_id', '=', jobId))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
