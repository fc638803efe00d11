/** Records what the platform answered about one planned row: rendered, compressed, and written once with others. */
import type { VideoDetails } from '../model/library/video-details.ts'
import { historyAfter } from '../model/jobs/history.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { PlannedRow } from '../store/video-rows.ts'
import {
  keptTranscript,
  storedBytes,
  type StoredBody,
  type StoredTranscript,
} from '../model/transcripts/transcript-forms.ts'
import { yieldToEventLoop } from '../kit/yield-to-event-loop.ts'
import { isUniqueViolation } from '../kit/postgres/database.ts'
import type { JobRun } from './job-run.ts'
import type { Recorder } from './recorder.ts'
import { type AnsweredRow, rowOfAnswer, sameVideoRow } from './row-content.ts'

type Recording = { run: JobRun; recorder: Recorder; row: PlannedRow }

/** Throws WriteRefused where the job is not this attempt's to write any more. */
export async function recordAnswer(
  { run, recorder, row }: Recording,
  answer: VideoAnswer,
): Promise<void> {
  const recording = { run, recorder, row }
  const details = answer.facts.details
  const answered = { ...rowOfAnswer(row, answer, run.job.language), details }
  await record(recording, answered).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'video_row_video')) throw error
    // The platform's own spelling of its id stands in this job, too: one row and one charge for both.
    return record(recording, { ...sameVideoRow(row, answer), details })
  })
}

async function record(
  { run, recorder, row }: Recording,
  { content, transcript, reason, details }: AnsweredRow & { details: VideoDetails },
): Promise<void> {
  const { job } = run
  const stored = transcript === null ? null : await render(run, transcript)
  const { status, publishedAt } = content
  const outcome = { jobId: job.id, status, reason, publishedAt }
  const history = historyAfter(row.history, outcome, run.now())
  await recorder.record({ index: row.index, content, transcript: stored, history, details })
  if (stored !== null) run.usage.countStored(storedBytes(stored))
  run.turn.committed(status === 'success' ? 'delivery' : 'row')
}

/** In a slot of the process, and in a turn of the event loop of its own: it takes milliseconds. */
function render(
  run: JobRun,
  transcript: NonNullable<AnsweredRow['transcript']>,
): Promise<StoredTranscript | StoredBody> {
  return run.slots.recording.run(run.share, run.signal, async () => {
    await yieldToEventLoop()
    run.signal.throwIfAborted()
    const { storage, onForm } = run
    return keptTranscript(transcript, run.job.formats, { storage, onForm })
  })
}
