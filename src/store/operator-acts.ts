/** The table `operator_act`: what an operator did to an account or a job, when and why. */
import { sql } from 'kysely'
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
  await sql`
    insert into operator_act (act, account_id, job_id, actor, reason)
    values (${act}, ${accountId}, ${jobId}, ${actor}, ${reason})
  `.execute(tx)
}

/** Newest first: what was done to the account and its jobs, or to that job alone. */
export async function listActs(
  db: Db,
  { accountId, jobId = null, limit }: { accountId: string; jobId?: string | null; limit: number },
): Promise<(Act & { doneAt: Date })[]> {
  const { rows } = await sql<Act & { doneAt: Date }>`
    select act, account_id as "accountId", job_id as "jobId", actor, reason, done_at as "doneAt"
    from operator_act
    where account_id = ${accountId} and (${jobId}::text is null or job_id = ${jobId})
    order by id desc limit ${limit}
  `.execute(db)
  return rows
}
