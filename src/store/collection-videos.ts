/** The table `collection_video`: the videos of collections, and the row that says what became of each. */
import { type RawBuilder, sql } from 'kysely'
import { isAttempt } from '../model/jobs/video-row.ts'
import { prepared } from '../kit/postgres/database.ts'
import type { Tx } from './database.ts'
import { countVideos } from './collections.ts'
import type { RowContent } from './video-rows.ts'

/** A video of a page that was planned, as far as its list told. */
export type ListedRow = { index: number; publishedAt: string | null }

/** An instant as ISO 8601; null where the text is none. */
export function instantOf(text: string | null): string | null {
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
  await sql`${prepared('add-listed')}
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
      returning account_id, collection_id, status, status_before, published_at, xmax = 0 as is_new, null::text as title,
        true as is_ordered, case when status = 'success' then (select r.language_code from video_row r
          where r.job_id = collection_video.job_id and r.index = collection_video.index) end as language_code
    ) ${countVideos()}
    select count(*)::int as changed from changed
  `.execute(tx)
}

/** Whether recording the row changes what collections hold. */
export function changesLibrary({
  videoId,
  status,
}: Pick<RowContent, 'videoId' | 'status'>): boolean {
  return videoId !== null && isAttempt(status)
}

/**
 * Parts of recording rows: what those in `ready` say of their videos, in the collection of their source, in their
 * channel's and wherever else the account has the video. What was delivered stays delivered; the latest text
 * counts. The order of ids is the order of locks.
 */
export function upsertVideos(jobId: string): RawBuilder<unknown> {
  return sql`, upserted as (
      insert into collection_video (account_id, collection_id, video_id, status, job_id, index, published_at)
      select held.account_id, c.id, ready.video_id, ready.status, ${jobId}, ready.index, ready.instant
      from held, ready cross join lateral (
        select ready.source_collection as id where ready.source_collection is not null
        union select v.collection_id from collection_video v
          where v.account_id = held.account_id and v.video_id = ready.video_id
        union select ready.channel_id where ready.channel_id is not null
      ) c where ready.in_library order by c.id, ready.video_id
      on conflict (account_id, collection_id, video_id) do update
      set status_before = collection_video.status, status = excluded.status, job_id = excluded.job_id,
        index = excluded.index, published_at = coalesce(excluded.published_at, collection_video.published_at)
      where excluded.status = 'success' or collection_video.status is distinct from 'success'
      returning account_id, collection_id, video_id, status, status_before, published_at, xmax = 0 as is_new
    ), changed as (
      select u.*, ready.language_code,
        case when u.collection_id = ready.channel_id then ready.channel_name end as title,
        u.collection_id = ready.channel_id and ready.source_collection is null as is_ordered
      from upserted u join ready on ready.video_id = u.video_id
    ) ${countVideos()}`
}
