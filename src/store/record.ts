/**
 * Recording finished rows of a job: fence, counters, rows, transcripts, history and library in one statement, which is
 * one commit and one round trip for all of them. A job's rows wait for one another anyway, for the counters beside it.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { LIMITS } from '../kit/config/config.ts'
import { hasDetails, type VideoDetails } from '../model/library/video-details.ts'
import type { HistoryEntry } from '../model/jobs/history.ts'
import type { StoredBody, StoredTranscript } from '../model/transcripts/transcript-forms.ts'
import { prepared } from '../kit/postgres/database.ts'
import type { Db } from './database.ts'
import { valueLines } from '../kit/postgres/value-lines.ts'
import { changesLibrary, instantOf, upsertVideos } from './collection-videos.ts'
import { upsertHistory } from './history.ts'
import { countReady } from './jobs.ts'
import { upsertDetails } from './video-details.ts'
import { insertTranscripts } from './transcripts.ts'
import { finishRows, type RowContent } from './video-rows.ts'

export type Recording = {
  index: number
  content: RowContent
  /** With `success` exactly. */
  transcript: StoredTranscript | StoredBody | null
  /** What the account knows of the video from now on; null for rows that tell nothing of it. */
  history: HistoryEntry | null
  /** What the platform said of the video beside that. */
  details: VideoDetails
}

/** Whose rows; of a job that another attempt holds nothing is recorded. */
export type RecordingJob = { jobId: string; attempt: number }

/** Statements are prepared for so many rows; a line of nulls meets none. */
const SIZES = [1, 2, 4, LIMITS.recordedTogetherMax]

/**
 * Records the rows, in the order given, and says which: none where another attempt holds the job or it is
 * no longer running, and none that was recorded before. Safe to repeat after a lost connection.
 */
export async function recordFinished(
  db: Db,
  job: RecordingJob,
  recordings: readonly Recording[],
): Promise<Set<number>> {
  const size = SIZES.find((rows) => rows >= recordings.length)
  assert(size !== undefined, `${recordings.length} rows are too many for one statement`)
  const transcripts = insertTranscripts(job.jobId, size, recordings)
  const given = valueLines(recordings.map(lineOf), { types: TYPES, count: size })
  const { rows } = await sql<{ index: number }>`${prepared(`record-${size}-${transcripts.shape}`)}
    with given (${NAMES}) as (values ${given}), locked as materialized (
      select account_id from job where id = ${job.jobId} and attempt = ${job.attempt} and state = 'running'
      for no key update
    ), open as materialized (
      select g.*, r.source, s.collection_id as source_collection
      from locked, given g join video_row r on r.job_id = ${job.jobId} and r.index = g.index
        left join job_source s on s.job_id = r.job_id and s.position = r.source
      where r.status is null for no key update of r
    ), ready as materialized (
      select *, row_number() over (order by place)::int as nth from open
    ), held as (
      ${countReady(job.jobId)}
    ), finished as (
      ${finishRows(job.jobId)}
    )
    ${transcripts.parts}
    ${upsertHistory(job.jobId)}
    ${upsertDetails()}
    ${upsertVideos(job.jobId)}
    select ready.index from ready, held
  `.execute(db)
  return new Set(rows.map(({ index }) => index))
}

type Column = { name: string; type: string; of: (row: Recording, place: number) => unknown }

/** What `given` and `ready` say of a row; what of it is bytes stands beside it. */
const COLUMNS: Column[] = [
  { name: 'place', type: 'int', of: (_row, place) => place },
  { name: 'index', type: 'int', of: ({ index }) => index },
  { name: 'status', type: 'text', of: ({ content }) => content.status },
  { name: 'label', type: 'text', of: ({ content }) => content.label },
  { name: 'error_message', type: 'text', of: ({ content }) => content.errorMessage },
  { name: 'video_id', type: 'text', of: ({ content }) => content.videoId },
  { name: 'title', type: 'text', of: ({ content }) => content.title },
  { name: 'channel_name', type: 'text', of: ({ content }) => content.channelName },
  { name: 'published_at', type: 'text', of: ({ content }) => content.publishedAt },
  { name: 'instant', type: 'timestamptz', of: ({ content }) => instantOf(content.publishedAt) },
  { name: 'language_code', type: 'text', of: ({ content }) => content.languageCode },
  { name: 'track_kind', type: 'text', of: ({ content }) => content.trackKind },
  { name: 'in_library', type: 'boolean', of: ({ content }) => changesLibrary(content) },
  { name: 'text_hash', type: 'text', of: ({ transcript }) => transcript?.textSha256 },
  { name: 'words', type: 'int', of: ({ transcript }) => transcript?.words },
  { name: 'outcome', type: 'text', of: ({ history }) => history?.kind },
  { name: 'tries', type: 'int', of: ({ history }) => triesOf(history) },
  { name: 'known_published_at', type: 'text', of: knownPublishedAt },
  { name: 'is_learnt', type: 'boolean', of: isLearnt },
  { name: 'channel_id', type: 'text', of: ({ details }) => details.channelId },
  { name: 'duration_seconds', type: 'int', of: ({ details }) => details.durationSeconds },
  { name: 'view_count', type: 'bigint', of: ({ details }) => details.viewCount },
  { name: 'keywords', type: 'text[]', of: ({ details }) => details.keywords },
  { name: 'description', type: 'text', of: ({ details }) => details.description },
  { name: 'category', type: 'text', of: ({ details }) => details.category },
]
const NAMES = sql.raw(COLUMNS.map(({ name }) => name).join(', '))
const TYPES = COLUMNS.map(({ type }) => type)

function lineOf(row: Recording, place: number): unknown[] {
  return COLUMNS.map(({ of }) => of(row, place))
}

function triesOf(history: HistoryEntry | null): number {
  return history?.kind === 'transient' ? history.tries : 0
}

function knownPublishedAt({ history, content }: Recording): string | null {
  if (history === null) return null
  return history.kind === 'delivered' ? content.publishedAt : history.publishedAt
}

function isLearnt({ content, details }: Recording): boolean {
  return content.videoId !== null && hasDetails(details)
}
