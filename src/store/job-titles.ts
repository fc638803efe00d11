/** Subjects of jobs: titles of their lines' collections and of the videos that they name, and their first lines. */
import { sql } from 'kysely'
import { keptSource } from '../model/jobs/order.ts'
import type { Subject } from '../model/jobs/job-name.ts'
import { type Db, query } from './database.ts'

/** Lines of a job that are looked at: those behind them are "more". */
const LINES_LOOKED_AT = 5

/**
 * SQL for the titles of jobs' first lines: of a line's collection or, of a line that names videos, of its first. Behind
 * it stands the job.
 */
export const TITLED_LINES = `job_source s join job o on o.id = s.job_id
  left join collection c on c.account_id = o.account_id and c.id = s.collection_id
  cross join lateral (
    select coalesce(c.title, (
      select r.title from video_row r
      where s.collection_id is null and r.job_id = s.job_id and r.source = s.position order by r.index limit 1
    )) as title
  ) named
  where s.position <= ${LINES_LOOKED_AT} and named.title is not null and s.job_id`

/** Returns, by job, the title of the first of its lines that has one, and what its first line names. */
export async function listSubjects(db: Db, jobIds: string[]): Promise<Map<string, Subject>> {
  if (jobIds.length === 0) return new Map()
  const rows = await query<Subject & { jobId: string; line: string | null }>`
    select j.id as "jobId", t.title, j.urls[1] as line,
      (select s.source from job_source s where s.job_id = j.id and s.position = 1) as source
    from job j left join lateral (
      select named.title from ${sql.raw(TITLED_LINES)} = j.id order by s.position limit 1
    ) t on true
    where j.id = any(${jobIds})
  `.rows(db)
  return new Map(
    rows.map(({ jobId, title, line, source }) => {
      return [jobId, { title, source: line === null ? null : keptSource(line, source) }]
    }),
  )
}
