/** A job and the balance that pays for it, locked together, as a transaction that begins or ends a job needs them. */
import assert from 'node:assert/strict'
import { run, statement } from '../kit/postgres/statement.ts'
import type { Tx } from './database.ts'
import { JOB_COLUMNS, type JobKey, type JobRecord, type JobRow, toJob } from './jobs.ts'
import { LOCKED_BALANCE, type LockedBalance } from './ledger.ts'

/**
 * `delivered` is how many of the job's rows have a transcript; null where rows were recorded while the statement waited
 * for the locks.
 */
type LockedJob = { balance: LockedBalance; job: JobRecord; delivered: number | null }

type Row = JobRow & LockedBalance & { delivered: number | null }

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
 * Locks the balance, then the job, until the transaction ends: the order of every transaction that locks both. Each row
 * is read after its lock is held. The delivered rows are counted when the statement begins; that count still holds if
 * the job has processed no more rows since, because each write of rows counts them on the job.
 */
export async function lockJobWithBalance(tx: Tx, { accountId, jobId }: JobKey): Promise<LockedJob> {
  const [row] = await run(tx, LOCK_JOB_WITH_BALANCE, [accountId, jobId])
  assert(row !== undefined, `job ${jobId} exists, and its account has a balance`)
  const { postedMicros, heldMicros, entries, head, now, delivered, ...job } = row
  return {
    balance: { accountId, postedMicros, heldMicros, entries, head, now },
    job: toJob(job),
    delivered,
  }
}
