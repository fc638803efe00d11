/** Titles of what jobs are about: of their lines' collections, and of the videos that they name. */
import { type Db, query } from './database.ts'

/** Lines of a job that are looked at: those behind them are "more". */
const LINES_LOOKED_AT = 5

/**
 * Returns, by job, the title of the first of its lines that has one. Jobs whose lines have none yet are missing.
 */
export async function listJobTitles(
  db: Db,
  { accountId, jobIds }: { accountId: string; jobIds: string[] },
): Promise<Map<string, string>> {
  if (jobIds.length === 0) return new Map()
  const rows = await query<{ jobId: string; title: string }>`
    select distinct on (s.job_id) s.job_id as "jobId", t.title
    from job_source s left join collection c on c.account_id = ${accountId} and c.id = s.collection_id
    cross join lateral (
      select coalesce(c.title, (
        select r.title from video_row r
        where s.collection_id is null and r.job_id = s.job_id and r.source = s.position order by r.index limit 1
      )) as title
    ) t
    where s.job_id = any(${jobIds}) and s.position <= ${LINES_LOOKED_AT} and t.title is not null
    order by s.job_id, s.position
  `.rows(db)
  return new Map(rows.map(({ jobId, title }) => [jobId, title]))
}
