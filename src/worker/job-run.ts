/** A job run: what the parts of the worker that work on one job share. */
import type { Attempt } from '../jobs/attempt.ts'
import type { AllowanceTerms } from '../jobs/allowance.ts'
import type { UsageMeter } from '../metrics/usage-meter.ts'
import type { Share } from '../platform/fair-queue.ts'
import type { FairSemaphore } from '../platform/fair-semaphore.ts'
import type { Questions } from '../platform/platform.ts'
import type { Db } from '../postgres/database.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { FreeCalls } from '../lists/free-calls.ts'
import type { SharedLists } from './shared-lists.ts'
import type { Turn } from './turn.ts'

export type JobRun = {
  attempt: Attempt
  /** As it was when the attempt began. */
  job: JobRecord
  db: Db
  /** Whose turn it is, wherever this job's work waits beside that of others. */
  share: Share
  /** Asked on behalf of the job. */
  platform: Questions
  /** Lists of the platform, read once for all jobs. */
  lists: SharedLists
  /** What an account may cause without paying. */
  allowance: AllowanceTerms
  /** For videos that are being fetched. */
  places: FairSemaphore
  /**
   * For videos that were fetched and are being rendered and recorded: the pool of connections alone
   * would serve whoever came first.
   */
  desks: FairSemaphore
  /** For pages of lists that are being read. */
  readers: FairSemaphore
  /** For pages of lists that were read and are being recorded: many at once would keep the process busy. */
  planners: FairSemaphore
  /** One place for all of this process: for reading while a culprit is looked for. */
  readings: FairSemaphore
  /** The attempt before was lost, and what it read may be why. */
  isAfterLoss: boolean
  turn: Turn
  /** Videos of this job in flight at once. */
  videosMax: number
  /** Ask for every video's exact date, or only where bounds need it. */
  wantsDates: boolean
  /** What the account makes the worker do. */
  usage: UsageMeter
  now: () => Date
  /** Aborted when the process is to stop or the turn is over: what is in flight ends, nothing new begins. */
  draining: AbortSignal
  /** Aborted with a StopReason when the job is cancelled, ended by an operator, taken over, out of time or handed back. */
  signal: AbortSignal
}

/** A job run that plans: what it asks for without being paid counts. */
export type PlanRun = JobRun & { calls: FreeCalls }

/** Another attempt holds the job, or it is no longer running: nothing of ours is recorded. */
export class FencedOff extends Error {
  constructor() {
    super('another attempt holds the job')
  }
}

export type StopKind = 'cancelled' | 'ended' | 'fenced_off' | 'out_of_time' | 'handed_back'

/** Why a run was aborted from outside. */
export class StopReason extends Error {
  readonly kind: StopKind
  constructor(kind: StopKind) {
    super(`the run was stopped: ${kind}`)
    this.kind = kind
  }
}
