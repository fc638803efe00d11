/** Records what the platform answered about one planned row: rendered, compressed, and written once. */
import { historyAfter } from '../jobs/history.ts'
import { recordRow } from '../jobs/record-row.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { PlannedRow } from '../store/video-rows.ts'
import { storedTranscript } from '../transcripts/transcript-forms.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { type JobRun, WriteRefused } from './job-run.ts'
import { rowOfAnswer } from './row-content.ts'

/** Throws WriteRefused where the job is not this attempt's to write any more. */
export async function recordAnswer(
  run: JobRun,
  row: PlannedRow,
  answer: VideoAnswer,
): Promise<void> {
  const { job, attempt, signal } = run
  await yieldToEventLoop() // rendering and compressing take milliseconds
  signal.throwIfAborted()
  const { content, transcript, reason } = rowOfAnswer(row, answer, job.language)
  const stored = transcript === null ? null : await storedTranscript(transcript, job.formats)
  const { status, publishedAt } = content
  const outcome = { jobId: job.id, status, reason, publishedAt }
  const history = historyAfter(row.history, outcome, run.now())
  const recording = { index: row.index, content, transcript: stored, history }
  const isRecorded = await recordRow(run.db, attempt, recording)
  if (!isRecorded) throw new WriteRefused()
  if (stored !== null)
    run.usage.countStored(stored.forms.reduce((sum, { gzip }) => sum + gzip.length, 0))
  run.turn.committed(status === 'success' ? 'delivery' : 'row')
}
