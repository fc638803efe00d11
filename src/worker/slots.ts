/** The slots of one worker process, shared fairly by all of its jobs: one semaphore for each kind of work. */
import { LIMITS } from '../kit/config/config.ts'
import { type FairSemaphore, fairSemaphore } from '../kit/fair-semaphore.ts'

export type Slots = {
  /** Videos and dates that are being fetched. */
  fetching: FairSemaphore
  /** Videos that are being rendered, and statements that record some: the pool of connections alone would serve whoever came first. */
  recording: FairSemaphore
  /** Pages of lists that are being read. */
  listing: FairSemaphore
  /** Pages of lists that are being recorded: many at once would keep the process busy. */
  planning: FairSemaphore
  /** One for all of this process: for reading while a culprit is looked for. */
  suspects: FairSemaphore
}

export type SlotCounts = { videos: number; connections: number }

export function openSlots({ videos, connections }: SlotCounts): Slots {
  return {
    fetching: fairSemaphore(videos),
    recording: fairSemaphore(Math.max(1, Math.floor(connections * LIMITS.recordingShare))),
    listing: fairSemaphore(LIMITS.pagesReadAtOnceMax),
    planning: fairSemaphore(LIMITS.pagesPlannedAtOnceMax),
    suspects: fairSemaphore(1),
  }
}
