/** Records what the platform answered about one planned row: rendered, compressed, and written once. */
import type { VideoDetails } from '../library/video-details.ts'
import { historyAfter } from '../jobs/history.ts'
import { recordRow } from '../jobs/record-row.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { PlannedRow } from '../store/video-rows.ts'
import { keptTranscript, storedBytes } from '../transcripts/transcript-forms.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { isUniqueViolation } from '../postgres/database.ts'
import { type JobRun, WriteRefused } from './job-run.ts'
import { type AnsweredRow, rowOfAnswer, sameVideoRow } from './row-content.ts'

/** Throws WriteRefused where the job is not this attempt's to write any more. */
export async function recordAnswer(
  run: JobRun,
  row: PlannedRow,
  answer: VideoAnswer,
): Promise<void> {
  await yieldToEventLoop() // rendering and compressing take milliseconds
  run.signal.throwIfAborted()
  const details = answer.facts.details
  const answered = { ...rowOfAnswer(row, answer, run.job.language), details }
  await record(run, row, answered).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'video_row_video')) throw error
    // The platform's own spelling of its id stands in this job, too: one row and one charge for both.
    return record(run, row, { ...sameVideoRow(row, answer), details })
  })
}

async function record(
  run: JobRun,
  row: PlannedRow,
  { content, transcript, reason, details }: AnsweredRow & { details: VideoDetails },
): Promise<void> {
  const { job, attempt } = run
  const stored =
    transcript === null ? null : await keptTranscript(transcript, job.formats, run.storage)
  const { status, publishedAt } = content
  const outcome = { jobId: job.id, status, reason, publishedAt }
  const history = historyAfter(row.history, outcome, run.now())
  const recording = { index: row.index, content, transcript: stored, history, details }
  const isRecorded = await recordRow(run.db, attempt, recording)
  if (!isRecorded) throw new WriteRefused()
  if (stored !== null) run.usage.countStored(storedBytes(stored))
  run.turn.committed(status === 'success' ? 'delivery' : 'row')
}
