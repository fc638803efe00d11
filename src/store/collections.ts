/**
 * The tables `collection` and `collection_video`, and `video_details`: what an account has of each channel and
 * playlist, and what the platform says about its videos.
 */
import { type RawBuilder, sql } from 'kysely'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import { ATTEMPT_STATUSES } from '../model/jobs/video-row.ts'
import type {
  Collection,
  CollectionKind,
  CollectionSort,
  ListFacts,
} from '../model/library/collection.ts'
import type { VideoDetails } from '../model/library/video-details.ts'
import { type Db, query, type Tx } from './database.ts'
import type { JobKey, PageOfAccount } from './jobs.ts'

const COLUMNS = sql`id, kind, title, video_count as "videoCount", looked_at as "lookedAt", videos, delivered, deliveries,
  no_captions as "noCaptions", failed, languages, newest_at as "newestAt", oldest_at as "oldestAt", changed_at as "changedAt",
  (select v.video_id from collection_video v where v.account_id = collection.account_id and v.collection_id = collection.id
    order by v.published_at desc nulls last, v.video_id limit 1) as "latestVideoId"`

/** Orders of collections, each ending in the id. A number of missing videos that nobody knows comes last. */
const ORDERS: Record<CollectionSort, RawBuilder<unknown>> = {
  changed: sql`changed_at desc, id`,
  title: sql`lower(coalesce(title, id)), id`,
  delivered: sql`delivered desc, id`,
  remaining: sql`case when video_count is not null
    then greatest(video_count, videos) - delivered - no_captions - failed end desc nulls last, id`,
}

/** Filter and order of collections; a part of the name or a kind is null where any will do. */
export type CollectionsAsked = {
  name: string | null
  kind: CollectionKind | null
  sort: CollectionSort
}

/** A page of the collections that the account ordered, with the number of all that match. */
export async function listCollections(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
  { name, kind, sort }: CollectionsAsked,
): Promise<{ total: number; collections: Collection[] }> {
  const wanted = sql`account_id = ${accountId} and is_ordered
    and (${kind}::text is null or kind = ${kind})
    and (${name}::text is null or strpos(lower(coalesce(title, id)), lower(${name}::text)) > 0)`
  const rows = await query<{ total: number; place: number | null } & (Collection | { id: null })>`
    select n.total, c.* from (
      select count(*)::int as total from collection where ${wanted}
    ) n left join lateral (
      select (row_number() over ())::int as place, page.* from (
        select ${COLUMNS} from collection where ${wanted} order by ${ORDERS[sort]} limit ${limit} offset ${offset}
      ) page
    ) c on true order by c.place
  `.rows(db)
  const collections = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { total: rows[0]?.total ?? 0, collections }
}

/** Returns null where the account has no such collection. All videos of a project are delivered. */
export async function findCollection(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<Collection | null> {
  return query<Collection>`
    select ${COLUMNS} from collection where account_id = ${accountId} and id = ${id}
    union all
    select p.id, 'project', p.name, p.videos, null, p.videos, p.videos, p.videos, 0, 0, s.languages, s.newest_at, s.oldest_at,
      p.changed_at, null
    from project p cross join lateral (
      select coalesce(array_agg(distinct v.language_code order by v.language_code), '{}') as languages,
        max(v.published_at) as newest_at, min(v.published_at) as oldest_at
      from project_video v where v.project_id = p.id and v.account_id = p.account_id
    ) s where p.account_id = ${accountId} and p.id = ${id}
  `.firstRow(db)
}

/** The collections of a job's lists, and of the channels of the single videos that it named. */
export async function listCollectionsOfJob(
  db: Db,
  { accountId, jobId }: JobKey,
): Promise<Collection[]> {
  return query<Collection>`
    select ${COLUMNS} from collection where account_id = ${accountId} and is_ordered
      and exists (select from job where id = ${jobId} and account_id = ${accountId}) and id in (
      select collection_id from job_source where job_id = ${jobId} and collection_id is not null
      union
      select d.channel_id from video_row r
        join job_source s on s.job_id = r.job_id and s.position = r.source and s.collection_id is null
        join video_details d on d.video_id = r.video_id
      where r.job_id = ${jobId} and d.channel_id is not null
    ) order by kind, title, id
  `.rows(db)
}

export type LookingJob = { id: string; accountId: string; urlSetHash: string }

/**
 * Notes what a job's look at a list said; values that it did not say stay. Call it after the list's videos were
 * counted. The collection's order is the one whose URL set delivered most: continuing with other URLs would charge
 * again for videos that the account has.
 */
export async function noteListFacts(
  tx: Tx,
  job: LookingJob,
  { collection, title, videoCount }: ListFacts,
): Promise<void> {
  const brought = (urlSetHash: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(select count(*) from history where account_id = ${job.accountId} and url_set_hash = ${urlSetHash}
      and outcome = 'delivered')`
  const before = sql`(select j.url_set_hash from job j where j.id = collection.order_job_id)`
  await sql`
    insert into collection (account_id, id, kind, title, is_ordered, video_count, looked_at, order_job_id, order_name)
    values (${job.accountId}, ${collection.id}, ${collection.kind}, ${title}, true, ${videoCount}, now(), ${job.id},
      (select subject from job_source where job_id = ${job.id} and collection_id = ${collection.id} and subject like '/%'
        order by position limit 1))
    on conflict (account_id, id) do update
    set kind = excluded.kind, title = coalesce(excluded.title, collection.title), is_ordered = true, looked_at = now(),
      changed_at = now(), video_count = coalesce(excluded.video_count, collection.video_count),
      order_name = coalesce(excluded.order_name, collection.order_name),
      order_job_id = case when ${brought(sql`${job.urlSetHash}`)} >= ${brought(before)} then ${job.id}
        else collection.order_job_id end
  `.execute(tx)
}

/**
 * Notes that a source's list was read from beginning to end: its size is the number of videos known by now, each
 * counted once.
 */
export async function noteWholeList(
  tx: Tx,
  { jobId, position }: { jobId: string; position: number },
): Promise<void> {
  await sql`
    update collection c set video_count = c.videos from job_source s join job j on j.id = s.job_id
    where s.job_id = ${jobId} and s.position = ${position}
      and c.account_id = j.account_id and c.id = s.collection_id
  `.execute(tx)
}

/** A planned row, with what its list said about the video's date. */
export type ListedRow = { index: number; publishedAt: string | null }

/** Returns an instant as ISO 8601, or null where the text is none. */
export function instantOf(text: string | null): string | null {
  const ms = text === null ? NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** Videos that a page of a job's list holds, and that have no row of this page. */
export type PassedVideos = { position: number; videoIds: string[] }

/** SQL that adds the counters of a row to those of its collection. */
export const ADDED_COUNTERS = `videos = collection.videos + excluded.videos,
    delivered = collection.delivered + excluded.delivered, deliveries = collection.deliveries + excluded.deliveries,
    no_captions = collection.no_captions + excluded.no_captions, failed = collection.failed + excluded.failed,
    languages = case when excluded.languages <@ collection.languages then collection.languages
      else array(select unnest(collection.languages || excluded.languages) as l group by l order by l) end,
    newest_at = greatest(collection.newest_at, excluded.newest_at),
    oldest_at = least(collection.oldest_at, excluded.oldest_at), changed_at = now()`

/** SQL that adds what `changed` did to videos of collections to the counters of these. */
const TOTALLED = `insert into collection (account_id, id, kind, is_ordered, videos, delivered, deliveries, no_captions,
    failed, languages, newest_at, oldest_at)
  select account_id, collection_id, 'channel', true, sum(is_new::int), sum(is_delivered::int), sum(is_delivered::int),
    sum((coalesce(status = 'no_captions', false))::int - (coalesce(status_before = 'no_captions', false))::int),
    sum((coalesce(status not in ('success', 'no_captions'), false))::int
      - (coalesce(status_before not in ('success', 'no_captions'), false))::int),
    coalesce(array_agg(distinct language_code) filter (where language_code is not null), '{}'),
    max(published_at), min(published_at)
  from changed group by account_id, collection_id order by collection_id
  on conflict (account_id, id) do update
  set is_ordered = true, ${ADDED_COUNTERS}`

/** SQL for what TOTALLED reads of a row that was written. */
const CHANGED = `v.account_id, v.collection_id, v.published_at, v.status, v.status_before,
      coalesce(v.status = 'success', false) as is_delivered,
      case when v.status = 'success' then (select r.language_code from video_row r
        where r.job_id = v.job_id and r.index = v.index) end as language_code`

const ATTEMPTED = ATTEMPT_STATUSES.map((status) => `'${status}'`).join(', ')

/**
 * $1: the job, $2: the rows, $3: the source whose list holds the passed videos $4, each of which points to the best row
 * that the account has of it, and is left out without any. Rows are written in the order of their ids, so that two jobs
 * of an account cannot deadlock.
 */
const ADD_LISTED = statement<object>(
  'add-listed',
  `
  with place as materialized (
    select j.account_id, j.url_set_hash, s.position, s.collection_id
    from job j join job_source s on s.job_id = j.id and s.collection_id is not null where j.id = $1
  ), page as (
    select p.account_id, p.url_set_hash, p.collection_id, r.video_id, r.job_id, r.index, g.at
    from json_to_recordset($2::json) as g (index int, at timestamptz)
    join video_row r on r.job_id = $1 and r.index = g.index and r.video_id is not null
    join place p on p.position = r.source
    union all
    select p.account_id, p.url_set_hash, p.collection_id, listed.video_id, null, null, (
      select max(o.published_at) from collection_video o where o.account_id = p.account_id and o.video_id = listed.video_id
    ) from place p cross join unnest($4::text[]) as listed (video_id) where p.position = $3
  ), changed as (
    insert into collection_video as v (account_id, collection_id, video_id, status, job_id, index, published_at)
    select p.account_id, p.collection_id, p.video_id, d.status, coalesce(d.job_id, p.job_id), coalesce(d.index, p.index), p.at
    from page p left join lateral (
      select r.job_id, r.index, case when r.status in (${ATTEMPTED}) then r.status end as status from (
        select o.job_id from collection_video o where o.account_id = p.account_id and o.video_id = p.video_id
        union
        select h.job_id from history h where h.account_id = p.account_id and h.url_set_hash = p.url_set_hash
          and h.video_id = p.video_id
        union
        select h.job_id from history h where h.account_id = p.account_id and h.video_id = p.video_id
          and h.outcome = 'delivered'
        union
        select $1 where p.job_id is null
      ) e join video_row r on r.job_id = e.job_id and r.video_id = p.video_id
      where p.job_id is null or r.status = 'success'
      order by r.status = 'success' desc nulls last, r.status in (${ATTEMPTED}) desc nulls last, r.job_id desc limit 1
    ) d on true
    where p.job_id is not null or d.job_id is not null
    order by p.collection_id, p.video_id
    on conflict (account_id, collection_id, video_id) do update
    set status_before = v.status, status = excluded.status, job_id = excluded.job_id, index = excluded.index
    where (excluded.status = 'success' and v.status is distinct from 'success')
      or (excluded.status is not null and v.status is null)
    returning ${CHANGED}, xmax = 0 as is_new
  )
  ${TOTALLED}`,
)

/**
 * Adds a planned page's videos to the collection of their source. A video that any earlier order delivered to the
 * account counts as delivered at once; one that another line brought belongs to both lists. `passed` is null where the
 * page is no list's.
 */
export async function addListed(
  tx: Tx,
  { jobId, rows, passed }: { jobId: string; rows: ListedRow[]; passed: PassedVideos | null },
): Promise<void> {
  if (rows.length === 0 && passed === null) return
  const listed = rows.map(({ index, publishedAt }) => ({ index, at: instantOf(publishedAt) }))
  const { position, videoIds } = passed ?? { position: 0, videoIds: [] }
  await run(tx, ADD_LISTED, [jobId, asJson(listed), position, videoIds])
}

/** $1: the job. */
const SETTLE_LISTED = statement<object>(
  'settle-listed',
  `
  with late as materialized (
    select v.account_id, v.collection_id, v.video_id, r.status from collection_video v
    join video_row r on r.job_id = v.job_id and r.index = v.index and r.status in (${ATTEMPTED})
    where v.job_id = $1 and v.status is null
    order by v.collection_id, v.video_id for no key update of v
  ), changed as (
    update collection_video v set status_before = v.status, status = late.status from late
    where v.account_id = late.account_id and v.collection_id = late.collection_id and v.video_id = late.video_id
    returning ${CHANGED}, false as is_new
  )
  ${TOTALLED}`,
)

/**
 * Gives videos that a job's list shares with another of its lines the status of their row, where that row was recorded
 * in the moment in which the list was: neither statement saw the other then. Call it when the job's rows are final.
 */
export async function settleListed(tx: Tx, jobId: string): Promise<void> {
  await run(tx, SETTLE_LISTED, [jobId])
}

/** Returns details by video id; videos about which nothing is known are missing. */
export async function readDetails(db: Db, videoIds: string[]): Promise<Map<string, VideoDetails>> {
  if (videoIds.length === 0) return new Map()
  const rows = await query<VideoDetails & { videoId: string }>`
    select video_id as "videoId", channel_id as "channelId", duration_seconds as "durationSeconds",
      view_count::float8 as "viewCount", keywords, description, category, tracks
    from video_details where video_id = any(${videoIds})
  `.rows(db)
  return new Map(rows.map(({ videoId, ...details }) => [videoId, details]))
}
