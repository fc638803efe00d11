/** The table `collection`: what an account has of each channel and playlist, counted as it comes. */
import { type RawBuilder, sql } from 'kysely'
import type { Collection, CollectionKind, ListFacts } from '../model/library/collection.ts'
import type { Db, Tx } from './database.ts'

const COLUMNS = sql`id, kind, title, video_count as "videoCount", looked_at as "lookedAt", videos, delivered, deliveries,
  no_captions as "noCaptions", failed, languages, newest_at as "newestAt", oldest_at as "oldestAt", changed_at as "changedAt"`

type CollectionRow = Omit<Collection, 'kind'> & { kind: string }

/** A page of the collections that the account ordered, the last changed first, with the number of all of them. */
export async function listCollections(
  db: Db,
  { accountId, offset, limit }: { accountId: string; offset: number; limit: number },
): Promise<{ total: number; collections: Collection[] }> {
  const { rows } = await sql<{ total: number } & (CollectionRow | { id: null })>`
    select n.total, c.* from (
      select count(*)::int as total from collection where account_id = ${accountId} and is_ordered
    ) n left join lateral (
      select ${COLUMNS} from collection where account_id = ${accountId} and is_ordered
      order by changed_at desc, id limit ${limit} offset ${offset}
    ) c on true order by c."changedAt" desc, c.id
  `.execute(db)
  const collections = rows.flatMap((row) => (row.id === null ? [] : [toCollection(row)]))
  return { total: rows[0]?.total ?? 0, collections }
}

/** Returns null where the account has nothing of this channel or playlist. */
export async function findCollection(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<Collection | null> {
  const { rows } = await sql<CollectionRow>`
    select ${COLUMNS} from collection where account_id = ${accountId} and id = ${id}
  `.execute(db)
  return rows[0] === undefined ? null : toCollection(rows[0])
}

/** The collections of a job's lists, and of the channels of the single videos that it named. */
export async function listCollectionsOfJob(
  db: Db,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<Collection[]> {
  const { rows } = await sql<CollectionRow>`
    select ${COLUMNS} from collection where account_id = ${accountId} and is_ordered
      and exists (select from job where id = ${jobId} and account_id = ${accountId}) and id in (
      select collection_id from job_source where job_id = ${jobId} and collection_id is not null
      union
      select d.channel_id from video_row r
        join job_source s on s.job_id = r.job_id and s.position = r.source and s.collection_id is null
        join video_details d on d.video_id = r.video_id
      where r.job_id = ${jobId} and d.channel_id is not null
    ) order by kind, title, id
  `.execute(db)
  return rows.map(toCollection)
}

function toCollection(row: CollectionRow): Collection {
  return { ...row, kind: row.kind as CollectionKind }
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
    insert into collection (account_id, id, kind, title, is_ordered, video_count, looked_at, order_job_id)
    values (${job.accountId}, ${collection.id}, ${collection.kind}, ${title}, true, ${videoCount}, now(), ${job.id})
    on conflict (account_id, id) do update
    set kind = excluded.kind, title = coalesce(excluded.title, collection.title), is_ordered = true, looked_at = now(),
      changed_at = now(), video_count = coalesce(excluded.video_count, collection.video_count),
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
