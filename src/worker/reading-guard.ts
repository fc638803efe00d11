/**
 * Finds the video that kills workers. What a worker reads next is written down first, beside the row, with the
 * attempt's number. If the worker is lost while it reads, the next attempt knows the culprit, leaves it out and goes
 * on.
 *
 * A write for every reply would slow every job. So an attempt writes down only captions that are long enough to be
 * dangerous, unless the attempt before it was lost: then it writes down all that it reads about the rows that were in
 * hand, one reply at a time over the whole process, so that the next one that kills it is alone.
 */
import { LIMITS } from '../kit/config/config.ts'
import { NO_DETAILS } from '../model/library/video-details.ts'
import type { ReadingGuard, VideoAnswer } from '../platform/platform.ts'
import { clearSuspect, markSuspect } from '../features/jobs/attempt.ts'
import type { PlannedRow } from '../store/video-rows.ts'
import { type JobRun, WriteRefused } from './job-run.ts'

/** What is recorded of a video that ended an attempt. */
export const LEFT_OUT: VideoAnswer = {
  kind: 'obstructed',
  facts: {
    title: null,
    channelName: null,
    publishedAt: null,
    canonicalId: null,
    details: NO_DETAILS,
  },
  obstacle: {
    kind: 'failed',
    text: 'Our server stopped unexpectedly while it read this video, so the job went on without it. Send the same URLs again to try it once more.',
    retryAfterMs: null,
  },
}

/** Returns whether an earlier attempt was lost while it read about the row's video. */
export function isCulprit({ attempt }: JobRun, { suspectAttempt }: PlannedRow): boolean {
  return suspectAttempt !== null && suspectAttempt < attempt.number
}

export type RowGuard = {
  /** Guards the reading of replies about the row's video. */
  reading: ReadingGuard
  /** Guards the rendering and recording of the row, which ends all suspicion. */
  recording(record: () => Promise<void>): Promise<void>
}

/**
 * Returns the guard of each row. What a lost attempt had in hand is among the first rows that are left, in the order in
 * which they are taken up.
 */
export function openGuards(run: JobRun): (row: PlannedRow) => RowGuard {
  const suspectsMax = run.begun.isAfterLoss ? run.ctx.videosMax + LIMITS.recordedAtOnceMax : 0
  const suspects = new Set<number>()
  return ({ index }) => {
    if (suspects.size < suspectsMax) suspects.add(index)
    return guardOf(run, { index, isSuspect: suspects.has(index) })
  }
}

function guardOf(
  run: JobRun,
  { index, isSuspect }: { index: number; isSuspect: boolean },
): RowGuard {
  const { ctx, attempt, signal } = run
  /**
   * Waits, for a suspect, until no other suspect is read in this process, and marks the row. Returns the release of
   * that turn.
   */
  async function enter(): Promise<() => void> {
    const leave = isSuspect ? await ctx.slots.suspects.acquire(run.share, signal) : nothing
    try {
      if (!(await markSuspect(ctx.db, attempt, index))) throw new WriteRefused()
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    async reading({ isLong }) {
      if (!isSuspect && !isLong) return async () => undefined
      const leave = await enter()
      return () => clearSuspect(ctx.db, attempt, index).finally(leave)
    },
    async recording(record) {
      if (!isSuspect) return record()
      const leave = await enter()
      await record().finally(leave)
    },
  }
}

function nothing(): void {}
