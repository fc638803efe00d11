/** The table `collection_video`: the videos of collections, and the row that says what became of each. */
import { type RawBuilder, sql } from 'kysely'
import { isAttempt, type RowStatus } from '../jobs/video-row.ts'
import type { Tx } from '../postgres/database.ts'
import { countVideos } from './collections.ts'

/** A video of a page that was planned, as far as its list told. */
export type ListedRow = { index: number; publishedAt: string | null }

/** Null where the text is no instant. */
function instantOf(text: string | null): string | null {
  const ms = text === null ? NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/**
 * Adds a planned page's videos to the collection of their source. One that the account has from before, by
 * whatever order, is a delivered one at once.
 */
export async function addListed(
  tx: Tx,
  { jobId, rows }: { jobId: string; rows: ListedRow[] },
): Promise<void> {
  if (rows.length === 0) return
  const listed = rows.map(({ index, publishedAt }) => ({ index, at: instantOf(publishedAt) }))
  await sql`
    with page as (
      select j.account_id, j.url_set_hash, s.collection_id, r.video_id, r.job_id, r.index, p.at
      from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as p (index int, at timestamptz)
      join video_row r on r.job_id = ${jobId} and r.index = p.index and r.video_id is not null
      join job_source s on s.job_id = r.job_id and s.position = r.source and s.collection_id is not null
      join job j on j.id = r.job_id
    ), changed as (
      insert into collection_video (account_id, collection_id, video_id, status, job_id, index, published_at)
      select p.account_id, p.collection_id, p.video_id, case when d.index is not null then 'success' end,
        coalesce(d.job_id, p.job_id), coalesce(d.index, p.index), p.at
      from page p left join lateral (
        select r.job_id, r.index from (
          select o.job_id from collection_video o
          where o.account_id = p.account_id and o.video_id = p.video_id and o.status = 'success'
          union all
          select h.job_id from history h where h.account_id = p.account_id and h.url_set_hash = p.url_set_hash
            and h.video_id = p.video_id and h.outcome = 'delivered'
        ) e join video_row r on r.job_id = e.job_id and r.video_id = p.video_id and r.status = 'success' limit 1
      ) d on true
      order by p.collection_id, p.video_id
      on conflict (account_id, collection_id, video_id) do update
      set status_before = collection_video.status, status = excluded.status, job_id = excluded.job_id,
        index = excluded.index
      where excluded.status = 'success' and collection_video.status is distinct from 'success'
      returning account_id, collection_id, status, status_before, published_at, xmax = 0 as is_new, true as is_ordered,
        case when status = 'success' then (select r.language_code from video_row r
          where r.job_id = collection_video.job_id and r.index = collection_video.index) end as language_code
    ) ${countVideos(null)}
    select count(*)::int as changed from changed
  `.execute(tx)
}

export type RecordedVideo = {
  jobId: string
  index: number
  videoId: string | null
  status: RowStatus
  publishedAt: string | null
  languageCode: string | null
  channelName: string | null
  /** Null where the platform did not say. */
  channelId: string | null
}

/** Whether recording the row changes what collections hold. */
export function changesLibrary({ videoId, status }: RecordedVideo): boolean {
  return videoId !== null && isAttempt(status)
}

/**
 * Parts of recording a row: what it says of its video, in the collection of its source, in its channel's and
 * wherever else the account has the video, where `held` counted it. What was delivered stays delivered; the latest
 * text counts. The order of ids is the order of locks.
 */
export function upsertVideos(row: RecordedVideo): RawBuilder<unknown> {
  return sql`, changed as (
      insert into collection_video (account_id, collection_id, video_id, status, job_id, index, published_at)
      select held.account_id, c.id, ${row.videoId}, ${row.status}, ${row.jobId}, ${row.index}, ${instantOf(row.publishedAt)}::timestamptz
      from held, (
        select s.collection_id as id from video_row r
          join job_source s on s.job_id = r.job_id and s.position = r.source
          where r.job_id = ${row.jobId} and r.index = ${row.index} and s.collection_id is not null
        union select v.collection_id from collection_video v, held
          where v.account_id = held.account_id and v.video_id = ${row.videoId}
        union select ${row.channelId}::text where ${row.channelId}::text is not null
      ) c order by c.id
      on conflict (account_id, collection_id, video_id) do update
      set status_before = collection_video.status, status = excluded.status, job_id = excluded.job_id,
        index = excluded.index, published_at = coalesce(excluded.published_at, collection_video.published_at)
      where excluded.status = 'success' or collection_video.status is distinct from 'success'
      returning account_id, collection_id, status, status_before, published_at, xmax = 0 as is_new,
        ${row.languageCode}::text as language_code,
        collection_id = ${row.channelId}::text and exists (select from video_row r
          join job_source s on s.job_id = r.job_id and s.position = r.source
          where r.job_id = ${row.jobId} and r.index = ${row.index} and s.collection_id is null) as is_ordered
    ) ${countVideos(row.channelName)}`
}
