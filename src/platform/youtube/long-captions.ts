/**
 * Long captions are read in threads of their own, from the received bytes to the stored form, so that neither the event
 * loop nor the process depends on their content. There are a few threads, each with its own deadline and heap; one that
 * exceeds either is ended and replaced, and only its video fails.
 */
import type { Share } from '../../kit/fair-queue.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import { openPatience } from '../../kit/patience.ts'
import { bufferOf, openThreads, TaskTooSlow } from '../../kit/threads.ts'
import type { PlatformLimits } from '../limits.ts'
import type { ReadingGuard } from '../platform.ts'
import type { LongCaptions, LongReading } from './long-captions-thread.ts'
import { obstructed } from './obstacle.ts'

export type LongReader = {
  /**
   * Reads captions once a thread is free, which is shared fairly. Throws only the reason of `signal`, or what the guard
   * throws.
   */
  read(
    captions: LongCaptions,
    options: { guard: ReadingGuard | null; share: Share; signal: AbortSignal },
  ): Promise<LongReading>
  /** Ends the threads and their tasks. */
  close(): Promise<void>
}

/** Opens a reader, which starts no thread before the first long captions. */
export function openLongReader({
  captionThreadsMax: max,
  captionThreadMs: deadlineMs,
  captionThreadHeapMb: heapMb,
  captionsBytesMax: bytesMax,
  cuesMax,
}: PlatformLimits): LongReader {
  const threads = openThreads<typeof import('./long-captions-thread.ts')>({
    file: new URL('./long-captions-thread.ts', import.meta.url),
    max,
    heapMb,
  })
  const slots = fairSemaphore(max)

  async function readIn(captions: LongCaptions, signal: AbortSignal): Promise<LongReading> {
    try {
      const ask = { ...captions, bytesMax, cuesMax }
      const reading = await threads.run('readLong', ask, {
        signal,
        patience: openPatience(deadlineMs),
      })
      if (reading.kind === 'obstructed') return reading
      const { stored } = reading
      const wordTimes = stored.wordTimes === null ? null : bufferOf(stored.wordTimes)
      return { ...reading, stored: { ...stored, body: bufferOf(stored.body), wordTimes } }
    } catch (error) {
      signal.throwIfAborted()
      return obstructed(error instanceof TaskTooSlow ? 'read_too_long' : 'read_crashed')
    }
  }

  return {
    read: (captions, { guard, share, signal }) =>
      slots.run(share, signal, async () => {
        const done = guard === null ? null : await guard({ isLong: true })
        return readIn(captions, signal).finally(done)
      }),
    close: () => threads.close(),
  }
}
