/** The table `project_video`: the rows that hold a project's texts, and what is offered to it, found where it lies. */
import { type RawBuilder, sql } from 'kysely'
import { LIMITS } from '../config/config.ts'
import { type Executor, run, statement } from '../kit/postgres/statement.ts'
import type { RowKey } from '../model/library/row-key.ts'
import type { CollectionKey } from '../model/library/collection.ts'
import type { TextWish } from '../model/transcripts/caption-track.ts'
import { type Db, query, type Tx } from './database.ts'
import { meets, meetsTrack, OWNED_TEXTS } from './owned-texts.ts'
import type { ProjectKey } from './projects.ts'

/**
 * Texts that meet a wish: in a language of `codes` (null: in any) and of its kind, or brought by an order with the same
 * wish.
 */
export type Meeting = { wish: TextWish; codes: string[] | null }

/** Rows that are named, all that jobs brought and left to other orders, or what matches of a collection. */
export type Offer =
  | { videos: readonly RowKey[] }
  | { jobIds: string[]; meeting: Meeting }
  | { collection: CollectionKey; title: string | null; language: string | null }

/** One more than a project can hold: where so many are found, no more need be looked for. */
const TOO_MANY = LIMITS.projectVideosMax + 1

/** SQL for the rows that are offered: `place` and `nth` order them, and of rows with one text the last is taken. */
function rowsOf(accountId: string, offer: Offer): RawBuilder<unknown> {
  if ('videos' in offer) return rowsNamed(offer.videos)
  return 'jobIds' in offer ? rowsOfJobs(accountId, offer) : rowsOfCollection(accountId, offer)
}

function rowsNamed(videos: readonly RowKey[]): RawBuilder<unknown> {
  const [jobIds, indexes] = [videos.map(({ jobId }) => jobId), videos.map(({ index }) => index)]
  return sql`select job_id, index, min(place) as place, 0 as nth
    from unnest(${jobIds}::text[], ${indexes}::float8[]) with ordinality as named (job_id, index, place)
    group by job_id, index`
}

/** SQL for the videos that jobs of a URL set left alone, as the account has them; `place` is that of the last job. */
const unchangedOf = (jobIds: string[]): RawBuilder<unknown> => sql`(
  select r.video_id, r.language_code, r.track_kind, j.url_set_hash, max(o.place) as place
  from unnest(${jobIds}::text[]) with ordinality as o (job_id, place) join job j on j.id = o.job_id
  join video_row r on r.job_id = o.job_id and r.status = 'unchanged' and r.video_id is not null group by 1, 2, 3, 4) u`

/** SQL for the texts that the account owns of video `u`. */
const textsOf = (accountId: string): RawBuilder<unknown> =>
  sql`${sql.raw(OWNED_TEXTS)} and h.account_id = ${accountId} and h.video_id = u.video_id`

/** SQL for whether a text meets the wish `w`. */
const MEETS = `(w.codes is null and ${meetsTrack('w.track')} or ${meets({ codes: 'w.codes', wish: 'w.wish', track: 'w.track' })}
  or w.track is not null and t.language_code = u.language_code and t.track_kind = u.track_kind)`

/**
 * SQL for jobs' own texts, and for those behind their `unchanged` rows, as `withTextRows` has it: that of the same URL
 * set, and else the first delivered one that meets the wish.
 */
function rowsOfJobs(
  accountId: string,
  { jobIds, meeting: { wish, codes } }: { jobIds: string[]; meeting: Meeting },
): RawBuilder<unknown> {
  return sql`select r.job_id, r.index, o.place, r.index as nth
    from unnest(${jobIds}::text[]) with ordinality as o (job_id, place)
    join video_row r on r.job_id = o.job_id and r.status = 'success'
    union all
    (select m.job_id, m.index, max(u.place), ${2 ** 31 - 1}::int from (select ${codes}::text[] as codes, ${wish.language}::text as wish, ${wish.wishedTrack}::text as track) w
      cross join ${unchangedOf(jobIds)} cross join lateral (
      select t.job_id, t.index from ${textsOf(accountId)}
        and (h.url_set_hash = u.url_set_hash or ${sql.raw(MEETS)})
      order by h.url_set_hash = u.url_set_hash desc, h.attempted_at limit 1
    ) m group by 1, 2 limit ${TOO_MANY})`
}

/** The order's index cuts what is too much; a filter by title or language reads the rows. */
function rowsOfCollection(
  accountId: string,
  { collection, title, language }: Exclude<Offer, { videos: unknown } | { jobIds: unknown }>,
): RawBuilder<unknown> {
  const { id, kind } = collection
  const members =
    kind === 'project'
      ? sql`project_video v where v.account_id = ${accountId} and v.project_id = ${id}`
      : sql`collection_video v where v.account_id = ${accountId} and v.collection_id = ${id} and v.status = 'success'`
  const isFiltered = title !== null || language !== null
  const filter = sql`and exists (select from video_row m where m.job_id = v.job_id and m.index = v.index
    and (${title}::text is null or strpos(lower(m.title), lower(${title}::text)) > 0)
    and (${language}::text is null or m.language_code = ${language}))`
  return sql`select v.job_id, v.index, 0 as nth,
      row_number() over (order by v.published_at desc nulls last, v.video_id, v.job_id, v.index) as place
    from ${members} ${isFiltered ? filter : sql``} limit ${TOO_MANY}`
}

/**
 * SQL for the instant of a date as a row has it: ISO 8601 with a time and an offset; null for any other text. A day
 * that its month does not have is one of the next month, as `instantOf` has it.
 */
const INSTANT = sql`case when r.published_at ~ ('^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
    || 'T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])$')
  then (left(r.published_at, 8) || '01' || substr(r.published_at, 11))::timestamptz
    + make_interval(hours => 24 * (substr(r.published_at, 9, 2)::int - 1)) end`

/** A row that was offered and cannot be taken; `textsDeletedAt` is an instant as JSON has it. */
export type RefusedOffer = RowKey & {
  isThere: boolean
  status: string | null
  textsDeletedAt: string | null
}

/** How many rows were offered, how many texts can be taken, how many of them are new; and what is refused. */
type Addition = {
  offered: number
  taken: number
  added: number
  refusals: number
  refused: RefusedOffer[]
}

/**
 * Adds what is offered to a locked project, each text once; nothing where that is more than it can hold. A text that
 * stands in it already stays, unless it was removed since. `refused` has the first of what cannot be taken.
 */
export async function insertProjectVideos(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
  offer: Offer,
): Promise<Addition> {
  return query<Addition>`
    with offered as materialized (
      select o.*, r.job_id is not null as is_there, r.status, coalesce(r.text_deleted_at, j.texts_deleted_at) as texts_deleted_at,
        r.video_id, r.language_code,
        r.track_kind, ${INSTANT} as published_at,
        coalesce(r.status = 'success' and r.video_id is not null and j.texts_deleted_at is null
          and r.text_deleted_at is null, false) as is_taken
      from (${rowsOf(accountId, offer)}) o
      left join job j on j.id = o.job_id and j.account_id = ${accountId}
      left join video_row r on r.job_id = j.id
        and r.index = case when o.index <= ${2 ** 31 - 1}::float8 then o.index::int end
    ), taken as materialized (
      select distinct on (video_id, language_code, track_kind) video_id, language_code, track_kind, job_id,
        index::int as index, published_at
      from offered where is_taken order by video_id, language_code, track_kind, place desc, nth desc
    ), added as (
      insert into project_video as v
        (account_id, project_id, video_id, language_code, track_kind, job_id, index, published_at)
      select ${accountId}, ${projectId}, taken.* from taken
      where (select count(*) from taken) <= ${LIMITS.projectVideosMax}
      on conflict (project_id, video_id, language_code, track_kind) do update
      set job_id = excluded.job_id, index = excluded.index, published_at = excluded.published_at
      where exists (select from job j where j.id = v.job_id and j.texts_deleted_at is not null)
        or exists (select from video_row d where d.job_id = v.job_id and d.index = v.index and d.text_deleted_at is not null)
      returning video_id
    )
    select (select count(*)::int from offered) as offered, (select count(*)::int from taken) as taken,
      (select count(*)::int from added) as added,
      (select count(*)::int from offered where not is_taken) as refusals, coalesce((
        select json_agg(json_build_object('jobId', job_id, 'index', index, 'isThere', is_there, 'status', status,
          'textsDeletedAt', texts_deleted_at) order by place, nth)
        from (select * from offered where not is_taken order by place, nth limit ${LIMITS.projectVideosNamedMax}) first
      ), '[]') as refused
  `.onlyRow(tx)
}

/** Returns the languages of all texts that the account has of videos that these jobs left alone, and their wishes. */
export async function listLanguagesBehind(
  db: Db,
  { accountId, jobIds }: { accountId: string; jobIds: string[] },
): Promise<string[]> {
  return query<{ code: string }>`
    select distinct c.code from ${unchangedOf(jobIds)} cross join lateral (
      select t.language_code, o.language from ${textsOf(accountId)}) b
    cross join lateral (values (coalesce(b.language_code, '')), (b.language)) c (code)
  `.values(db)
}

/** Takes a video out of a locked project, in all of its languages. Returns how many texts left. */
export async function deleteProjectVideo(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
  videoId: string,
): Promise<number> {
  return query`
    delete from project_video
    where project_id = ${projectId} and account_id = ${accountId} and video_id = ${videoId}
  `.rowCount(tx)
}

/** Takes all texts out of a locked project. */
export async function deleteProjectVideos(tx: Tx, projectId: string): Promise<void> {
  await query`delete from project_video where project_id = ${projectId}`.rowCount(tx)
}

/** $1: the account, $2: the project. */
const LIST_PROJECT_TEXTS = statement<{ videoId: string | null; textHash: string | null }>(
  'list-project-texts',
  `select v.video_id as "videoId", t.text_hash as "textHash" from project p
  left join project_video v on v.project_id = p.id and v.account_id = p.account_id
  left join transcript t on t.job_id = v.job_id and t.index = v.index
  where p.account_id = $1 and p.id = $2`,
)

/** Returns a project's texts by video and hash of their words; null where the account has no such project. */
export async function findProjectTexts(
  db: Executor,
  { accountId, projectId }: ProjectKey,
): Promise<{ videoId: string; textHash: string | null }[] | null> {
  const rows = await run(db, LIST_PROJECT_TEXTS, [accountId, projectId])
  if (rows.length === 0) return null
  return rows.flatMap(({ videoId, ...text }) => (videoId === null ? [] : [{ videoId, ...text }]))
}
