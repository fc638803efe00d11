/** A job run: what the parts of the worker that work on one job share. */
import type { Attempt } from '../model/jobs/attempt.ts'
import type { AllowanceTerms } from '../model/jobs/allowance.ts'
import type { UsageMeter } from '../features/operator/usage-meter.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { PlatformCalls } from '../platform/platform.ts'
import type { Db } from '../store/database.ts'
import type { PlanStart } from '../store/first-attempt.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { FreeCalls } from '../features/jobs/free-calls.ts'
import type { DateAsker } from './list-dates.ts'
import type { SharedLists } from './shared-lists.ts'
import type { Slots } from './slots.ts'
import type { Place } from './place.ts'

export type JobRun = {
  attempt: Attempt
  /** As it was when the attempt began. */
  job: JobRecord
  /** What was read when a first attempt began; null for any other, and once a connection was lost. */
  start: PlanStart | null
  db: Db
  /** On whose behalf, wherever this job's work waits beside that of others. */
  share: Share
  /** Asked on behalf of the job. */
  platform: PlatformCalls
  /** Lists of the platform, read once for all jobs. */
  lists: SharedLists
  /** What an account may cause without paying. */
  allowance: AllowanceTerms
  slots: Slots
  /** The attempt before was lost, and what it read may be why. */
  isAfterLoss: boolean
  place: Place
  /** Videos of this job in flight at once. */
  videosMax: number
  /** Ask for every video's exact date, or only where bounds need it. */
  wantsDates: boolean
  /** What the account makes the worker do. */
  usage: UsageMeter
  now: () => Date
  /** Aborted when the process is to stop or the job is parked: what is in flight ends, nothing new begins. */
  draining: AbortSignal
  /** Aborted when the job's work is stopped, or a part of it failed. */
  signal: AbortSignal
}

/** What decides what a job takes up: of a job run that plans, or of a preview that only looks. */
export type PlanRun = Pick<
  JobRun,
  'db' | 'share' | 'platform' | 'lists' | 'slots' | 'now' | 'signal'
> & {
  job: Pick<JobRecord, 'id' | 'accountId' | 'urlSetHash'>
  /** The account knew nothing of any video of the URL set when the attempt began. */
  isNewSet: boolean
  place: Pick<Place, 'isParking'>
  /** What it asks for without being paid counts. */
  calls: FreeCalls
  /** How exact dates of a page's videos are come by. */
  askDates: (videoIds: string[]) => Promise<DateAsker>
}

/** A write was refused: another attempt holds the job, or it is no longer running. Nothing was recorded. */
export class WriteRefused extends Error {
  constructor() {
    super('the job takes no writes of this attempt any more')
  }
}
