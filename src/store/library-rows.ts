/** The videos of a collection as its pages and files show them, each with the row that says what became of it. */
import { type RawBuilder, sql } from 'kysely'
import type {
  LibraryRow,
  OwnedCollection,
  OwnedTexts,
  ReportedVideo,
} from '../model/library/collection.ts'
import { TEXT_REMOVED } from '../model/library/project.ts'
import type { KeptLines } from '../model/jobs/order.ts'
import { VIDEO_URL } from '../model/jobs/video-row.ts'
import type { RowKey } from '../model/library/row-key.ts'
import type { TextWish } from '../model/transcripts/caption-track.ts'
import { type Db, query } from './database.ts'
import { meets, meetsTrack, OWNED_TEXTS } from './owned-texts.ts'
import type { JobKey } from './jobs.ts'
import type { Snapshot } from './file-rows.ts'

/**
 * SQL for the videos `v` of a collection, each with the row that says what became of it. Those of a project stand in a
 * table of their own, all delivered, and know when their text was removed. Of rows that are named, those whose text is
 * kept, each text once.
 */
function membersOf(owned: OwnedTexts): RawBuilder<unknown> {
  const { accountId } = owned
  if ('named' in owned)
    return sql`(select distinct on (t.video_id, t.language_code, t.track_kind) t.video_id, t.status, t.job_id, t.index,
          null::timestamptz as published_at, null::timestamptz as texts_deleted_at
        from ${namedRows(owned.named)} join video_row t on t.job_id = n.job_id and t.index = n.index
          and t.status = 'success' and t.text_deleted_at is null
        join job j on j.id = t.job_id and j.account_id = ${accountId} and j.texts_deleted_at is null
        order by t.video_id, t.language_code, t.track_kind, t.job_id desc, t.index desc) v`
  const { collection } = owned
  return collection.kind === 'project'
    ? sql`(select p.video_id, 'success'::text as status, p.job_id, p.index, p.published_at,
          coalesce(t.text_deleted_at, j.texts_deleted_at) as texts_deleted_at
        from project_video p join job j on j.id = p.job_id join video_row t on t.job_id = p.job_id and t.index = p.index
        where p.account_id = ${accountId} and p.project_id = ${collection.id}) v`
    : sql`(select c.video_id, c.status, c.job_id, c.index, c.published_at, null::timestamptz as texts_deleted_at
        from collection_video c where c.account_id = ${accountId} and c.collection_id = ${collection.id}) v`
}

/** `statuses` may hold null, for videos whose captions were never asked for. A filter that is null matches all. */
export type LibraryFilter = {
  statuses: readonly (string | null)[] | null
  title: string | null
  language: string | null
}

const COLUMNS = sql`v.job_id as "jobId", v.index, v.video_id as "videoId", r.title,
  coalesce(r.url, ${sql.lit(VIDEO_URL)} || r.video_id) as url, r.channel_name as "channelName", r.published_at as "publishedAt", v.status,
  case when v.status is not null then r.label end as label,
  case when v.texts_deleted_at is not null
    then ${sql.lit(TEXT_REMOVED)} || to_char(v.texts_deleted_at at time zone 'UTC', ' YYYY-MM-DD')
    when v.status is not null then r.error_message end as "errorMessage",
  r.language_code as "languageCode", r.track_kind as "trackKind"`

/** SQL for rows `n` that are named. */
function namedRows(named: readonly RowKey[]): RawBuilder<unknown> {
  const [jobIds, indexes] = [named.map(({ jobId }) => jobId), named.map(({ index }) => index)]
  return sql`unnest(${jobIds}::text[], ${indexes}::int[]) as n (job_id, index)`
}

/** SQL for the newest first. A project, and what is named, may hold a video in several languages. */
function newestFirst(owned: OwnedTexts): RawBuilder<unknown> {
  if ('named' in owned) return sql`r.published_at desc nulls last, v.video_id, v.job_id, v.index`
  const { collection } = owned
  const byDate = sql`v.published_at desc nulls last, v.video_id`
  return collection.kind === 'project' ? sql`${byDate}, v.job_id, v.index` : byDate
}

/**
 * A page of a collection's videos, newest first, with the number of those that match. The order's index cuts the page
 * and only the page's rows are read; a filter by title or language reads all rows.
 */
export async function listLibraryRows(
  db: Db,
  owned: OwnedCollection,
  { statuses, title, language }: LibraryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: LibraryRow[] }> {
  const named = statuses?.filter((status) => status !== null) ?? null
  const takesUnasked = statuses?.includes(null) ?? true
  const looksAtRows = title !== null || language !== null
  const matching = sql`${membersOf(owned)}
    ${
      looksAtRows
        ? sql`join video_row m on m.job_id = v.job_id and m.index = v.index
      and (${title}::text is null or strpos(lower(m.title), lower(${title}::text)) > 0)
      and (${language}::text is null or m.language_code = ${language})`
        : sql``
    }
    where (${named}::text[] is null or v.status = any(${named}::text[]) or (${takesUnasked} and v.status is null))`
  const rows = await query<
    { total: number; orderedAt: Date | null } & (LibraryRow | { jobId: null })
  >`
    select n.total, page.* from (select count(*)::int as total from ${matching}) n
    left join (
      select ${COLUMNS}, v.published_at as "orderedAt" from (
        select v.* from ${matching} order by ${newestFirst(owned)} limit ${limit} offset ${offset}
      ) v join video_row r on r.job_id = v.job_id and r.index = v.index
    ) page on true
    order by page."orderedAt" desc nulls last, page."videoId", page."jobId", page.index
  `.rows(db)
  const found = rows.flatMap(({ total: _total, orderedAt: _orderedAt, ...row }) =>
    row.jobId === null ? [] : [row],
  )
  return { total: rows[0]?.total ?? 0, rows: found }
}

/** Returns every video of a collection, newest first. */
export async function listReportedVideos(db: Db, owned: OwnedTexts): Promise<ReportedVideo[]> {
  return query<ReportedVideo>`
    select ${COLUMNS}, d.duration_seconds as "durationSeconds", d.view_count as "viewCount"
    from ${membersOf(owned)} join video_row r on r.job_id = v.job_id and r.index = v.index
    left join video_details d on d.video_id = v.video_id
    order by ${newestFirst(owned)}
  `.rows(db)
}

/** Returns how many of a collection's videos have each status; null means that captions were never asked for. */
export async function countStatuses(db: Db, owned: OwnedCollection) {
  return query<{ status: string | null; videos: number }>`
    select v.status, count(*)::int as videos from ${membersOf(owned)} group by v.status
  `.rows(db)
}

const MEETS_CODE = meets({
  codes: 'array[j.language]',
  wish: 'j.language',
  track: 'j.wished_track',
})
/** SQL for whether an owned text surely meets the wish of job `j`; some in a region of its language do, too. */
const MEETS = sql.raw(
  `(lower(j.language) = 'original' and ${meetsTrack('j.wished_track')} or ${MEETS_CODE})`,
)

/**
 * SQL for whether job `j` is over with a video: by its URL set or, where it leaves out what is owned, since it did so,
 * or would by any order that brought a text which meets its wish.
 */
function isSettled(videoId: RawBuilder<unknown>, leavesOut: RawBuilder<boolean>) {
  return sql`(exists (select from history h where h.account_id = j.account_id and h.url_set_hash = j.url_set_hash
      and h.outcome in ('delivered', 'negative') and h.video_id = ${videoId})
    or (${leavesOut} and (exists (select from video_row u where u.job_id = j.id and u.video_id = ${videoId}
        and u.status = 'unchanged')
      or exists (select from ${sql.raw(OWNED_TEXTS)} and h.account_id = j.account_id
        and h.video_id = ${videoId} and ${MEETS}))))`
}

/**
 * SQL for how many videos of job `j`'s lines an order of the same URLs still holds; null where the size of a list is
 * unknown. `leavesOut` says whether that order leaves out what is owned.
 */
const videosLeft = (leavesOut: RawBuilder<boolean>) => sql`(
  select case when bool_and(line.videos is not null) then sum(line.videos)::int end from (
    select case when l.video_count is not null then greatest(0, greatest(l.video_count, l.videos) - (
      select count(*) from collection_video v where v.account_id = l.account_id and v.collection_id = l.id
        and ${isSettled(sql`v.video_id`, leavesOut)})) end as videos
    from collection l where l.account_id = j.account_id
      and l.id in (select s.collection_id from job_source s where s.job_id = j.id)
    union all
    select case when r.video_id is not null then (not ${isSettled(sql`r.video_id`, leavesOut)})::int end
    from job_source s left join video_row r on r.job_id = s.job_id and r.source = s.position
    where s.job_id = j.id and s.collection_id is null
  ) line
)`

/**
 * The order with which a collection continues, and how many videos of all its lists that order has neither delivered
 * nor seen refused for good; null where the size of a list is unknown.
 */
export type GoingOn = LastOrder & KeptLines
export type LastOrder = {
  urls: string[]
  language: string
  formats: string[]
  videos: number | null
}

/** Returns null where no list of this collection was ever read. */
export async function findGoingOn(
  db: Db,
  { accountId, collection }: OwnedCollection,
): Promise<GoingOn | null> {
  return query<GoingOn>`
    select j.urls, (select json_agg(s.source order by s.position) from job_source s where s.job_id = j.id) as sources,
      j.language, j.formats, ${videosLeft(sql`false`)} as videos
    from collection c join job j on j.id = c.order_job_id
    where c.account_id = ${accountId} and c.id = ${collection.id}
  `.firstRow(db)
}

/** How many videos a job's URLs still hold for its account; null where the size of a list is unknown. */
export async function countVideosLeft(
  db: Db,
  { accountId, jobId }: JobKey,
): Promise<number | null> {
  return query<{ videos: number | null }>`
    select ${videosLeft(sql`j.skips_owned`)} as videos from job j where j.id = ${jobId} and j.account_id = ${accountId}
  `.firstValue(db)
}

/**
 * Returns the row of each video of a collection whose text is kept, newest first: where the account has several texts
 * of a video, the latest, and in a project, or of rows that are named, those that it holds.
 */
export async function listTexts(db: Db, owned: OwnedTexts): Promise<LibraryRow[]> {
  return query<LibraryRow>`
    select ${COLUMNS} from ${membersOf(owned)} join video_row r on r.job_id = v.job_id and r.index = v.index
    where v.status = 'success' and r.text_deleted_at is null
      and exists (select from job j where j.id = v.job_id and j.texts_deleted_at is null)
    order by ${newestFirst(owned)}
  `.rows(db)
}

/** The columns of a LibraryRow for row `r` of a job. */
const ROW = sql`r.job_id as "jobId", r.index, coalesce(r.video_id, '') as "videoId", r.title,
  coalesce(r.url, ${sql.lit(VIDEO_URL)} || r.video_id) as url, r.channel_name as "channelName",
  r.published_at as "publishedAt", r.status, r.label, r.error_message as "errorMessage",
  r.language_code as "languageCode", r.track_kind as "trackKind"`

/** Returns the delivered rows of a job's file whose texts its owner did not delete, by index. */
export async function listTextsOfJob(
  db: Db,
  { jobId, doneAfter, doneMax }: Snapshot,
): Promise<LibraryRow[]> {
  return query<LibraryRow>`
    select ${ROW} from video_row r where r.job_id = ${jobId} and r.status = 'success' and r.text_deleted_at is null
      and r.done > ${doneAfter} and r.done <= ${doneMax}
    order by r.index
  `.rows(db)
}

/** Returns these rows, of any jobs, in no order. */
export async function listRows(db: Db, named: readonly RowKey[]): Promise<LibraryRow[]> {
  return query<LibraryRow>`
    select ${ROW} from ${namedRows(named)}
    join video_row r on r.job_id = n.job_id and r.index = n.index
  `.rows(db)
}

/** Terms of a job that decide where the texts of its rows are; its own are kept where `textsDeletedAt` is null. */
export type TextTerms = TextWish & { urlSetHash: string; textsDeletedAt: Date | null }

export type RowOfJob = LibraryRow & TextTerms & { textDeletedAt: Date | null }

/** Returns one finished row of a job. */
export async function findLibraryRow(
  db: Db,
  { accountId, jobId, index }: { accountId: string; jobId: string; index: number },
): Promise<RowOfJob | null> {
  return query<RowOfJob>`
    select ${ROW}, j.language, j.wished_track as "wishedTrack", j.url_set_hash as "urlSetHash", j.texts_deleted_at as "textsDeletedAt",
      r.text_deleted_at as "textDeletedAt"
    from video_row r join job j on j.id = r.job_id and j.account_id = ${accountId}
    where r.job_id = ${jobId} and r.index = ${index} and r.status is not null
  `.firstRow(db)
}
