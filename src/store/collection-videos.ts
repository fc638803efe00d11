/** The table `collection_video`: the videos of collections, and the row that says what became of each. */
import { isAttempt } from '../model/jobs/video-row.ts'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import type { Tx } from './database.ts'
import type { RowContent } from './video-rows.ts'

/** A planned row, with what its list said about the video's date. */
export type ListedRow = { index: number; publishedAt: string | null }

/** Returns an instant as ISO 8601, or null where the text is none. */
export function instantOf(text: string | null): string | null {
  const ms = text === null ? NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/**
 * $1: the job, $2: the rows. Rows are written in the order of their ids, so that two jobs of an account cannot
 * deadlock.
 */
const ADD_LISTED = statement<object>(
  'add-listed',
  `
  with page as (
    select j.account_id, j.url_set_hash, s.collection_id, r.video_id, r.job_id, r.index, p.at
    from job j cross join json_to_recordset($2::json) as p (index int, at timestamptz)
    join video_row r on r.job_id = j.id and r.index = p.index and r.video_id is not null
    join job_source s on s.job_id = r.job_id and s.position = r.source and s.collection_id is not null
    where j.id = $1
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
    returning account_id, collection_id, published_at, xmax = 0 as is_new, coalesce(status = 'success', false) as is_delivered,
      coalesce(status_before = 'no_captions', false) as was_without_captions,
      coalesce(status_before not in ('success', 'no_captions'), false) as was_failed,
      case when status = 'success' then (select r.language_code from video_row r
        where r.job_id = collection_video.job_id and r.index = collection_video.index) end as language_code
  )
  insert into collection (account_id, id, kind, is_ordered, videos, delivered, deliveries, no_captions,
    failed, languages, newest_at, oldest_at)
  select account_id, collection_id, 'channel', true, sum(is_new::int), sum(is_delivered::int), sum(is_delivered::int),
    -sum(was_without_captions::int), -sum(was_failed::int),
    coalesce(array_agg(distinct language_code) filter (where language_code is not null), '{}'),
    max(published_at), min(published_at)
  from changed group by account_id, collection_id order by collection_id
  on conflict (account_id, id) do update
  set is_ordered = true, videos = collection.videos + excluded.videos,
    delivered = collection.delivered + excluded.delivered, deliveries = collection.deliveries + excluded.deliveries,
    no_captions = collection.no_captions + excluded.no_captions, failed = collection.failed + excluded.failed,
    languages = case when excluded.languages <@ collection.languages then collection.languages
      else array(select unnest(collection.languages || excluded.languages) as l group by l order by l) end,
    newest_at = greatest(collection.newest_at, excluded.newest_at),
    oldest_at = least(collection.oldest_at, excluded.oldest_at), changed_at = now()`,
)

/**
 * Adds a planned page's videos to the collection of their source. A video that any earlier order delivered to the
 * account counts as delivered at once.
 */
export async function addListed(
  tx: Tx,
  { jobId, rows }: { jobId: string; rows: ListedRow[] },
): Promise<void> {
  if (rows.length === 0) return
  const listed = rows.map(({ index, publishedAt }) => ({ index, at: instantOf(publishedAt) }))
  await run(tx, ADD_LISTED, [jobId, asJson(listed)])
}

/** Whether recording the row changes what collections hold. */
export function changesLibrary({
  videoId,
  status,
}: Pick<RowContent, 'videoId' | 'status'>): boolean {
  return videoId !== null && isAttempt(status)
}
