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
  /** Videos of one job in flight at once. */
  videosMax: number
  /** Ask for every video's exact date, or only where bounds need it. */
  wantsDates: boolean
  /** List pages that one preview reads. */
  previewPagesMax: number
  /** What each account makes the worker do. */
  usage: UsageMeter
  now: () => Date
  log: Logger
  metrics: Metrics
  /** Resolves when the database may answer again, or when the signal aborts. */
  databaseBack(signal: AbortSignal): Promise<void>
}

/** Who asks the platform for lists and dates: on whose behalf, out of which allowance, and until when. */
export type Asker = {
  ctx: WorkerContext
  /** On whose behalf, wherever this work waits beside that of others. */
  share: Share
  /** Asked on behalf of the share. */
  platform: PlatformCalls
  /** What is asked for without being paid counts. */
  calls: FreeCalls
  /** Aborted when the work is stopped, or a part of it failed. */
  signal: AbortSignal
}
