/** A job run: what the parts of the worker that work on one job share. */
import type { TakenUp } from '../features/jobs/attempt.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { Stop } from '../kit/stop.ts'
import type { Attempt } from '../model/jobs/attempt.ts'
import type { PlatformCalls } from '../platform/platform.ts'
import type { DateAsker } from './list-dates.ts'
import type { Place } from './place.ts'
import type { SharedLists } from './shared-lists.ts'
import type { Asker, WorkerContext } from './worker-context.ts'

/** A job that was claimed, and may have been begun. */
export type JobToRun = {
  ctx: WorkerContext
  attempt: Attempt
  /** Lists of the platform, read once for all jobs. */
  lists: SharedLists
  place: Place
  stop: Stop
  /** Aborted when the process is to stop or the job is parked: what is in flight ends, nothing new begins. */
  draining: AbortSignal
}

export type JobRun = JobToRun & {
  /** The job as it was when the attempt began. */
  begun: TakenUp
  /** When the job's time is used up, in milliseconds of this process's monotonic clock. */
  endsAtMs: number
  /** On whose behalf, wherever this job's work waits beside that of others. */
  share: Share
  /** Asked on behalf of the job. */
  platform: PlatformCalls
  /** Aborted when the job's work is stopped, or a part of it failed. */
  signal: AbortSignal
}

/** What decides what a job takes up: of a job run that plans, or of a preview that only looks. */
export type PlanRun = Asker & {
  job: { id: string; accountId: string; urlSetHash: string }
  lists: SharedLists
  /** The account knew nothing of any video of the URL set when the attempt began. */
  isNewSet: boolean
  /** The run is to end soon: it reads no further than it has to. */
  isParking(): boolean
  /** How exact dates of a page's videos are come by. */
  askDates(videoIds: string[]): Promise<DateAsker>
}

/** A write was refused: another attempt holds the job, or it is no longer running. Nothing was recorded. */
export class WriteRefused extends Error {
  constructor() {
    super('the job takes no writes of this attempt any more')
  }
}
