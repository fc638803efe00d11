/** What a process asks again and again about jobs: those that it tells followers of, with the keys they came with, and those that it runs. */
import type pg from 'pg'
import type { JobState } from '../model/jobs/job.ts'
import type { Db } from './database.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

/** As little as says whether a job has anything new: most have not. */
export type JobLook = { id: string; state: JobState; processed: number; discovered: number }

/** Exported for the test that counts the looks. */
export const LOOK_AT_JOBS = statement<JobLook>(
  'look-at-jobs',
  `select id, state, processed, discovered from job where id = any($1::text[])`,
)

const FIND_WATCHED_JOBS = statement<JobRow>(
  'find-watched-jobs',
  `select ${JOB_COLUMNS} from job where id = any($1::text[])`,
)

/** The same keys that a request may come with (store/authentication.ts). */
const FIND_LIVE_KEYS = statement<{ id: string }>(
  'find-live-keys',
  `select k.id from api_key k join account a on a.id = k.account_id
  where k.id = any($1::text[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    and a.suspended_at is null`,
)

/** How far each of the jobs is; one that is gone is left out. */
export function lookAtJobs(pool: pg.Pool, jobIds: string[]): Promise<JobLook[]> {
  return run(pool, LOOK_AT_JOBS, [jobIds])
}

/** The jobs of any account: whose they are was found out when their followers came. */
export async function findWatchedJobs(pool: pg.Pool, jobIds: string[]): Promise<JobRecord[]> {
  return (await run(pool, FIND_WATCHED_JOBS, [jobIds])).map(toJob)
}

/** Those of the keys that are still good: not revoked, not expired, their account not suspended. */
export async function findLiveKeys(pool: pg.Pool, keyIds: string[]): Promise<Set<string>> {
  return new Set((await run(pool, FIND_LIVE_KEYS, [keyIds])).map(({ id }) => id))
}

/** States of the jobs a worker holds, and who holds them. */
export async function readHolds(
  db: Db,
  jobIds: string[],
): Promise<{ id: string; state: JobState; attempt: number; isHeld: boolean }[]> {
  return db
    .selectFrom('job')
    .select(['id', 'state', 'attempt', 'is_held as isHeld'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(jobIds))))
    .execute()
}
