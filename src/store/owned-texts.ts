/** What an account has of videos by any of its orders: delivered rows whose texts are kept. */
import type { OwnedText } from '../model/jobs/owned-text.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query, type Tx } from './database.ts'
import type { UrlSetKey } from './jobs.ts'

/** An owned text with what its row says of the video; null where that says nothing. */
export type OwnedRow = OwnedText & {
  title: string | null
  channelName: string | null
  publishedAt: string | null
}

/** The index history_delivered finds the orders; each has one row of a video. */
const READ_OWNED = statement<
  Omit<OwnedRow, 'languageCode'> & { videoId: string; languageCode: string | null }
>(
  'read-owned',
  `select h.video_id as "videoId", h.job_id as "jobId", r.index, r.language_code as "languageCode",
    j.language as "wishedLanguage", h.attempted_at as "deliveredAt", r.title,
    r.channel_name as "channelName", r.published_at as "publishedAt"
  from history h join job j on j.id = h.job_id and j.texts_deleted_at is null
  join video_row r on r.job_id = h.job_id and r.video_id = h.video_id and r.status = 'success'
  where h.account_id = $1 and h.outcome = 'delivered' and h.video_id = any($2)`,
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
  const texts = rows.map((row) => ({ ...row, languageCode: row.languageCode ?? '' }))
  return Map.groupBy(texts, ({ videoId }) => videoId)
}

/**
 * Returns the ids of the videos of these collections that are delivered to the account, and not by this URL set: what
 * an order of the set would buy again. A video that stands in several of them is named once.
 */
export async function listOwnedElsewhere(
  db: Db,
  { accountId, urlSetHash, collectionIds }: UrlSetKey & { collectionIds: string[] },
): Promise<string[]> {
  if (collectionIds.length === 0) return []
  const rows = await query<{ videoId: string }>`
    select distinct v.video_id as "videoId" from collection_video v
    where v.account_id = ${accountId} and v.collection_id = any(${collectionIds}) and v.status = 'success'
      and not exists (select from history h where h.account_id = v.account_id and h.url_set_hash = ${urlSetHash}
        and h.video_id = v.video_id and h.outcome = 'delivered')
  `.rows(db)
  return rows.map(({ videoId }) => videoId)
}

/** Returns which of these collections the account has read. */
export async function listReadCollections(
  db: Db,
  { accountId, ids }: { accountId: string; ids: string[] },
): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select id from collection where account_id = ${accountId} and id = any(${ids}) and looked_at is not null
  `.rows(db)
  return rows.map(({ id }) => id)
}

/** A line by which a list was ordered, and the collection that it proved to be. */
export type OrderedLine = { line: string; collectionId: string }

/** Most lines read to find what a handle stands for. */
const ORDERED_LINES_MAX = 5_000

/** Returns, for each channel of which the account has texts, the line of the order that it goes on by. */
export async function listOrderedLines(db: Db, accountId: string): Promise<OrderedLine[]> {
  return query<OrderedLine>`
    select s.line, c.id as "collectionId" from collection c
    join job_source s on s.job_id = c.order_job_id and s.collection_id = c.id
    where c.account_id = ${accountId} and c.kind = 'channel' and c.delivered > 0
    order by c.changed_at desc, c.id limit ${ORDERED_LINES_MAX}
  `.rows(db)
}
