/** A job run: what the parts of the worker that work on one job share. */
import type { BegunAttempt } from '../features/jobs/attempt.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { Stop } from './stop.ts'
import type { Attempt } from '../model/jobs/attempt.ts'
import type { TextWish } from '../model/transcripts/caption-track.ts'
import type { PlatformCalls } from '../platform/platform.ts'
import type { DateAsker } from './list-dates.ts'
import type { Place } from './held-jobs.ts'
import type { JobSlots } from './job-slots.ts'
import type { SharedLists } from './shared-lists.ts'
import type { Asker, WorkerContext } from './worker-context.ts'

/** A job that was claimed; its attempt may not have begun yet. */
export type JobToRun = {
  ctx: WorkerContext
  attempt: Attempt
  /** Lists of the platform, read once for all jobs. */
  lists: SharedLists
  place: Place
  stop: Stop
  /** Aborted when the process stops or the job is parked: work in flight may end, nothing new begins. */
  draining: AbortSignal
}

export type JobRun = JobToRun & {
  /** The job as it was when the attempt began. */
  begun: BegunAttempt
  /** When the job's time is used up, in milliseconds of this process's monotonic clock. */
  endsAtMs: number
  /** The account and job for which this run waits wherever work of several jobs queues. */
  share: Share
  slots: JobSlots
  /** Calls of the platform on behalf of the job. */
  platform: PlatformCalls
  /** Aborted when the job's work is stopped, or a part of it failed. */
  signal: AbortSignal
}

/** Whose job it is, and the texts that it wants. */
export type JobWish = TextWish & { accountId: string; skipsOwned: boolean }

/** Means of planning, which decides what a job takes up; a preview plans with them too, and records nothing. */
export type PlanRun = Asker & {
  job: JobWish & { id: string; urlSetHash: string }
  lists: SharedLists
  /** Ids of the jobs of its batch, if any: what they delivered from a list has its row there, and gets no other. */
  jobsOfBatch: ReadonlySet<string>
  /** True where the account knew nothing of any video of the URL set when the attempt began. */
  isNewSet: boolean
  slots: JobSlots
  /** Returns true where the run has to end soon: it then reads no further than it has to. */
  isParking(): boolean
  /** Returns what finds the exact dates of a page's videos. */
  askDates(videoIds: string[]): Promise<DateAsker>
}

/**
 * Thrown where a write was refused: another attempt holds the job, or it is no longer running. Nothing was recorded.
 */
export class WriteRefused extends Error {
  constructor() {
    super('the job takes no writes of this attempt any more')
  }
}
