/**
 * Texts that their owner deletes: rows, receipts and charges stay, the words go, and each row says when they went
 * (docs/decisions/0030-erasure-and-keeping.md).
 */
import { type RawBuilder, sql } from 'kysely'
import type { RowKey } from '../model/library/row-key.ts'
import type { CollectionKind } from '../model/library/collection.ts'
import { type Db, query, type Tx } from './database.ts'
import { OWNED_TEXTS } from './owned-texts.ts'

/** Texts to delete: one, those that a job delivered, those of a project, or all of a channel's or playlist's videos. */
type NamedTexts = RowKey | { jobId: string } | { collection: { id: string; kind: CollectionKind } }
/** A video's text in a language and of a kind; null: any. */
export type TextToGo = { videoId: string; languageCode: string | null; trackKind: string | null }
/** Texts that are named by where they are, or by themselves. */
export type TextsToGo = NamedTexts | { texts: readonly TextToGo[] }

/** The videos with which a statement works: the first ones after an id, all of a video's texts together. */
export type GoingPage = {
  accountId: string
  of: TextsToGo
  /** Texts that came later stay; null: those of this moment. */
  until: Date | null
  afterVideoId: string
  limit: number
}

/**
 * SQL for the texts that are named: videos, each with a language and kind; null is any. An account's text is a video's
 * words in one language and of one kind, whichever orders brought it.
 */
function namedBy({ accountId, of }: { accountId: string; of: TextsToGo }): RawBuilder<unknown> {
  if ('texts' in of)
    return sql`select r.* from unnest(${of.texts.map(({ videoId }) => videoId)}::text[],
        ${of.texts.map(({ languageCode }) => languageCode)}::text[], ${of.texts.map(({ trackKind }) => trackKind)}::text[])
      as r (video_id, language_code, track_kind) where true`
  if (!('collection' in of)) {
    const row = 'index' in of ? sql`and r.index = ${of.index}` : sql``
    return sql`select r.video_id, r.language_code, r.track_kind from video_row r
      join job j on j.id = r.job_id and j.account_id = ${accountId} and j.texts_deleted_at is null
      where r.job_id = ${of.jobId} ${row} and r.status = 'success' and r.text_deleted_at is null`
  }
  const { id, kind } = of.collection
  return kind === 'project'
    ? sql`select r.video_id, r.language_code, r.track_kind from project_video r
        where r.account_id = ${accountId} and r.project_id = ${id}`
    : sql`select r.video_id, null::text as language_code, null::text as track_kind from collection_video r
        where r.account_id = ${accountId} and r.collection_id = ${id} and r.status = 'success'`
}

/** Returns the texts that are named, in no order; of more than `limit`, the first that are found. */
export async function listNamedTexts(
  db: Db,
  { limit, ...named }: { accountId: string; of: NamedTexts; limit: number },
): Promise<TextToGo[]> {
  return query<TextToGo>`
    select distinct video_id as "videoId", language_code as "languageCode", track_kind as "trackKind"
    from (${namedBy(named)}) n limit ${limit}
  `.rows(db)
}

/** SQL for a page of named texts, and for the rows `gone` that hold them in any order of the account. */
function goneOf({ accountId, until, afterVideoId, limit, ...of }: GoingPage): RawBuilder<unknown> {
  return sql`named as materialized (
    select distinct n.* from (${namedBy({ accountId, ...of })} and r.video_id > ${afterVideoId}
      order by r.video_id fetch first ${limit} rows with ties) n
  ), texts as materialized (
    select distinct t.* from (select distinct video_id from named) n cross join lateral (
      select t.job_id, t.index, t.video_id, t.language_code, t.track_kind, o.finished_at from ${sql.raw(OWNED_TEXTS)}
        and h.account_id = ${accountId} and h.video_id = n.video_id
        and t.finished_at <= coalesce(${until}::timestamptz, now())
    ) t
  ), gone as materialized (
    select t.* from texts t where exists (select from named n where n.video_id = t.video_id
      and (n.language_code is null or (n.language_code, n.track_kind) = (t.language_code, t.track_kind)))
  )`
}

/** Counts of all that goes with a page; `otherTexts` are texts of the same videos that stay. */
export type GoingTexts = {
  lastVideoId: string | null
  videos: number
  texts: number
  /** Bytes of the words and their times as they are stored. */
  bytes: number
  otherTexts: number
  jobs: { id: string; isFinal: boolean }[]
  projects: { id: string; name: string; texts: number }[]
  /** The database's day in UTC. */
  today: string
}

/** Returns what would go with a page of the texts. */
export async function readGoingTexts(db: Db, page: GoingPage): Promise<GoingTexts> {
  return query<GoingTexts>`
    with ${goneOf(page)}
    select (select max(video_id) from named) as "lastVideoId",
      (select count(distinct video_id)::int from gone) as videos, (select count(*)::int from gone) as texts,
      (select coalesce(sum(octet_length(b.body) + octet_length(b.recorded) + coalesce(octet_length(b.word_times), 0)
          + coalesce(p.body_bytes, 0) + coalesce(p.times_bytes, 0)), 0)::float8
        from gone g join transcript_body b on b.job_id = g.job_id and b.index = g.index
        left join packed_text p on p.job_id = g.job_id and p.index = g.index) as bytes,
      (select count(*)::int from texts) - (select count(*)::int from gone) as "otherTexts",
      (select coalesce(json_agg(json_build_object('id', j.job_id, 'isFinal', j.is_final) order by j.job_id), '[]')
        from (select distinct job_id, finished_at is not null as is_final from gone) j) as jobs,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'texts', p.texts) order by p.id), '[]') from (
        select p.id, p.name, count(*)::int as texts from gone g
        join project_video v on v.job_id = g.job_id and v.index = g.index
        join project p on p.id = v.project_id group by p.id, p.name) p) as projects,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today
  `.onlyRow(db)
}

/**
 * Deletes a page of the texts from final jobs, and counts them on these; `label` and `sentence` are what their rows
 * say from now on. Where the account has another text of a video, its collections lead to that. Returns how many.
 */
export async function deleteGoingTexts(
  tx: Tx,
  page: GoingPage,
  { label, sentence }: { label: string; sentence: string },
): Promise<number> {
  const { texts, videoIds } = await query<{ texts: number; videoIds: string[] }>`
    with ${goneOf(page)}, locked as materialized (
      select id from job where id in (select job_id from gone) and finished_at is not null
      order by id for no key update
    ), marked as (
      update video_row r set text_deleted_at = now(), label = ${label}, error_message = ${sentence}
      from gone g join locked on locked.id = g.job_id
      where r.job_id = g.job_id and r.index = g.index and r.text_deleted_at is null
      returning r.job_id, r.index, r.video_id
    ), bodies as (
      delete from transcript_body b using marked m where b.job_id = m.job_id and b.index = m.index
    ), counted as (
      update job j set deleted_texts = j.deleted_texts + n.texts, deleted_texts_at = now()
      from (select job_id, count(*)::int as texts from marked group by job_id) n where j.id = n.job_id
    )
    select count(*)::int as texts, coalesce(array_agg(distinct video_id), '{}') as "videoIds" from marked
  `.onlyRow(tx)
  if (texts > 0) await leadToOtherTexts(tx, page.accountId, videoIds)
  return texts
}

/** Locked in the order in which a worker that records rows writes them, so that neither waits for the other. */
async function leadToOtherTexts(tx: Tx, accountId: string, videoIds: string[]): Promise<void> {
  await query`
    with others as materialized (
      select distinct on (n.video_id) n.video_id, t.job_id, t.index from unnest(${videoIds}::text[]) as n (video_id)
      cross join lateral (select t.job_id, t.index, h.attempted_at from ${sql.raw(OWNED_TEXTS)}
        and h.account_id = ${accountId} and h.video_id = n.video_id) t
      order by n.video_id, t.attempted_at desc, t.job_id
    ), held as materialized (
      select v.collection_id, v.video_id from collection_video v
      join video_row r on r.job_id = v.job_id and r.index = v.index and r.text_deleted_at is not null
      where v.account_id = ${accountId} and v.video_id in (select video_id from others)
      order by v.collection_id, v.video_id for no key update of v
    )
    update collection_video v set job_id = o.job_id, index = o.index from held h join others o on o.video_id = h.video_id
    where v.account_id = ${accountId} and v.collection_id = h.collection_id and v.video_id = h.video_id
  `.rowCount(tx)
}

// Deletions of a collection's texts that are not done: a worker finishes them after a crash.

export type DeletingCollection = { accountId: string; id: string; until: Date }

/** Notes that a collection's texts of this moment are to go. Returns the moment; null where there is no such row. */
export async function setCollectionDeleting(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<Date | null> {
  return query<{ until: Date }>`
    update collection set texts_go_until = date_trunc('milliseconds', now()) + interval '1 ms'
    where account_id = ${accountId} and id = ${id} returning texts_go_until as until
  `.firstValue(db)
}

/** Notes that all texts are gone that were to go, unless more are to go since. */
export async function setCollectionDeleted(
  db: Db,
  { accountId, id, until }: DeletingCollection,
): Promise<void> {
  await query`
    update collection set texts_go_until = null
    where account_id = ${accountId} and id = ${id} and texts_go_until < ${until}::timestamptz + interval '1 ms'
  `.anyRow(db)
}

/** Returns the collections whose deletion began more than `minSeconds` ago and is not done, the oldest first. */
export async function listDeletingCollections(
  db: Db,
  { minSeconds, limit }: { minSeconds: number; limit: number },
): Promise<DeletingCollection[]> {
  return query<DeletingCollection>`
    select account_id as "accountId", id, texts_go_until as until from collection
    where texts_go_until <= now() - make_interval(secs => ${minSeconds}) order by texts_go_until limit ${limit}
  `.rows(db)
}
