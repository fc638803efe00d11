/**
 * The worker context: what all work of one worker process shares, its slots among it, be it for a job, a preview or a
 * followed list.
 */
import type { Logger } from 'pino'
import type { FreeCalls } from '../features/jobs/free-calls.ts'
import type { TextReader } from '../features/transcripts/read-stored.ts'
import type { UsageMeter } from '../features/operator/usage-meter.ts'
import type { Share } from '../kit/fair-queue.ts'
import { type FairSemaphore, fairSemaphore } from '../kit/fair-semaphore.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AllowanceTerms } from '../model/jobs/allowance.ts'
import type { AttemptBudget } from '../model/jobs/attempt.ts'
import type { PlatformAccess, PlatformCalls } from '../platform/platform.ts'
import type { Db } from '../store/database.ts'

/** Number of list pages that a process reads, and records, at once: a page is as much work for it as several videos. */
const PAGES_READ_AT_ONCE_MAX = 4
const PAGES_PLANNED_AT_ONCE_MAX = 1
/** Part of a process's connections that record videos; the rest is for planning, ends and callers. */
const RECORDING_SHARE = 0.5

/** The slots of one worker process, shared fairly by all of its jobs: one semaphore for each kind of work. */
export type Slots = {
  /** Videos and dates that are being fetched. */
  fetching: FairSemaphore
  /**
   * Videos that are being rendered, and statements that record some: the pool of connections alone would serve jobs in
   * the order in which they ask.
   */
  recording: FairSemaphore
  /** Pages of lists that are being read. */
  listing: FairSemaphore
  /** Pages of lists that are being recorded: many at once would keep the process busy. */
  planning: FairSemaphore
  /** One slot for the whole process: for reading while a culprit is looked for. */
  suspects: FairSemaphore
}

export function openSlots({ videos, connections }: { videos: number; connections: number }): Slots {
  return {
    fetching: fairSemaphore(videos),
    recording: fairSemaphore(Math.max(1, Math.floor(connections * RECORDING_SHARE))),
    listing: fairSemaphore(PAGES_READ_AT_ONCE_MAX),
    planning: fairSemaphore(PAGES_PLANNED_AT_ONCE_MAX),
    suspects: fairSemaphore(1),
  }
}

export type WorkerContext = {
  db: Db
  textReader: TextReader
  platform: PlatformAccess
  slots: Slots
  /** Work that an account may cause without paying. */
  allowance: AllowanceTerms
  /** Bounds of a job, beyond which it is given up. */
  budget: AttemptBudget
  /** Number of videos of one job in flight at once. */
  videosMax: number
  /** True where every video's exact date is asked for, false where only bounds need it. */
  wantsDates: boolean
  /** Whether the times of words are kept (WORD_TIMES). */
  keepsWordTimes: boolean
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
