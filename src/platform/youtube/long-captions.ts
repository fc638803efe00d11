/**
 * Long captions are read in threads of their own: from the bytes off the wire to the stored forms, so that
 * neither the event loop nor the process depends on what they hold. A few threads, each with a deadline and a
 * heap of its own; one that runs out of either is ended and replaced, and only its video fails.
 */
import { Worker } from 'node:worker_threads'
import type { TrackKind } from '../../model/transcripts/transcript.ts'
import type { StoredTranscript } from '../../model/transcripts/transcript-forms.ts'
import type { Content } from '../egress/content.ts'
import type { Share } from '../../kit/fair-queue.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import type { PlatformLimits } from '../limits.ts'
import type { ReadingGuard } from '../platform.ts'
import { type Obstructed, obstructed } from './obstacle.ts'

export type LongCaptionsInput = {
  content: Content
  trackKind: TrackKind
  isRotating: boolean
  /** Of the decompressed text. */
  bytesMax: number
  cuesMax: number
}

export type LongReading =
  | { kind: 'stored'; stored: StoredTranscript }
  | { kind: 'empty' }
  | { kind: 'unreadable' }
  | Obstructed

export type LongReader = {
  /** Waits for a thread, fairly beside others. Throws only the reason of `signal`, or what the guard throws. */
  read(
    ask: LongCaptionsInput,
    options: { guard: ReadingGuard | null; share: Share; signal: AbortSignal },
  ): Promise<LongReading>
  /** Ends the threads, whatever they are at. */
  close(): Promise<void>
}

type Limits = Pick<PlatformLimits, 'captionThreadsMax' | 'captionThreadMs' | 'captionThreadHeapMb'>

const THREAD = new URL('./long-captions-thread.ts', import.meta.url)

/** Starts no thread yet; those that were started stay for the next captions. */
export function openLongReader(limits: Limits): LongReader {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const slots = fairSemaphore(limits.captionThreadsMax)

  return {
    async read(ask, { guard, share, signal }) {
      const release = await slots.acquire(share, signal)
      const thread = idle.pop() ?? startThread(limits, all)
      try {
        const done = guard === null ? null : await guard({ isLong: true })
        const reading = await readIn(thread, ask, {
          deadlineMs: limits.captionThreadMs,
          signal,
        }).finally(done)
        if (isAtFault(reading)) await thread.terminate()
        else idle.push(thread)
        return reading
      } catch (error) {
        await thread.terminate()
        throw error
      } finally {
        release()
      }
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

function startThread({ captionThreadHeapMb }: Limits, all: Set<Worker>): Worker {
  const thread = new Worker(THREAD, {
    execArgv: [], // what watches over the main thread is not for this one
    resourceLimits: { maxOldGenerationSizeMb: captionThreadHeapMb },
  })
  all.add(thread)
  thread.once('exit', () => all.delete(thread))
  thread.on('error', () => undefined) // whoever waits for it is told; without a listener the process would end
  thread.unref()
  return thread
}

function isAtFault(reading: LongReading): boolean {
  return (
    reading.kind === 'obstructed' &&
    (reading.obstacle.name === 'read_too_long' || reading.obstacle.name === 'read_crashed')
  )
}

async function readIn(
  thread: Worker,
  ask: LongCaptionsInput,
  { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal },
): Promise<LongReading> {
  const over = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<LongReading>()
  const late = setTimeout(() => resolve(obstructed('read_too_long')), deadlineMs)
  const crashed = (): void => resolve(obstructed('read_crashed'))
  signal.throwIfAborted()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal })
  thread.once('message', resolve).once('error', crashed).once('exit', crashed)
  try {
    thread.postMessage(ask)
    return withBuffers(await promise)
  } finally {
    clearTimeout(late)
    over.abort()
    thread.off('message', resolve).off('error', crashed).off('exit', crashed)
  }
}

/** A buffer arrives as plain bytes. */
function withBuffers(reading: LongReading): LongReading {
  if (reading.kind !== 'stored') return reading
  const { buffer, byteOffset, length } = reading.stored.body
  const body = Buffer.from(buffer, byteOffset, length)
  return { kind: 'stored', stored: { ...reading.stored, body } }
}
