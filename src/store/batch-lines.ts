/** Work of the jobs of a batch on its lines, from the tables `job_source`, `video_row` and `collection`. */
import { sql } from 'kysely'
import { ATTEMPT_STATUSES } from '../model/jobs/video-row.ts'
import { type Db, query } from './database.ts'

/** A line of a job; counts of its list are of the account's collection, and null where it has none. */
export type LineOfJob = {
  jobId: string
  position: number
  line: string
  listed: number
  collectionId: string | null
  title: string | null
  videoCount: number | null
  videos: number | null
  collectionDelivered: number | null
  noCaptions: number | null
  failed: number | null
}

/** Returns the lines of an account's jobs, job after job. */
export async function listLinesOfJobs(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<LineOfJob[]> {
  return query<LineOfJob>`
    select s.job_id as "jobId", s.position, s.line, s.listed, s.collection_id as "collectionId",
      c.title, c.video_count as "videoCount", c.videos, c.delivered as "collectionDelivered",
      c.no_captions as "noCaptions", c.failed
    from unnest(${[...jobIds]}::text[]) with ordinality k (id, at)
    join job j on j.id = k.id and j.account_id = ${accountId}
    join job_source s on s.job_id = j.id
    left join collection c on c.account_id = j.account_id and c.id = s.collection_id
    order by k.at, s.position
  `.rows(db)
}

/**
 * Recorded rows of a line; `missing` and `unread` count those that say of its list that it is none, or was not read.
 */
export type RowsOfLine = {
  jobId: string
  position: number
  rows: number
  taken: number
  delivered: number
  lineTruncated: number
  missing: number
  unread: number
  rowTitle: string | null
}

/** Counts the rows of each line of these jobs that has any. Every row is read: a job has thousands. */
export async function countRowsOfLines(db: Db, jobIds: readonly string[]): Promise<RowsOfLine[]> {
  const attempted = sql.raw(ATTEMPT_STATUSES.map((status) => `'${status}'`).join(', '))
  return query<RowsOfLine>`
    select job_id as "jobId", source as position, count(*)::int as rows, min(title) as "rowTitle",
      (count(*) filter (where status in (${attempted})))::int as taken,
      (count(*) filter (where status = 'success'))::int as delivered,
      (count(*) filter (where status = 'truncated'))::int as "lineTruncated",
      (count(*) filter (where status = 'invalid_url'))::int as missing,
      (count(*) filter (where video_id is null and status in ('failed', 'blocked_suspect')))::int as unread
    from video_row where job_id = any(${[...jobIds]}) and status is not null group by 1, 2
  `.rows(db)
}
