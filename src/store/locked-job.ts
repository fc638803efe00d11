/** A job and the balance that pays for it, locked together: whoever ends or begins one needs both. */
import assert from 'node:assert/strict'
import { run, statement } from '../kit/postgres/statement.ts'
import type { Tx } from './database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'
import { LOCKED_BALANCE, type LockedBalance } from './ledger.ts'

/** `delivered`: the job's rows with a transcript; null where some were recorded while the locks were waited for. */
export type LockedJob = { balance: LockedBalance; job: JobRecord; delivered: number | null }

type Row = JobRow & Omit<LockedBalance, 'accountId'> & { delivered: number | null }

const LOCK_JOB_WITH_BALANCE = statement<Row>(
  'lock-job-with-balance',
  `
  with locked as materialized (
    select ${LOCKED_BALANCE} from balance where account_id = $1 for update
  ), seen as materialized (
    select processed as seen_processed, (select count(*)::int from video_row
      where job_id = $2 and status = 'success') as seen_delivered
    from job where id = $2
  )
  select locked.*, ${JOB_COLUMNS}, case when seen_processed = processed then seen_delivered end as delivered
  from locked, seen, job where job.id = $2 for update of job`,
)

/**
 * Locks both until the transaction ends, in the order of all who lock them: the balance, then the job. Each is as
 * it was when its lock was had. The rows are counted as they were when the statement began, which is how they are as
 * long as the job has processed no more of them since: whoever records rows counts them on the job.
 */
export async function lockJobWithBalance(
  tx: Tx,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<LockedJob> {
  const [row] = await run(tx, LOCK_JOB_WITH_BALANCE, [accountId, jobId])
  assert(row !== undefined, `job ${jobId} exists, and its account has a balance`)
  const { postedMicros, heldMicros, entries, head, now, delivered, ...job } = row
  return {
    balance: { accountId, postedMicros, heldMicros, entries, head, now },
    job: toJob(job),
    delivered,
  }
}
