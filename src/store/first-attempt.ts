/**
 * The first attempt of a job, and what its planning asks first, in one statement: most jobs are begun once, and
 * each of these looks would be a round trip that the job waits for.
 */
import { sql } from 'kysely'
import { prepared } from '../kit/postgres/database.ts'
import type { Db } from './database.ts'
import { readRefused } from './free-calls.ts'
import { isSetKnown } from './history.ts'
import { readSources, type SourceProgress } from './job-sources.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, setFirstAttempt, toJob } from './jobs.ts'

/** What planning finds when a job is begun for the first time. */
export type PlanStart = {
  sources: SourceProgress[]
  /** Videos that the account asked for in vain today. */
  refusedToday: number
  /** The account knows nothing of any video of the URL set: no job tried one. None can until this one is final. */
  isNewSet: boolean
}

/** Of a job that nobody has begun yet; null for any other job, which stays as it is. */
export async function beginFirst(
  db: Db,
  jobId: string,
): Promise<{ job: JobRecord; start: PlanStart } | null> {
  const { rows } = await sql<JobRow & PlanStart>`${prepared('begin-first')}
    with begun as (
      ${setFirstAttempt(jobId)}
    )
    select ${sql.raw(JOB_COLUMNS)}, (${readSources()}) as sources, (${readRefused()}) as "refusedToday",
      not ${isSetKnown()} as "isNewSet"
    from begun
  `.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { sources, refusedToday, isNewSet, ...job } = row
  return { job: toJob(job), start: { sources, refusedToday, isNewSet } }
}
