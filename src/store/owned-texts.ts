/** Texts that an account has of videos by any of its orders: delivered rows whose texts are kept. */
import type { OwnedText } from '../model/jobs/owned-text.ts'
import type { TrackKind } from '../model/transcripts/transcript.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query, type Tx } from './database.ts'

/** An owned text with what its row says of the video; null where that says nothing. */
export type OwnedRow = OwnedText & {
  urlSetHash: string
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

/**
 * SQL for the texts that accounts own: rows `t` of orders `o`, by the entries `h` of their history. Behind it stand the
 * account and the video, by which the index history_delivered finds them.
 */
export const OWNED_TEXTS = `history h join job o on o.id = h.job_id and o.texts_deleted_at is null
    join video_row t on t.job_id = h.job_id and t.video_id = h.video_id and t.status = 'success'
      and t.text_deleted_at is null
    where h.outcome = 'delivered'`

/**
 * SQL for whether an owned text meets an order's wish, as `findMeeting` has it: it is in one of the codes that do, or
 * an order for the same wish or one of these codes brought it; likewise for the wished kind of track, a `text` that may
 * be null.
 */
export function meets({ codes, wish, track }: Record<'codes' | 'wish' | 'track', string>): string {
  const isMet = `${codes} && array[t.language_code, o.language] or lower(o.language) = lower(${wish})`
  return `(${isMet}) and ${meetsTrack(track)}`
}

export function meetsTrack(track: string): string {
  return `(${track} is null or ${track} in (t.track_kind, o.wished_track))`
}

/** Each order has one row of a video. */
const READ_OWNED = statement<OwnedRow & { videoId: string }>(
  'read-owned',
  `select h.video_id as "videoId", h.job_id as "jobId", t.index, coalesce(t.language_code, '') as "languageCode",
    t.track_kind as "trackKind", o.language as "wishedLanguage", o.wished_track as "wishedTrack", h.attempted_at as "deliveredAt", h.url_set_hash as "urlSetHash", t.title,
    t.channel_name as "channelName", t.published_at as "publishedAt"
  from ${OWNED_TEXTS} and h.account_id = $1 and h.video_id = any($2)`,
)

/** In the order of the keys, so that of two transactions that lock several texts only one waits for the other. */
const LOCK_TEXTS = statement<{ lock: string }>(
  'lock-texts',
  `select pg_advisory_xact_lock(key)::text as lock from (
    select distinct hashtextextended($1::text || ' ' || video_id, 0) as key from unnest($2::text[]) as video_id order by key
  ) k`,
)

/**
 * Locks the account's texts of these videos until the transaction ends. Whoever reads under this lock what is owned,
 * and buys what is not, buys no text that another one buys at the same time.
 */
export async function lockTexts(
  tx: Tx,
  { accountId, videoIds }: { accountId: string; videoIds: string[] },
): Promise<void> {
  await run(tx, LOCK_TEXTS, [accountId, videoIds])
}

/** Returns the account's texts by video, in any order; videos of which it has none are missing. */
export async function readOwnedTexts(
  db: Db,
  { accountId, videoIds }: { accountId: string; videoIds: string[] },
): Promise<Map<string, OwnedRow[]>> {
  if (videoIds.length === 0) return new Map()
  const rows = await run(db, READ_OWNED, [accountId, videoIds])
  return Map.groupBy(rows, ({ videoId }) => videoId)
}

/**
 * A collection that the account has read, and the name by which it ordered it; null where it was by an id. `isWhole`
 * where it holds all that the account owns of it: a channel by its videos, a playlist that was read to its end.
 */
export type ReadCollection = {
  id: string
  orderName: string | null
  languages: string[]
  delivered: number
  isWhole: boolean
}

/** Returns the collections with one of these ids, or ordered by one of these names, that the account has read. */
export async function findReadCollections(
  db: Db,
  { accountId, ids, names }: { accountId: string; ids: string[]; names: string[] },
): Promise<ReadCollection[]> {
  return query<ReadCollection>`
    select id, order_name as "orderName", languages, delivered,
      kind = 'channel' or coalesce(videos >= video_count, false) as "isWhole"
    from collection
    where account_id = ${accountId} and looked_at is not null and (id = any(${ids}) or order_name = any(${names}))
  `.rows(db)
}

/** Each video is looked up by itself (`limit 1`): joined, the plan would read all that the account owns. */
const COUNT_OWNED_LISTED = statement<{ looked: number; videos: number }>(
  'count-owned-listed',
  `with looked as materialized (
    select v.video_id, l.url_set_hash
    from (select distinct * from unnest($2::text[], $3::text[])) as l (collection_id, url_set_hash)
    join collection_video v on v.account_id = $1 and v.collection_id = l.collection_id and v.status = 'success'
    limit $7
  )
  select (select count(*)::int from looked) as looked, count(*)::int as videos
  from (select distinct video_id, url_set_hash from looked) l
  cross join lateral (
    select from ${OWNED_TEXTS} and h.account_id = $1 and h.video_id = l.video_id and ${meets({ codes: '$5', wish: '$6', track: '$9::text' })}
      and not exists (select from history where account_id = $1 and url_set_hash = l.url_set_hash
        and video_id = l.video_id and outcome = 'delivered')
    limit 1
  ) elsewhere
  where not exists (select from unnest($4::text[], $8::text[]) as n (video_id, url_set_hash)
      where n.video_id = l.video_id and n.url_set_hash = l.url_set_hash)`,
)

/**
 * Counts the videos of these lists that the account owns in one of the languages, or by the same wish, of the wished
 * kind, and not by the set that orders the list; those that the set names itself (`not`) are left out. It looks at
 * `max` videos at most; `looked` says at how many.
 */
export async function countOwnedListed(
  db: Db,
  {
    accountId,
    lists,
    not,
    languages,
    wish,
    wishedTrack,
    max,
  }: {
    accountId: string
    lists: { collectionId: string; urlSetHash: string }[]
    not: readonly { videoId: string; urlSetHash: string }[]
    languages: string[]
    wish: string
    wishedTrack: TrackKind | null
    max: number
  },
): Promise<{ looked: number; videos: number }> {
  const [row] = await run(db, COUNT_OWNED_LISTED, [
    accountId,
    lists.map(({ collectionId }) => collectionId),
    lists.map(({ urlSetHash }) => urlSetHash),
    not.map(({ videoId }) => videoId),
    languages,
    wish,
    max,
    not.map(({ urlSetHash }) => urlSetHash),
    wishedTrack,
  ])
  return row ?? { looked: 0, videos: 0 }
}

/** Returns those of these videos that orders with one of the URL sets have delivered. */
export async function listDeliveredBySets(
  db: Db,
  {
    accountId,
    urlSetHashes,
    videoIds,
  }: { accountId: string; urlSetHashes: string[]; videoIds: string[] },
) {
  return query<{ videoId: string; urlSetHash: string }>`
    select video_id as "videoId", url_set_hash as "urlSetHash" from history
    where account_id = ${accountId} and url_set_hash = any(${urlSetHashes}) and video_id = any(${videoIds})
      and outcome = 'delivered'
  `.rows(db)
}

/**
 * Returns an open job of the account, the latest of several, that names one of these subjects or whose list proved to
 * be one of these collections; null where there is none.
 */
export async function findOpenJobOf(
  db: Db,
  {
    accountId,
    subjects,
    collectionIds,
  }: { accountId: string; subjects: string[]; collectionIds: string[] },
): Promise<string | null> {
  return query<{ id: string }>`
    select j.id from job j where j.account_id = ${accountId} and j.state in ('queued', 'running', 'cancelling')
      and exists (select from job_source s where s.job_id = j.id
        and (s.subject = any(${subjects}) or s.collection_id = any(${collectionIds})))
    order by j.created_at desc limit 1
  `.firstValue(db)
}
