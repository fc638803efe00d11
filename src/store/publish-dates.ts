/**
 * The table `publish_date`: exact publish dates that an account's jobs asked for lately; such a date does not change.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Returns publish dates by video id, spelled as the platform spells them; videos without a known date are missing. */
export async function findPublishDates(
  db: Db,
  accountId: string,
  videoIds: string[],
): Promise<Map<string, string>> {
  if (videoIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('publish_date')
    .select(['video_id as videoId', 'published_at as publishedAt'])
    .where('account_id', '=', accountId)
    .where((eb) => eb('video_id', '=', eb.fn.any(eb.val(videoIds))))
    .execute()
  return new Map(rows.map(({ videoId, publishedAt }) => [videoId, publishedAt]))
}

export async function keepPublishDate(
  db: Db,
  accountId: string,
  { videoId, publishedAt }: { videoId: string; publishedAt: string },
): Promise<void> {
  await db
    .insertInto('publish_date')
    .values({ account_id: accountId, video_id: videoId, published_at: publishedAt })
    .onConflict((known) => known.columns(['account_id', 'video_id']).doNothing())
    .execute()
}

export async function sweepPublishDates(
  db: Db,
  { maxSeconds, rowsMax }: { maxSeconds: number; rowsMax: number },
): Promise<void> {
  await sql`
    delete from publish_date where (account_id, video_id) in (
      select account_id, video_id from publish_date where asked_at <= now() - make_interval(secs => ${maxSeconds})
      order by asked_at limit ${rowsMax})
  `.execute(db)
}
