/** A job and the balance that pays for it, locked together: whoever ends or begins one needs both. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { prepared, type Tx } from '../postgres/database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'
import { LOCKED_BALANCE, type LockedBalance } from './ledger.ts'

export type LockedJob = { balance: LockedBalance; job: JobRecord }

type Row = JobRow & Omit<LockedBalance, 'accountId'>

/**
 * Locks both until the transaction ends, in the order of all who lock them: the balance, then the job. Each is as
 * it was when its lock was had.
 */
export async function lockJobWithBalance(
  tx: Tx,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<LockedJob> {
  const { rows } = await sql<Row>`${prepared('lock-job-with-balance')}
    with locked as materialized (
      select ${LOCKED_BALANCE} from balance where account_id = ${accountId} for update
    )
    select locked.*, ${sql.raw(JOB_COLUMNS)} from locked, job where job.id = ${jobId} for update of job
  `.execute(tx)
  const [row] = rows
  assert(row !== undefined, `job ${jobId} exists, and its account has a balance`)
  const { postedMicros, heldMicros, entries, head, openJobs, now, ...job } = row
  return {
    balance: { accountId, postedMicros, heldMicros, entries, head, openJobs, now },
    job: toJob(job),
  }
}
