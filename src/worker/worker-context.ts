/** The worker context: what all work of one worker process shares, be it for a job, a preview or a followed list. */
import type { Logger } from 'pino'
import type { AllowanceTerms } from '../model/jobs/allowance.ts'
import type { AttemptBudget } from '../model/jobs/attempt.ts'
import type { FreeCalls } from '../features/jobs/free-calls.ts'
import type { UsageMeter } from '../features/operator/usage-meter.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { PlatformAccess, PlatformCalls } from '../platform/platform.ts'
import type { Db } from '../store/database.ts'
import type { Slots } from './slots.ts'

export type WorkerContext = {
  db: Db
  platform: PlatformAccess
  slots: Slots
  /** What an account may cause without paying. */
  allowance: AllowanceTerms
  /** What a job may use before it is given up. */
  budget: AttemptBudget
  /** Number of videos of one job in flight at once. */
  videosMax: number
  /** True where every video's exact date is asked for, false where only bounds need it. */
  wantsDates: boolean
  /** Number of list pages that one preview reads. */
  previewPagesMax: number
  /** Measures what each account makes the worker do. */
  usage: UsageMeter
  now: () => Date
  log: Logger
  metrics: Metrics
  /** Resolves when the database may answer again, or when the signal aborts. */
  databaseBack(signal: AbortSignal): Promise<void>
}

/**
 * What questions to the platform about lists and dates need: on whose behalf, out of which allowance, and until when.
 */
export type Asker = {
  ctx: WorkerContext
  /** The account and job for which this work waits wherever work of several jobs queues. */
  share: Share
  /** Calls of the platform on behalf of the share. */
  platform: PlatformCalls
  /** Counts the questions that are asked without being paid. */
  calls: FreeCalls
  /** Aborted when the work is stopped, or a part of it failed. */
  signal: AbortSignal
}
