/** An account that got a whole list before: its history filled in bulk, as earlier jobs would have. */
import { sql } from 'kysely'
import { readUrlSet } from '../support/orders.ts'
import type { Db } from '../../src/store/database.ts'

/** Fills the history; `jobId` is a job of the account that delivered the videos. Existing entries stay as they are. */
export async function fillHistory(
  db: Db,
  given: { accountId: string; urls: string[]; jobId: string; videoIds: string[] },
): Promise<void> {
  const { accountId, urls, jobId, videoIds } = given
  await sql`
    insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    select ${accountId}, ${readUrlSet(urls).hash}, v.id, 'delivered', 0, ${jobId}, now()
    from unnest(${videoIds}::text[]) as v (id)
    on conflict (account_id, url_set_hash, video_id) do nothing
  `.execute(db)
}
