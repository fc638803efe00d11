/** The slots of one worker process, shared fairly by all of its jobs: one semaphore for each kind of work. */
import { type FairSemaphore, fairSemaphore } from '../kit/fair-semaphore.ts'

/** Number of list pages that a process reads, and records, at once: a page is as much work for it as several videos. */
const PAGES_READ_AT_ONCE_MAX = 4
const PAGES_PLANNED_AT_ONCE_MAX = 1
/** Part of a process's connections that record videos; the rest is for planning, ends and callers. */
const RECORDING_SHARE = 0.5

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

export type SlotCounts = { videos: number; connections: number }

export function openSlots({ videos, connections }: SlotCounts): Slots {
  return {
    fetching: fairSemaphore(videos),
    recording: fairSemaphore(Math.max(1, Math.floor(connections * RECORDING_SHARE))),
    listing: fairSemaphore(PAGES_READ_AT_ONCE_MAX),
    planning: fairSemaphore(PAGES_PLANNED_AT_ONCE_MAX),
    suspects: fairSemaphore(1),
  }
}
