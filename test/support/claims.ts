/** Claims of a job that a test chooses, where a worker would take the next in line. */
import assert from 'node:assert/strict'
import { transact } from '../../src/kit/postgres/database.ts'
import { sql } from 'kysely'
import { beginAttempt, type BegunAttempt } from '../../src/features/jobs/attempt.ts'
import type { Attempt, AttemptBudget } from '../../src/model/jobs/attempt.ts'
import type { Db } from '../../src/store/database.ts'

type Owned = { jobId: string; accountId: string }

/** Claims the open job's next attempt; a worker that held the job has then lost it. */
export async function claimOpen(db: Db, job: Owned): Promise<Attempt> {
  const attempt = await claimIfOpen(db, job)
  assert(attempt !== null, `job ${job.jobId} is open`)
  return attempt
}

/** Claims the job and begins the attempt; returns null where the job is over. */
export async function claimAndBegin(
  db: Db,
  job: Owned,
  budget: AttemptBudget,
): Promise<(BegunAttempt & { attempt: Attempt }) | null> {
  const attempt = await claimIfOpen(db, job)
  if (attempt === null) return null
  return beginClaimed(db, attempt, budget)
}

/** Returns null where the job is over, or ends since its budget is used up. */
export async function beginClaimed(
  db: Db,
  attempt: Attempt,
  budget: AttemptBudget,
): Promise<(BegunAttempt & { attempt: Attempt }) | null> {
  const begun = await transact(db, (tx) => beginAttempt(tx, attempt, budget))
  return begun === null ? null : { ...begun, attempt }
}

/** Returns null where the job is over. */
export async function claimIfOpen(db: Db, { jobId, accountId }: Owned): Promise<Attempt | null> {
  const { rows } = await sql<{ number: number }>`
    update job set attempt = attempt + 1, is_lost = is_held, is_held = true
    where id = ${jobId} and charged_micros is null returning attempt as number
  `.execute(db)
  const [row] = rows
  return row === undefined ? null : { jobId, accountId, number: row.number }
}
