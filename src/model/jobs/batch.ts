/**
 * A batch: an order of more lines or videos than a job may have. It is run as one job after another: a part takes fifty
 * lines, and a part whose job used all its slots is ordered again, since a repeat goes on where the one before ended.
 */
import { LIMITS } from '../../config/config.ts'
import { isFinal, JOB_STATES, type JobState } from './job.ts'
import { type OrderLine, type Order, orderOfPart, linesOfPart, type Terms } from './order.ts'

export const BATCH_STATES = [
  'running',
  'finished', // every part was taken, or as many videos as the order allows
  'stopped', // by its owner, or because its next job was refused; it can be continued
] as const
export type BatchState = (typeof BATCH_STATES)[number]

/** The states of jobs and batches by the names that lists have for them. */
export const ORDER_STATES = {
  open: JOB_STATES.filter((state) => !isFinal(state)),
  finished: ['finished'],
  stopped: ['cancelled', 'stopped'],
  failed: ['failed', 'interrupted'],
} as const satisfies Record<string, readonly (JobState | BatchState)[]>

/** Jobs of a batch that may fail one after another before it stops. */
const FAILURES_MAX = 3

/** The order of all parts together. */
type BatchOrder = Terms & BatchBounds
type BatchBounds = { lines: readonly OrderLine[]; maxVideos: number }

/** How far a batch has come: `part` from 0; `slot` numbers its jobs; `taken` counts the videos of those that ended. */
export type BatchPlace = { part: number; slot: number; taken: number; failures: number }

/** How a job used its slots; `truncated` counts the videos that found none. */
export type JobUse = { state: JobState; maxVideos: number; slotsUsed: number; truncated: number }

/** One of a batch's jobs, as the batch sees it. */
export type BatchJob = JobUse & { id: string; delivered: number }

/** Returns whether a job used all its slots, so that its lines may hold more. */
export function hasUsedSlots({ slotsUsed, maxVideos, truncated }: JobUse): boolean {
  return slotsUsed >= maxVideos || (truncated > 0 && slotsUsed > 0)
}

/**
 * How a batch ends; `notice` is a sentence for its owner. `isAtLimit` where it took as many videos as it may: what it
 * left, its lines say.
 */
export type BatchEnd = {
  state: Exclude<BatchState, 'running'>
  notice: string | null
  isAtLimit?: true
}

/** Returns how many parts so many lines make. */
export function partCount(lines: number): number {
  return Math.ceil(lines / LIMITS.urlsMax)
}

/** Returns the order of the job that takes what is next of a part. */
export function nextOrder(order: BatchOrder, { part, taken }: BatchPlace): Order {
  const maxVideos = Math.min(LIMITS.videosMax, order.maxVideos - taken)
  return orderOfPart(order, linesOfPart(order, part), maxVideos)
}

/**
 * Returns where a batch stands once its present job is final, and how it ends if it does. Of a job that did not finish
 * only deliveries count against the order's limit: what it left is ordered again.
 */
export function afterJob(
  order: BatchBounds,
  place: BatchPlace,
  job: BatchJob,
): { place: BatchPlace; end: BatchEnd | null } {
  if (!isFinal(job.state)) throw new Error(`job ${job.id} is final`)
  const isFinished = job.state === 'finished'
  const used = isFinished ? job.slotsUsed : job.delivered
  const hasFailed = job.state === 'failed' || job.state === 'interrupted'
  const next = {
    part: isFinished && !hasUsedSlots(job) ? place.part + 1 : place.part,
    slot: place.slot + 1,
    taken: place.taken + used,
    failures: hasFailed ? place.failures + 1 : 0,
  }
  return { place: next, end: endAfter(job, next, order) }
}

function endAfter(
  { state, id }: BatchJob,
  place: BatchPlace,
  { lines, maxVideos }: BatchBounds,
): BatchEnd | null {
  if (place.part >= partCount(lines.length)) return { state: 'finished', notice: null }
  if (place.taken >= maxVideos) {
    return { state: 'finished', notice: null, isAtLimit: true }
  }
  if (state === 'cancelled') return { state: 'stopped', notice: `Its job ${id} was cancelled.` }
  if (place.failures < FAILURES_MAX) return null
  return {
    state: 'stopped',
    notice: `${FAILURES_MAX} of its jobs failed in a row, the last one ${id}.`,
  }
}
