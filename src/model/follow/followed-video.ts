/**
 * A followed video: a new one, from the look that found it until it is delivered or given up.
 *
 *     waiting ──job──▶ ordered ──delivered, refused for good──▶ over
 *        ▲                │
 *        └── no answer ───┘    later, and a little later each time
 *
 * Captions often come after the video: without any it is asked for again for three days, which begin when it is
 * first asked for. A premiere begins its three days when it is over, and an obstacle says nothing about the video:
 * those are asked for again once a day, for a month of tries.
 */
import { isFinal, type JobState } from '../jobs/job.ts'
import type { RowStatus } from '../jobs/video-row.ts'

export type FollowedVideo = {
  videoId: string
  /** Ascends in order of age, the oldest video first. */
  number: number
  foundAt: Date
  /** When a job is to take it; for a video in a job, when it was ordered. */
  dueAt: Date
  /** Until this instant, missing captions may still come. */
  youngUntil: Date
  /** Number of jobs that had it and brought no final answer. */
  tries: number
  /** The job that has it; null while it waits. */
  jobId: string | null
}

/** Outcome of a video in the job that has it. */
export type FollowedOutcome = {
  jobState: JobState
  /** The status of its row; null without one. */
  status: RowStatus | null
  /** True where the history expects another answer: for a premiere, a stream, a block or one app's word. */
  isTransient: boolean
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YOUNG_DAYS_MS = 3 * DAY_MS
/** Number of tries, which together with RETRY_MS span a good month. */
export const TRIES_MAX = 33
/** The delay after the first try, the second, and so on; the last one repeats. */
export const RETRY_MS = [2, 4, 8, 16, 24].map((hours) => hours * HOUR_MS)

export function newlyFound(videoId: string, number: number, now: Date): FollowedVideo {
  const youngUntil = new Date(now.getTime() + YOUNG_DAYS_MS)
  return { videoId, number, foundAt: now, dueAt: now, youngUntil, tries: 0, jobId: null }
}

/** Returns whether a job is to take it now; one that was in no job is due even where the clock was set back. */
export function isDue({ jobId, tries, dueAt }: FollowedVideo, now: Date): boolean {
  return jobId === null && (tries === 0 || dueAt <= now)
}

/** Returns the video after its job: unchanged while the job is open, null where nothing more is to come. */
export function afterOutcome(
  video: FollowedVideo,
  outcome: FollowedOutcome,
  now: Date,
): FollowedVideo | null {
  if (!isFinal(outcome.jobState)) return video
  switch (verdictOf(outcome)) {
    case 'over':
      return null
    case 'captions_may_come':
      if (video.tries === 0) return askForDays(video, now)
      // A video that was asked for in time and looked at late still gets its last try.
      return video.dueAt >= video.youngUntil ? null : askAgain(video, now)
    case 'not_yet':
      return askForDays(video, now)
  }
}

type Verdict = 'over' | 'captions_may_come' | 'not_yet'

function verdictOf({ jobState, status, isTransient }: FollowedOutcome): Verdict {
  // A job that failed by our fault says nothing of the video; a video of a job that its owner cancelled does not come
  // again.
  if (status === null)
    return jobState === 'failed' || jobState === 'interrupted' ? 'not_yet' : 'over'
  if (status === 'no_captions') return 'captions_may_come'
  if (status === 'blocked_suspect' || status === 'failed') return 'not_yet'
  const isRefused = status === 'unavailable' || status === 'private'
  return isRefused && isTransient ? 'not_yet' : 'over'
}

/** Begins the video's three days now: it may have waited for money before it was asked for, or for its premiere. */
function askForDays(video: FollowedVideo, now: Date): FollowedVideo | null {
  return askAgain({ ...video, youngUntil: new Date(now.getTime() + YOUNG_DAYS_MS) }, now)
}

/** Schedules the next try; the last one comes at the end of the video's days, if they are not over. */
function askAgain(video: FollowedVideo, now: Date): FollowedVideo | null {
  const { tries, youngUntil } = video
  if (tries >= TRIES_MAX) return null
  const delay = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? DAY_MS
  const dueMs = now.getTime() + delay
  const dueAt = new Date(now < youngUntil ? Math.min(youngUntil.getTime(), dueMs) : dueMs)
  return { ...video, dueAt, tries: tries + 1, jobId: null }
}
