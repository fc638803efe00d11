/**
 * What a process polls about jobs: those that its followers watch, the keys with which these came, and the jobs that it
 * runs.
 */
import type pg from 'pg'
import type { JobState } from '../model/jobs/job.ts'
import { type Executor, run, statement } from '../kit/postgres/statement.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

/** The few columns that show whether a job has anything new, since most have not, and which attempt holds it. */
type JobLook = {
  id: string
  state: JobState
  processed: number
  discovered: number
  attempt: number
  isHeld: boolean
}

const LOOK_AT_JOBS = statement<JobLook>(
  'look-at-jobs',
  `select id, state, processed, discovered, attempt, is_held as "isHeld" from job where id = any($1::text[])`,
)

const FIND_WATCHED_JOBS = statement<JobRow>(
  'find-watched-jobs',
  `select ${JOB_COLUMNS} from job where id = any($1::text[])`,
)

/** The conditions are those under which a request's key is accepted (store/authentication.ts). */
const FIND_LIVE_KEYS = statement<{ id: string }>(
  'find-live-keys',
  `select k.id from api_key k join account a on a.id = k.account_id
  where k.id = any($1::text[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    and a.suspended_at is null`,
)

/** Returns how far each job is, and who holds it; deleted jobs are missing. */
export function readLooks(on: Executor, jobIds: string[]): Promise<JobLook[]> {
  return run(on, LOOK_AT_JOBS, [jobIds])
}

/** Returns jobs of any account: their owner was checked when a follower came. */
export async function findWatchedJobs(pool: pg.Pool, jobIds: string[]): Promise<JobRecord[]> {
  return (await run(pool, FIND_WATCHED_JOBS, [jobIds])).map(toJob)
}

/** Returns which of the keys are still good: not revoked, not expired, their account not suspended. */
export async function findLiveKeys(pool: pg.Pool, keyIds: string[]): Promise<Set<string>> {
  return new Set((await run(pool, FIND_LIVE_KEYS, [keyIds])).map(({ id }) => id))
}
