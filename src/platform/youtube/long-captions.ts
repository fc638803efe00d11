/**
 * Long captions are read in threads of their own, from the received bytes to the stored form, so that neither the event
 * loop nor the process depends on their content. There are a few threads, each with its own deadline and heap; one that
 * exceeds either is ended and replaced, and only its video fails.
 */
import type { Share } from '../../kit/fair-queue.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import { openThreads, TaskTooSlow } from '../../kit/threads.ts'
import type { PlatformLimits } from '../limits.ts'
import type { ReadingGuard } from '../platform.ts'
import type { LongCaptionsInput, LongReading } from './long-captions-thread.ts'
import { obstructed } from './obstacle.ts'

export type LongReader = {
  /**
   * Reads captions once a thread is free, which is shared fairly. Throws only the reason of `signal`, or what the guard
   * throws.
   */
  read(
    ask: LongCaptionsInput,
    options: { guard: ReadingGuard | null; share: Share; signal: AbortSignal },
  ): Promise<LongReading>
  /** Ends the threads and their tasks. */
  close(): Promise<void>
}

type Limits = Pick<PlatformLimits, 'captionThreadsMax' | 'captionThreadMs' | 'captionThreadHeapMb'>

/** Opens a reader, which starts no thread before the first long captions. */
export function openLongReader(limits: Limits): LongReader {
  const max = limits.captionThreadsMax
  const threads = openThreads<typeof import('./long-captions-thread.ts')>({
    file: new URL('./long-captions-thread.ts', import.meta.url),
    max,
    heapMb: limits.captionThreadHeapMb,
  })
  const slots = fairSemaphore(max)

  async function readIn(ask: LongCaptionsInput, signal: AbortSignal): Promise<LongReading> {
    const deadlineMs = limits.captionThreadMs
    try {
      return withBuffers(await threads.run('readLong', ask, { signal, deadlineMs }))
    } catch (error) {
      signal.throwIfAborted()
      return obstructed(error instanceof TaskTooSlow ? 'read_too_long' : 'read_crashed')
    }
  }

  return {
    read: (ask, { guard, share, signal }) =>
      slots.run(share, signal, async () => {
        const done = guard === null ? null : await guard({ isLong: true })
        return readIn(ask, signal).finally(done)
      }),
    close: () => threads.close(),
  }
}

/** Makes buffers of the plain bytes as which they arrive. */
function withBuffers(reading: LongReading): LongReading {
  if (reading.kind !== 'stored') return reading
  const { buffer, byteOffset, length } = reading.stored.body
  const body = Buffer.from(buffer, byteOffset, length)
  return { kind: 'stored', stored: { ...reading.stored, body } }
}
