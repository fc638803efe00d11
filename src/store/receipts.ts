/** What a job delivered, as its receipt lists it: rows and the hashes of their texts. */
import type { NotNull } from 'kysely'
import type { Db } from './database.ts'

export type DeliveredText = { index: number; videoId: string; textSha256: string }

/** Returns a job's delivered texts in order of index; there are at most as many as the job has slots. */
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

/** Returns what a receipt of the job must hash to, once its rows are erased; null before that. */
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
