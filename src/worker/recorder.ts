/**
 * Records a job's rows as they come. One commit is under way at a time, since others would wait for the counters beside
 * the job; rows that come meanwhile go together with the next one, and none waits for more.
 */
import { type LeftOut, ownedRow, recordRows } from '../features/jobs/record-rows.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { Attempt } from '../model/jobs/attempt.ts'
import type { WorkerContext } from './worker-context.ts'
import { LIMITS } from '../config/config.ts'
import { isUniqueViolation } from '../kit/postgres/database.ts'
import { yieldToEventLoop } from '../kit/concurrency.ts'
import { historyAfter } from '../model/jobs/history.ts'
import { NO_DETAILS, type VideoDetails } from '../model/library/video-details.ts'
import { type StoredTranscript, storeTranscript } from '../model/files/transcript-forms.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { OwnedRow } from '../store/owned-texts.ts'
import type { Recording } from '../store/record.ts'
import type { PlannedRow } from '../store/video-rows.ts'
import { type JobRun, type JobWish, WriteRefused } from './job-run.ts'
import { type AnsweredRow, rowOfAnswer, sameVideoRow, videoRow } from './row-content.ts'

const RECORDED_TOGETHER_BYTES = 4 * 1024 * 1024

export type Recorder = {
  /**
   * Resolves when the row is committed, with what was recorded: a job that leaves out what is owned records a text that
   * another order has delivered meanwhile as `unchanged`. Throws WriteRefused where the job is not this attempt's to
   * write any more, and the violation of `video_row_video` where the job has a row of the same video.
   */
  record(recording: Recording): Promise<Recording>
}

type Waiting = {
  recording: Recording
  resolve(recorded: Recording): void
  reject(error: unknown): void
}

/** The part of a job run that recording needs. */
type RecorderRun = {
  ctx: WorkerContext
  attempt: Attempt
  share: Share
  signal: AbortSignal
  begun: { job: JobWish }
}

export function openRecorder({ ctx, attempt, share, signal, begun }: RecorderRun): Recorder {
  const { accountId, language, wishedTrack, skipsOwned } = begun.job
  const leftOut: LeftOut | null = skipsOwned ? { accountId, language, wishedTrack } : null
  const waiting: Waiting[] = []
  let isUnderWay = false

  async function recordAll(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) await recordTogether(takeTogether(waiting))
    isUnderWay = false
  }

  /**
   * Records rows in one commit; where one repeats a video of the job, each row by itself, so that it keeps none of
   * the others back. Never rejects.
   */
  async function recordTogether(rows: Waiting[]): Promise<void> {
    try {
      const recordings = rows.map(({ recording }) => recording)
      const recorded = await ctx.slots.recording.run(share, signal, () =>
        recordRows(ctx.db, attempt, recordings, leftOut),
      )
      for (const { recording, resolve, reject } of rows) {
        const row = recorded.get(recording.index)
        if (row === undefined) reject(new WriteRefused())
        else resolve(row)
      }
    } catch (error) {
      if (rows.length > 1 && isUniqueViolation(error, 'video_row_video'))
        for (const row of rows) await recordTogether([row])
      else for (const { reject } of rows) reject(error)
    }
  }

  return {
    record: (recording) =>
      new Promise((resolve, reject) => {
        waiting.push({ recording, resolve, reject })
        if (!isUnderWay) void recordAll()
      }),
  }
}

/**
 * Takes the first waiting rows that one commit can record, at least one. A video is among them once, whatever ids it
 * was asked for by.
 */
function takeTogether(waiting: Waiting[]): Waiting[] {
  const videoIds = new Set<string | null>()
  let bytes = 0
  const end = waiting.findIndex(({ recording: { content, transcript } }, at) => {
    bytes += transcript === null ? 0 : storedBytesOf(transcript)
    const isTwin = content.videoId !== null && videoIds.has(content.videoId)
    videoIds.add(content.videoId)
    return at > 0 && (isTwin || bytes > RECORDED_TOGETHER_BYTES)
  })
  return waiting.splice(0, Math.min(end === -1 ? waiting.length : end, LIMITS.recordedTogetherMax))
}

type Place = { run: JobRun; recorder: Recorder; row: PlannedRow }

/**
 * Records what the platform answered about one planned row. Throws WriteRefused where the job is no longer this
 * attempt's to write.
 */
export async function recordAnswer(place: Place, answer: VideoAnswer): Promise<void> {
  const { run, row } = place
  const details = answer.facts.details
  const answered = { ...rowOfAnswer(row, answer, run.begun.job), details }
  await record(place, answered).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'video_row_video')) throw error
    // The job has a row of this video under the platform's own spelling of its id: the video is charged once.
    return record(place, { ...sameVideoRow(row, answer), details })
  })
}

/** Records a row that is not read, since another order of the account has delivered its text meanwhile. */
export async function recordOwned(place: Place, owned: OwnedRow): Promise<void> {
  const { row } = place
  const content = videoRow(row, { status: 'unchanged' })
  await commit(place, ownedRow({ index: row.index, content, details: NO_DETAILS }, owned))
}

async function record(
  place: Place,
  {
    content,
    transcript,
    reason,
    isDoubted = false,
    details,
  }: AnsweredRow & { details: VideoDetails },
): Promise<void> {
  const { run, row } = place
  const { ctx, begun } = run
  const stored = transcript === null ? null : await render(run, transcript)
  const { status, publishedAt } = content
  const outcome = { jobId: begun.job.id, status, reason, isDoubted, publishedAt }
  const history = historyAfter(row.history, outcome, ctx.now())
  await commit(place, { index: row.index, content, transcript: stored, history, details })
}

async function commit({ run, recorder }: Place, recording: Recording): Promise<void> {
  const { transcript, isReturned = false } = await recorder.record(recording)
  if (transcript !== null) run.ctx.usage.countStored(storedBytesOf(transcript))
  run.slots.recorded({ isReturned })
  run.place.committed(transcript === null ? 'row' : 'delivery')
}

function storedBytesOf({ body, wordTimes }: StoredTranscript): number {
  return body.length + (wordTimes?.length ?? 0)
}

/**
 * Renders the transcript in a slot of the process and in a turn of the event loop of its own: it takes milliseconds.
 */
function render(
  run: JobRun,
  transcript: NonNullable<AnsweredRow['transcript']>,
): Promise<StoredTranscript> {
  return run.ctx.slots.recording.run(run.share, run.signal, async () => {
    await yieldToEventLoop()
    run.signal.throwIfAborted()
    const stored = await storeTranscript(transcript, run.begun.job.formats)
    return run.ctx.keepsWordTimes ? stored : { ...stored, wordTimes: null }
  })
}
