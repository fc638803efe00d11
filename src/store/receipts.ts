/** What a job delivered, as its receipt lists it: rows and the hashes of their texts. */
import type { NotNull } from 'kysely'
import type { Db } from './database.ts'

export type DeliveredText = { index: number; videoId: string; textSha256: string }

/** In order of index; at most as many as a job takes up videos. */
export async function listDeliveredTexts(db: Db, jobId: string): Promise<DeliveredText[]> {
  return db
    .selectFrom('video_row as r')
    .innerJoin('transcript as t', (join) =>
      join.onRef('t.job_id', '=', 'r.job_id').onRef('t.index', '=', 'r.index'),
    )
    .select(['r.index', 'r.video_id as videoId', 't.text_hash as textSha256'])
    .where('r.job_id', '=', jobId)
    .where('r.status', '=', 'success')
    .orderBy('r.index')
    .$narrowType<{ videoId: NotNull }>()
    .execute()
}

/** What a receipt of the job must hash to, where its rows are erased; else null. */
export async function readReceiptHash(
  db: Db,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<string | null> {
  const job = await db
    .selectFrom('job')
    .select('receipt_sha256 as sha256')
    .where('id', '=', jobId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return job?.sha256 ?? null
}
