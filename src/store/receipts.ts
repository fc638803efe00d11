/** What a job delivered, as its receipt lists it: rows and the hashes of their texts. */
import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'

export type DeliveredText = { index: number; videoId: string; textSha256: string }

/** In order of index; at most as many as a job takes up videos. */
export async function listDeliveredTexts(db: Db, jobId: string): Promise<DeliveredText[]> {
  const { rows } = await sql<DeliveredText>`
    select r.index, r.video_id as "videoId", t.text_hash as "textSha256"
    from video_row r join transcript t on t.job_id = r.job_id and t.index = r.index
    where r.job_id = ${jobId} and r.status = 'success'
    order by r.index
  `.execute(db)
  return rows
}
