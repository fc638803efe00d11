/**
 * Recording a finished row: fence, counters, row, transcript and history in one statement, which is
 * one commit and one round trip for each transcript.
 */
import { type RawBuilder, sql } from 'kysely'
import type { HistoryEntry } from '../jobs/history.ts'
import type { RowStatus } from '../jobs/video-row.ts'
import type { StoredTranscript } from '../transcripts/transcript-forms.ts'
import { type Db, prepared } from '../postgres/database.ts'
import type { RowContent } from './video-rows.ts'

export type Recording = {
  jobId: string
  attempt: number
  index: number
  content: RowContent
  /** With `success` exactly. */
  transcript: StoredTranscript | null
  /** What the account knows of the video from now on; null for rows that tell nothing of it. */
  history: HistoryEntry | null
}

/**
 * Records the row, or nothing at all: false where another attempt holds the job, the job is no
 * longer running, or the row has been recorded before. Safe to repeat after a lost connection.
 */
export async function recordFinished(db: Db, recording: Recording): Promise<boolean> {
  const { jobId, attempt, index, content, transcript, history } = recording
  const parts = `${transcript?.forms.length ?? 0}-forms${history === null ? '' : '-history'}`
  const { rows } = await sql<{ done: number }>`${prepared(`record-${content.status}-${parts}`)}
    with held as (
      update job set processed = processed + 1, ${countUp(content.status)}
      where id = ${jobId} and attempt = ${attempt} and state = 'running'
        and exists (select from video_row where job_id = ${jobId} and index = ${index} and status is null)
      returning account_id, url_set_hash, processed
    ), finished as (
      update video_row r
      set status = ${content.status}, label = ${content.label}, error_message = ${content.errorMessage},
        title = ${content.title}, channel_name = ${content.channelName},
        published_at = ${content.publishedAt}, language_code = ${content.languageCode},
        track_kind = ${content.trackKind}, done = held.processed, finished_at = now()
      from held where r.job_id = ${jobId} and r.index = ${index} and r.status is null
    )
    ${transcript === null ? sql`` : insertTranscript(recording, transcript)}
    ${history === null ? sql`` : upsertHistory(recording, history)}
    select processed as done from held
  `.execute(db)
  return rows.length > 0
}

/** `status = status + 1`, for the statement's own counter column. */
export function countUp(status: RowStatus, by = 1): RawBuilder<unknown> {
  return sql`${sql.ref(status)} = ${sql.ref(status)} + ${by}`
}

function insertTranscript(
  { jobId, index }: Recording,
  transcript: StoredTranscript,
): RawBuilder<unknown> {
  const forms = sql.join(
    transcript.forms.map(
      (form) => sql`(${form.form}::text, ${form.gzip}::bytea,
    ${form.sizeBytes}::int, ${form.crc32}::bigint, ${form.sha256}::text)`,
    ),
  )
  return sql`, kept as (
      insert into transcript (job_id, index, text_hash, words)
      select ${jobId}, ${index}, ${transcript.textSha256}, ${transcript.words} from held
    ), forms as (
      insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
      select ${jobId}, ${index}, f.form, f.gzip, f.size_bytes, f.crc32, f.sha256
      from held, (values ${forms}) as f (form, gzip, size_bytes, crc32, sha256)
    )`
}

function upsertHistory({ jobId, content }: Recording, entry: HistoryEntry): RawBuilder<unknown> {
  const { kind } = entry
  const tries = kind === 'transient' ? entry.tries : 0
  const publishedAt = kind === 'delivered' ? content.publishedAt : entry.publishedAt
  return sql`, known as (
      insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at, published_at)
      select account_id, url_set_hash, ${content.videoId}, ${kind}, ${tries}, ${jobId}, now(), ${publishedAt}
      from held
      on conflict (account_id, url_set_hash, video_id) do update
      set outcome = excluded.outcome, tries = excluded.tries, job_id = excluded.job_id,
        attempted_at = excluded.attempted_at, published_at = excluded.published_at
      where history.outcome <> 'delivered'
    )`
}
