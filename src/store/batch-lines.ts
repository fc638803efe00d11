/** Work of the jobs of a batch on its lines, from the tables `job_source`, `video_row` and `collection`. */
import { sql } from 'kysely'
import { ATTEMPT_STATUSES } from '../model/jobs/video-row.ts'
import { type Db, query } from './database.ts'

/** A line of a job; counts of its list are of the account's collection, and null where the line names a video. */
export type LineOfJob = {
  jobId: string
  line: string
  listed: number
  rows: number
  taken: number
  delivered: number
  lineTruncated: number
  rowTitle: string | null
  title: string | null
  videoCount: number | null
  videos: number | null
  collectionDelivered: number | null
  noCaptions: number | null
  failed: number | null
}

/** Returns the lines of an account's jobs, job after job. All of their rows are counted. */
export async function listLinesOfJobs(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<LineOfJob[]> {
  const attempted = sql.raw(ATTEMPT_STATUSES.map((status) => `'${status}'`).join(', '))
  return query<LineOfJob>`
    select s.job_id as "jobId", s.line, s.listed, coalesce(r.rows, 0) as rows, coalesce(r.taken, 0) as taken,
      coalesce(r.delivered, 0) as delivered, coalesce(r.truncated, 0) as "lineTruncated", r.title as "rowTitle",
      c.title, c.video_count as "videoCount", c.videos, c.delivered as "collectionDelivered",
      c.no_captions as "noCaptions", c.failed
    from unnest(${[...jobIds]}::text[]) with ordinality k (id, at)
    join job j on j.id = k.id and j.account_id = ${accountId}
    join job_source s on s.job_id = j.id
    left join collection c on c.account_id = j.account_id and c.id = s.collection_id
    left join (
      select job_id, source, count(*)::int as rows, min(title) as title,
        (count(*) filter (where status in (${attempted})))::int as taken,
        (count(*) filter (where status = 'success'))::int as delivered,
        (count(*) filter (where status = 'truncated'))::int as truncated
      from video_row where job_id = any(${[...jobIds]}) and status is not null group by 1, 2
    ) r on r.job_id = s.job_id and r.source = s.position
    order by k.at, s.position
  `.rows(db)
}
