/**
 * Begins the first attempt of a job and reads what its planning asks first, in one statement. Most jobs are begun once,
 * and each of these reads would cost the job a round trip.
 */
import { run, statement, WITHOUT_FLUSH } from '../kit/postgres/statement.ts'
import type { Db } from './database.ts'
import type { SourceProgress } from './job-sources.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

/** What planning finds when a job is begun for the first time. */
export type PlanStart = {
  sources: SourceProgress[]
  /** How many of the account's videos were refused today (UTC). */
  refusedToday: number
  /**
   * Whether the account's history has nothing of the URL set: no job has tried a video of it, and none can until this
   * one is final.
   */
  isNewSet: boolean
}

/** Begins a queued job without a flush: if a crash of the server undoes it, nobody has begun the job. */
const BEGIN_FIRST = statement<JobRow & PlanStart>(
  'begin-first',
  `
  with begun as (
    update job set state = 'running', started_at = now()
    where id = $1 and state = 'queued' and attempt = 1 and ${WITHOUT_FLUSH}
    returning *
  )
  select ${JOB_COLUMNS},
    (select coalesce(json_agg(json_build_object('position', s.position, 'line', s.line, 'state', s.state,
        'cursor', s.cursor, 'copyId', s.copy_id, 'heads', s.heads, 'listed', s.listed, 'isPreviewed', s.is_previewed)
        order by s.position), '[]') from job_source s where s.job_id = begun.id) as sources,
    (select coalesce(max(f.refused), 0) from free_calls f
      where f.account_id = begun.account_id and f.day = (now() at time zone 'utc')::date) as "refusedToday",
    not exists (select from history h
      where h.account_id = begun.account_id and h.url_set_hash = begun.url_set_hash) as "isNewSet"
  from begun`,
)

/** Begins a job that was claimed for the first time. Returns null for any other job, which stays as it is. */
export async function beginFirst(
  db: Db,
  jobId: string,
): Promise<{ job: JobRecord; start: PlanStart } | null> {
  const [row] = await run(db, BEGIN_FIRST, [jobId])
  if (row === undefined) return null
  const { sources, refusedToday, isNewSet, ...job } = row
  return { job: toJob(job), start: { sources, refusedToday, isNewSet } }
}
