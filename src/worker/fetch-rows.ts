/** Fetches the captions of a job's planned rows, several at once, and records each as it comes. */
import { LIMITS } from '../config.ts'
import { historyAfter } from '../jobs/history.ts'
import { recordRow } from '../jobs/record-row.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import type { PlannedRow } from '../store/video-rows.ts'
import { listPlanned } from '../store/video-rows.ts'
import { storedTranscript } from '../transcripts/transcript-forms.ts'
import { FencedOff, type JobRun } from './job-run.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { isCulprit, LEFT_OUT, openGuards } from './reading-guard.ts'
import { rowOfAnswer } from './row-content.ts'

export type RowFetcher = {
  /** New rows may be there. */
  wake(): void
  /** No further rows will be planned. */
  plannedAll(): void
  /** Resolves when every planned row is recorded; rejects with the first failure. */
  done: Promise<void>
}

/** Starts at once with what is planned already, be it by this attempt or an earlier one. */
export function fetchRows(run: JobRun): RowFetcher {
  const [bell, failed] = [openBell(), new AbortController()]
  const signal = AbortSignal.any([run.signal, failed.signal])
  const [inFlight, recording] = [new Set<Promise<void>>(), new Set<Promise<void>>()]
  const { share } = run
  const rowsRun = { ...run, signal, guardOf: openGuards({ ...run, signal }) }
  let isAllPlanned = false

  /** Whatever happens, nothing of the job is under way any more when this settles. */
  async function work(): Promise<void> {
    let isComplete = false
    try {
      isComplete = await visitRows()
    } catch (error) {
      failed.abort(error)
    }
    await Promise.all(inFlight)
    await Promise.all(recording)
    signal.throwIfAborted()
    if (!isComplete) run.draining.throwIfAborted()
  }

  /** False where the worker is to stop first: what is in flight may end, nothing new begins. */
  async function visitRows(): Promise<boolean> {
    let afterIndex = 0
    for (;;) {
      const isLastLook = isAllPlanned
      bell.listen()
      const rows = await listPlanned(run.db, run.job, { afterIndex, limit: LIMITS.rowsTakenAtOnce })
      for (const row of rows) {
        afterIndex = row.index
        while (inFlight.size >= run.videosMax) await Promise.race(inFlight)
        while (recording.size >= LIMITS.recordedAtOnceMax) await Promise.race(recording)
        if (run.draining.aborted) return false
        if (isCulprit(run, row)) record(row, LEFT_OUT)
        else visit(row, await run.places.acquire(share, signal))
      }
      if (rows.length > 0) continue
      if (isLastLook) return true
      if (run.draining.aborted) return false
      await bell.heard(signal, run.draining)
    }
  }

  function visit(row: PlannedRow, leave: () => void): void {
    // The place is for the platform: the next video is on its way while this one is recorded.
    const visiting = fetchRow(rowsRun, row).then((answer) => record(row, answer))
    keep(inFlight, visiting.finally(leave))
  }

  function record(row: PlannedRow, answer: VideoAnswer): void {
    // Without an order of its own, the pool of connections would serve whoever came first.
    const desk = run.desks.acquire(share, signal)
    keep(
      recording,
      desk.then((leave) => recordGuarded(rowsRun, row, answer).finally(leave)),
    )
  }

  /** Work under way; its failure ends all of it. */
  function keep(underWay: Set<Promise<void>>, work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => failed.abort(error))
      .finally(() => underWay.delete(kept))
    underWay.add(kept)
  }

  const plannedAll = (): void => {
    isAllPlanned = true
    bell.ring()
  }
  return { wake: bell.ring, plannedAll, done: work() }
}

type Bell = {
  ring(): void
  /** From here on a ring counts. */
  listen(): void
  /** Resolves when it rang since `listen`, or when `stop` aborts; rejects with the signal. */
  heard(signal: AbortSignal, stop: AbortSignal): Promise<void>
}

/** A ring while nobody waits is kept: rows planned while the last look was taken are not missed. */
function openBell(): Bell {
  let hasRung = false
  let answer: () => void = () => undefined
  return {
    ring() {
      hasRung = true
      answer()
    },
    listen() {
      hasRung = false
    },
    async heard(signal, stop) {
      const over = new AbortController()
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted()
        if (hasRung || stop.aborted) return resolve()
        answer = resolve
        const once = { once: true, signal: over.signal }
        signal.addEventListener('abort', () => reject(signal.reason), once)
        stop.addEventListener('abort', () => resolve(), once)
      }).finally(() => over.abort())
    },
  }
}

/** `signal` also ends where another row of the job failed. */
type RowsRun = JobRun & { guardOf: ReturnType<typeof openGuards> }

async function fetchRow(run: RowsRun, row: PlannedRow): Promise<VideoAnswer> {
  const { job, platform, signal } = run
  const { videoId } = row
  const wantsDate = run.wantsDates && row.publishedAt === null
  const answer = await platform.fetchVideo(
    { videoId, language: job.language, wantsDate, guard: run.guardOf(row).reading },
    signal,
  )
  signal.throwIfAborted()
  return answer
}

async function recordGuarded(run: RowsRun, row: PlannedRow, answer: VideoAnswer): Promise<void> {
  return run.guardOf(row).recording(() => recordAnswer(run, row, answer))
}

async function recordAnswer(run: JobRun, row: PlannedRow, answer: VideoAnswer): Promise<void> {
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
  if (!isRecorded) throw new FencedOff()
  if (stored !== null)
    run.usage.countStored(stored.forms.reduce((sum, { gzip }) => sum + gzip.length, 0))
  run.turn.committed(status === 'success' ? 'delivery' : 'row')
}
