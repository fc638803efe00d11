/**
 * What the platform said lately, for all jobs: the tables `list_copy` and `list_page` (lists, page by page),
 * `channel_name` and `publish_date`. A copy begins with the list's first page; every job that reads the list follows
 * the same cursors.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, hashedKey, query } from './database.ts'

/** A page of a list; `body` is JSON, compressed by gzip. */
export type CopiedPage = { askedAt: Date; body: Buffer }

/** The newest copy of the list that is not older than `maxSeconds`, with its first page. */
export async function findCopy(
  db: Db,
  { listKey, maxSeconds }: { listKey: string; maxSeconds: number },
) {
  return query<CopiedPage & { id: string }>`
    select c.id, p.asked_at as "askedAt", p.body
    from list_copy c join list_page p on p.copy_id = c.id and p.place = ${hashedKey(null)}
    where c.list_key = ${listKey} and c.begun_at > now() - make_interval(secs => ${maxSeconds})
    order by c.begun_at desc limit 1
  `.firstRow(db)
}

/** Begins a copy and returns its id. */
export async function insertCopy(
  db: Db,
  listKey: string,
  { askedAt, body }: CopiedPage,
): Promise<string> {
  const id = randomUUID()
  await sql`
    with begun as (insert into list_copy (id, list_key) values (${id}, ${listKey}))
    insert into list_page (copy_id, place, asked_at, body) values (${id}, ${hashedKey(null)}, ${askedAt}, ${body})
  `.execute(db)
  return id
}

/** Returns null where no job has read that page, or the copy is too old. */
export async function findPage(
  db: Db,
  { copyId, cursor, maxSeconds }: { copyId: string; cursor: string; maxSeconds: number },
): Promise<CopiedPage | null> {
  return query<CopiedPage>`
    select p.asked_at as "askedAt", p.body
    from list_copy c join list_page p on p.copy_id = c.id and p.place = ${hashedKey(cursor)}
    where c.id = ${copyId} and c.begun_at > now() - make_interval(secs => ${maxSeconds})
  `.firstRow(db)
}

/** Adds or replaces a page; does nothing where the copy was deleted. */
export async function keepPage(
  db: Db,
  { copyId, cursor }: { copyId: string; cursor: string },
  { askedAt, body }: CopiedPage,
): Promise<void> {
  await sql`
    insert into list_page (copy_id, place, asked_at, body)
    select c.id, ${hashedKey(cursor)}, ${askedAt}, ${body} from list_copy c where c.id = ${copyId} for key share
    on conflict (copy_id, place) do update set asked_at = excluded.asked_at, body = excluded.body
  `.execute(db)
}

/** Deletes up to `copiesMax` copies that are too old, and the oldest ones where all together exceed `bytesMax`. */
export async function sweepCopies(
  db: Db,
  { maxSeconds, bytesMax, copiesMax }: { maxSeconds: number; bytesMax: number; copiesMax: number },
): Promise<void> {
  await sql`
    delete from list_copy where id in (
      select id from (
        select c.id, c.begun_at, sum(p.bytes) over (order by c.begun_at desc, c.id) as "bytesUpTo"
        from list_copy c left join lateral (
          select sum(octet_length(body)) as bytes from list_page where copy_id = c.id
        ) p on true
      ) aged
      where begun_at <= now() - make_interval(secs => ${maxSeconds}) or "bytesUpTo" > ${bytesMax}::bigint
      order by begun_at limit ${copiesMax}
    )
  `.execute(db)
}

/** Answer of the platform about a path; a null `channelId` means that there is no such channel. */
export type NamedChannel = { channelId: string | null }

/**
 * Returns null where the platform was not asked lately. A missing channel is forgotten sooner, since it may be created.
 */
export async function findChannelName(
  db: Db,
  path: string,
  { foundSeconds, missingSeconds }: { foundSeconds: number; missingSeconds: number },
): Promise<NamedChannel | null> {
  return query<NamedChannel>`
    select channel_id as "channelId" from channel_name
    where path_hash = ${hashedKey(path)} and asked_at > now() - make_interval(
      secs => case when channel_id is null then ${missingSeconds}::int else ${foundSeconds}::int end)
  `.firstRow(db)
}

export async function keepChannelName(
  db: Db,
  path: string,
  { channelId }: NamedChannel,
): Promise<void> {
  await sql`
    insert into channel_name (path_hash, channel_id) values (${hashedKey(path)}, ${channelId})
    on conflict (path_hash) do update set channel_id = excluded.channel_id, asked_at = excluded.asked_at
  `.execute(db)
}

/** Returns publish dates by video id, spelled as the platform spells them; videos without a known date are missing. */
export async function findPublishDates(
  db: Db,
  accountId: string,
  videoIds: string[],
): Promise<Map<string, string>> {
  if (videoIds.length === 0) return new Map()
  const rows = await query<{ videoId: string; publishedAt: string }>`
    select video_id as "videoId", published_at as "publishedAt" from publish_date
    where account_id = ${accountId} and video_id = any(${videoIds})
  `.rows(db)
  return new Map(rows.map(({ videoId, publishedAt }) => [videoId, publishedAt]))
}

export async function keepPublishDate(
  db: Db,
  accountId: string,
  { videoId, publishedAt }: { videoId: string; publishedAt: string },
): Promise<void> {
  await sql`
    insert into publish_date (account_id, video_id, published_at) values (${accountId}, ${videoId}, ${publishedAt})
    on conflict (account_id, video_id) do nothing
  `.execute(db)
}
