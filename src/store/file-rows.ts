/** Rows of a job as its files show them: in index order, and only those finished by a moment. */
import { sql } from 'kysely'
import type { NamedRow } from '../model/files/file-names.ts'
import type { FiledVideo } from '../model/library/video-details.ts'
import { type Db, query } from './database.ts'
import { ROW_ERROR, ROW_URL } from './video-rows.ts'

/**
 * Which rows a file shows, by the order in which they finished: those after the first `doneAfter`, up to the `doneMax`
 * that had finished when the file was opened.
 */
export type Snapshot = { jobId: string; doneAfter: number; doneMax: number }

export type FinishedVideo = FiledVideo & {
  index: number
  status: string
  label: string
  errorMessage: string | null
  textDeletedAt: Date | null
}

const METADATA = sql`index, video_id as "videoId", title, ${ROW_URL}, channel_name as "channelName",
  published_at as "publishedAt", language_code as "languageCode", track_kind as "trackKind"`

/** Returns the next finished rows after an index, with any status. */
export async function listReported(
  db: Db,
  { jobId, doneAfter, doneMax, after, limit }: Snapshot & { after: number; limit: number },
): Promise<FinishedVideo[]> {
  return query<FinishedVideo>`
    select ${METADATA}, status, label, ${ROW_ERROR}, text_deleted_at as "textDeletedAt" from video_row
    where job_id = ${jobId} and done > ${doneAfter} and done <= ${doneMax} and index > ${after}
    order by index limit ${limit}
  `.rows(db)
}

/** Returns what a row says whose text its owner deleted; null for any other. */
export async function findDeletionSentence(
  db: Db,
  { jobId, index }: { jobId: string; index: number },
): Promise<string | null> {
  return query<{ sentence: string | null }>`
    select error_message as sentence from video_row
    where job_id = ${jobId} and index = ${index} and text_deleted_at is not null
  `.firstValue(db)
}

/**
 * Returns what a row's file is named by, and the job's largest delivered index, which sets the number of digits; null
 * where there is no such row.
 */
export async function findNamedRow(db: Db, { jobId, index }: { jobId: string; index: number }) {
  return query<NamedRow & { indexMax: number }>`
    select index, title, video_id as "videoId",
      (select max(index) from transcript where job_id = ${jobId}) as "indexMax"
    from video_row where job_id = ${jobId} and index = ${index}
  `.firstRow(db)
}

/** Returns the largest index of each job's rows; jobs without rows are missing. */
export async function listLastIndexes(
  db: Db,
  jobs: readonly { id: string }[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; last: number }>`
    select j.id, r.index as last from unnest(${jobs.map(({ id }) => id)}::text[]) as j (id)
    cross join lateral (select index from video_row where job_id = j.id order by index desc limit 1) r
  `.rows(db)
  return new Map(rows.map(({ id, last }) => [id, last]))
}
