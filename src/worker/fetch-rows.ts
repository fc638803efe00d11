/**
 * Fetches the captions of a job's planned rows, several at once, records each as it comes, and finds the video that a
 * worker dies of.
 */
import { type BegunAttempt, markSuspect } from '../features/jobs/attempt.ts'
import { type Condition, openCondition, openWorkSet, type WorkSet } from '../kit/concurrency.ts'
import { LIMITS } from '../config/config.ts'
import type { ReadingGuard, VideoAnswer } from '../platform/platform.ts'
import { NO_NAMES } from '../platform/youtube/player.ts'
import { findOwned } from '../features/jobs/owned-videos.ts'
import type { Db } from '../store/database.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { OwnedRow } from '../store/owned-texts.ts'
import { listPlanned, type NewRow, type PlannedRow } from '../store/video-rows.ts'
import { type JobRun, WriteRefused } from './job-run.ts'
import type { OnRows } from './plan-job.ts'
import { openRecorder, recordAnswer, recordOwned, type Recorder } from './recorder.ts'

// Finds the video that kills workers. What a worker reads next is written down first, beside the row. If the worker
// is lost while it reads, the next attempt reads that video first and alone: machines are taken away in the middle of
// innocent videos, too, which then are delivered. A video over which two attempts in a row are lost, and nothing
// else was got on with, is left out (model/jobs/attempt.ts). A write for every reply would slow every job. So an
// attempt writes down only captions that are long enough to be dangerous, unless the attempt before it was lost:
// then it writes down all that it reads about the rows that were in hand, one reply at a time over the whole
// process.

/** Answer that is recorded of a video that ended attempts. */
const LEFT_OUT: VideoAnswer = {
  kind: 'obstructed',
  facts: { ...NO_NAMES, publishedAt: null },
  obstacle: {
    kind: 'failed',
    text: 'Our server stopped unexpectedly while it read this video, so the job went on without it. Send the same URLs again to try it once more.',
    retryAfterMs: null,
  },
}

type RowGuard = {
  /** Guards the reading of replies about the row's video. */
  reading: ReadingGuard
  /** Guards the rendering and recording of the row, which ends all suspicion. */
  recording(record: () => Promise<void>): Promise<void>
}

/**
 * Returns the guard of each row. What a lost attempt had in hand is among the first rows that are left, in the order in
 * which they are taken up.
 */
function openGuards(run: JobRun): (row: PlannedRow) => RowGuard {
  const { ctx, attempt, share, signal, begun } = run
  const suspectsMax = begun.isAfterLoss ? inHandMax(run) : 0
  const suspects = new Set<number>()
  const sinceOf = new Map(begun.suspects.map(({ index, since }) => [index, since]))
  /**
   * Waits, for a suspect, until no other suspect is read in this process, and marks the row. Returns the release of
   * that turn.
   */
  async function enter(index: number): Promise<() => void> {
    const leave = suspects.has(index) ? await ctx.slots.suspects.acquire(share, signal) : () => {}
    try {
      const since = sinceOf.get(index) ?? attempt.number
      if (!(await markSuspect(ctx.db, attempt, { index, since }))) throw new WriteRefused()
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  return ({ index }) => {
    if (suspects.size < suspectsMax) suspects.add(index)
    const isSuspect = suspects.has(index)
    return {
      async reading({ isLong }) {
        if (!isSuspect && !isLong) return async () => undefined
        const leave = await enter(index)
        return async () => {
          await markSuspect(ctx.db, attempt, { index, since: null }).finally(leave)
        }
      },
      async recording(record) {
        if (!isSuspect) return record()
        const leave = await enter(index)
        await record().finally(leave)
      },
    }
  }
}

/** The most rows of a job that an attempt has in hand: fetched or recorded. */
function inHandMax({ ctx }: JobRun): number {
  return ctx.videosMax + LIMITS.recordedAtOnceMax
}

/** Rows are taken up in batches of this many: a job of any size needs little memory. */
const ROWS_TAKEN_AT_ONCE = 64

/** News of planning for the fetching of rows. */
type Planned = {
  /** Notified when new rows may be there, or planning is over. */
  readonly condition: Condition
  /** True when no further rows will be planned. */
  readonly isOver: boolean
  /** Called after each commit of planning. */
  add: OnRows
  /** The next planned rows after `afterIndex`, at most `limit`. */
  next(page: { afterIndex: number; limit: number }): Promise<PlannedRow[]>
}

/**
 * Returns the planned rows as fetching reads them: from the database. A job's first attempt at a new URL set takes its
 * rows from memory as they are committed: the account has no history of their videos.
 */
export function openPlanned(db: Db, { job, start }: BegunAttempt): Planned {
  const condition = openCondition()
  const own: PlannedRow[] | null = start?.isNewSet === true && !hasRows(job) ? [] : null
  let isOver = false
  return {
    condition,
    get isOver() {
      return isOver
    },
    add(rows, isLast) {
      own?.push(...rows.flatMap(asPlanned))
      isOver ||= isLast
      condition.notify()
    },
    next: async (page) => own?.splice(0, page.limit) ?? listPlanned(db, job, page),
  }
}

function asPlanned(row: NewRow): PlannedRow[] {
  if (row.kind !== 'planned') return []
  const { index, source, videoId, title, channelName, publishedAt } = row
  return [{ index, source, videoId, title, channelName, publishedAt, history: null }]
}

/** Returns whether the job may have rows: it has none before its first page is recorded. */
export function hasRows({ isPlanned, plan }: JobRecord): boolean {
  return isPlanned || plan !== null
}

/** Means that fetching shares. The signal of `run` also aborts where another row of the job failed. */
type Fetching = {
  run: JobRun
  guardOf: ReturnType<typeof openGuards>
  inFlight: WorkSet
  recording: WorkSet
  recorder: Recorder
}

/**
 * Fetches and records the rows that the lost attempt was reading, one after the other, each alone in its job, and
 * leaves the culprit out. Where nothing else of the job was begun before, an attempt that is lost over one of them made
 * no progress. Rejects like `fetchRows`.
 */
export async function fetchSuspects(run: JobRun): Promise<void> {
  const { ctx, begun } = run
  if (begun.suspects.length === 0) return
  const suspects = new Set(begun.suspects.map(({ index }) => index))
  const rows = await listPlanned(ctx.db, begun.job, { afterIndex: 0, limit: inHandMax(run) })
  for (const row of rows)
    if (suspects.has(row.index)) await fetchWith(run, (fetching) => takeRow(fetching, row))
}

/** Fetches and records every planned row, whichever attempt planned it. */
export function fetchRows(run: JobRun, planned: Planned): Promise<void> {
  return fetchWith(run, (fetching) => takeRows(fetching, planned))
}

/**
 * Resolves when all that `take` takes up is recorded. Rejects with the first failure, or with the reason of `draining`
 * where `take` returns false or the job was laid aside, since rows are left. No work of the job is under way any more
 * when it settles.
 */
async function fetchWith(
  run: JobRun,
  take: (fetching: Fetching) => Promise<boolean>,
): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([run.signal, failed.signal])
  const fail = (error: unknown): void => failed.abort(error)
  const own = { ...run, signal }
  const fetching: Fetching = {
    run: own,
    guardOf: openGuards(own),
    inFlight: openWorkSet(run.ctx.videosMax, fail),
    recording: openWorkSet(LIMITS.recordedAtOnceMax, fail),
    recorder: openRecorder(own),
  }
  const isComplete = await take(fetching).catch((error: unknown) => {
    fail(error)
    return false
  })
  await fetching.inFlight.settled()
  await fetching.recording.settled() // a video in flight may have been the last to be recorded
  signal.throwIfAborted()
  if (!isComplete || run.place.asideMs > 0) run.draining.throwIfAborted()
}

/**
 * Takes up rows until none is left. Returns false where the worker stops first: rows in flight may end, no new one
 * begins.
 */
async function takeRows(fetching: Fetching, planned: Planned): Promise<boolean> {
  const { run } = fetching
  const limit = ROWS_TAKEN_AT_ONCE
  let afterIndex = 0
  let isWorthALook = hasRows(run.begun.job)
  for (;;) {
    const isLastLook = planned.isOver
    if (isWorthALook) {
      planned.condition.reset()
      const rows = await planned.next({ afterIndex, limit })
      for (const row of rows) {
        afterIndex = row.index
        if (!(await takeRow(fetching, row))) return false
      }
      if (rows.length === limit) continue
      if (isLastLook) return true
    }
    if (run.draining.aborted) return false
    await planned.condition.wait({ signal: run.signal, stop: run.draining })
    isWorthALook = true
  }
}

async function takeRow(fetching: Fetching, row: PlannedRow): Promise<boolean> {
  const { run, inFlight, recording, recorder } = fetching
  await inFlight.room()
  await recording.room()
  if (run.draining.aborted) return false
  if (row.index === run.begun.culprit) {
    startRecording(fetching, row, LEFT_OUT)
    return true
  }
  // The slot is for the platform: the next video is fetched while this one is recorded.
  const release = await run.ctx.slots.fetching.acquire(run.share, run.signal)
  const visit = findOwnedNow(run, row).then(async (owned) => {
    if (owned !== null) return recording.add(recordOwned({ run, recorder, row }, owned))
    const answer = await fetchRow(fetching, row)
    const asideMs = waitWithinJob(run, answer)
    // The row stays planned: the next attempt asks for it when there is room.
    if (asideMs !== null) run.place.layAside(asideMs)
    else startRecording(fetching, row, answer)
  })
  inFlight.add(visit.finally(release))
  return true
}

/** Returns the text of the row's video where the job leaves it out: another order may have delivered it meanwhile. */
async function findOwnedNow(
  { ctx, begun }: JobRun,
  { videoId }: PlannedRow,
): Promise<OwnedRow | null> {
  const { skipsOwned, accountId, language, wishedTrack } = begun.job
  if (!skipsOwned) return null
  const asked = { accountId, language, wishedTrack, videoIds: [videoId] }
  return (await findOwned(ctx.db, asked)).get(videoId) ?? null
}

async function fetchRow({ run, guardOf }: Fetching, row: PlannedRow): Promise<VideoAnswer> {
  const { ctx, begun, platform, signal } = run
  const { videoId } = row
  const { language, wishedTrack } = begun.job
  const wantsDate = ctx.wantsDates && row.publishedAt === null
  const guard = guardOf(row).reading
  const answer = await platform.fetchVideo(
    { videoId, language, wishedTrack, wantsDate, guard },
    signal,
  )
  signal.throwIfAborted()
  return answer
}

/** The longest time for which a job is laid aside: routes may be added meanwhile, or a bound grow. */
const ASIDE_MS_MAX = 900_000

/** Returns how long the job is laid aside, where captions come again within its time; else null. */
function waitWithinJob({ endsAtMs }: JobRun, answer: VideoAnswer): number | null {
  if (answer.kind !== 'obstructed' || answer.obstacle.isSpent !== true) return null
  const waitMs = answer.obstacle.retryAfterMs
  const isInTime = waitMs !== null && performance.now() + waitMs < endsAtMs
  return isInTime ? Math.min(waitMs, ASIDE_MS_MAX) : null
}

function startRecording(fetching: Fetching, row: PlannedRow, answer: VideoAnswer): void {
  const { run, guardOf, recording, recorder } = fetching
  const record = (): Promise<void> => recordAnswer({ run, recorder, row }, answer)
  // A row that fails keeps no mark, except one that is left out: they are counted by it.
  const isGuarded = answer.kind === 'fetched' || answer === LEFT_OUT
  recording.add(isGuarded ? guardOf(row).recording(record) : record())
}
