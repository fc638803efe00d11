/**
 * Recording a finished row: fence, counters, row, transcript, history and library in one statement, which is
 * one commit and one round trip for each transcript.
 */
import { sql } from 'kysely'
import { hasDetails, type VideoDetails } from '../library/video-details.ts'
import type { HistoryEntry } from '../jobs/history.ts'
import type { StoredBody, StoredTranscript } from '../transcripts/transcript-forms.ts'
import { type Db, prepared } from '../postgres/database.ts'
import { changesLibrary, upsertVideos } from './collection-videos.ts'
import { upsertHistory } from './history.ts'
import { countFinished } from './jobs.ts'
import { upsertDetails } from './video-details.ts'
import { insertTranscript } from './transcripts.ts'
import { finishRow, type RowContent } from './video-rows.ts'

export type Recording = {
  jobId: string
  attempt: number
  index: number
  content: RowContent
  /** With `success` exactly. */
  transcript: StoredTranscript | StoredBody | null
  /** What the account knows of the video from now on; null for rows that tell nothing of it. */
  history: HistoryEntry | null
  /** What the platform said of the video beside that. */
  details: VideoDetails
}

/**
 * Records the row, or nothing at all: false where another attempt holds the job, the job is no
 * longer running, or the row has been recorded before. Safe to repeat after a lost connection.
 */
export async function recordFinished(db: Db, recording: Recording): Promise<boolean> {
  const { jobId, attempt, index, content, transcript, history, details } = recording
  const { channelId } = details
  const video = { ...content, jobId, index, channelId }
  const learnt = content.videoId !== null && hasDetails(details) ? content.videoId : null
  const parts = [
    transcript !== null && 'recorded' in transcript
      ? 'body'
      : `${transcript?.forms.length ?? 0}-forms`,
    ...(history === null ? [] : ['history']),
    ...(learnt === null ? [] : ['details']),
  ].join('-')
  const { rows } = await sql<{ done: number }>`${prepared(`record-${content.status}-${parts}`)}
    with held as (
      ${countFinished({ jobId, attempt, index, status: content.status })}
    ), finished as (
      ${finishRow(recording, content)}
    )
    ${transcript === null ? sql`` : insertTranscript(recording, transcript)}
    ${history === null ? sql`` : upsertHistory({ jobId, ...content }, history)}
    ${learnt === null ? sql`` : upsertDetails(learnt, details)}
    ${changesLibrary(video) ? upsertVideos(video) : sql``}
    select processed as done from held
  `.execute(db)
  return rows.length > 0
}
