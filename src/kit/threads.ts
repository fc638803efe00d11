/**
 * Threads for work that would block the event loop: they run the functions of one file, one task at a time in each. A
 * task that takes too long, or whose caller no longer waits, ends with its thread; later tasks get a new one.
 */
import { Tinypool } from 'tinypool'
import { OPERATOR, type Share } from './fair-queue.ts'
import { fairSemaphore } from './fair-semaphore.ts'

/** The time after which a thread without work ends. */
const THREAD_IDLE_MS = 60_000

/** The error of a task that was not done by its deadline. */
export class TaskTooSlow extends Error {}
/** The error of a task whose threads were closed before it was done. */
export class ThreadsClosed extends Error {}

type InputOf<Task> = Task extends (input: infer Input) => unknown ? Input : never
type OutputOf<Task> = Task extends (input: never) => infer Output ? Awaited<Output> : never

/** Threads for `Tasks`, the functions that the file exports, each with one parameter. Buffers arrive as plain bytes. */
export type Threads<Tasks> = {
  /**
   * Runs a function of the file when its turn comes. Throws what it throws, the reason of `signal`, TaskTooSlow or
   * ThreadsClosed; any other error says that the thread crashed, out of memory for example.
   *
   * @param share for whom: a free thread goes to who has had the least of them
   * @param deadlineMs the waiting included; without it, a task takes as long as it takes
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: InputOf<Tasks[Name]>,
    options?: { share?: Share; signal?: AbortSignal; deadlineMs?: number },
  ): Promise<OutputOf<Tasks[Name]>>
  /** Ends the threads and their tasks. */
  close(): Promise<void>
}

/**
 * Opens threads without starting one yet. `max` tasks run at once; the caller bounds how many wait for them. `args` are
 * what the file finds behind the first two of `process.argv`. `areProcesses` uses processes instead, for native code,
 * inside which Node cannot end a thread.
 */
export function openThreads<Tasks>({
  file,
  max,
  args = [],
  heapMb = null,
  areProcesses = false,
}: {
  file: URL
  max: number
  args?: string[]
  heapMb?: number | null
  areProcesses?: boolean
}): Threads<Tasks> {
  const pool = new Tinypool({
    filename: file.href,
    minThreads: 0,
    maxThreads: max,
    idleTimeout: THREAD_IDLE_MS,
    argv: args,
    execArgv: [], // options by which the main thread is watched are not meant for these
    ...(areProcesses ? { runtime: 'child_process', serialization: 'advanced' } : {}),
    ...(heapMb === null ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  })
  pool.on('error', () => undefined) // the end of an idle thread harms nothing
  // Tinypool starts no thread for its own queue when a thread ends early, so tasks wait here.
  const places = fairSemaphore(max)
  const closing = new AbortController()
  return {
    async run(name, input, { share = OPERATOR, signal, deadlineMs } = {}) {
      closing.signal.throwIfAborted()
      const late = new AbortController()
      const tooLate = (): void => late.abort(new TaskTooSlow(`${name} took too long`))
      const timer = deadlineMs === undefined ? undefined : setTimeout(tooLate, deadlineMs)
      const end = AbortSignal.any([closing.signal, late.signal, ...(signal ? [signal] : [])])
      try {
        return (await places.run(share, end, () =>
          pool.run(input, { name, signal: end }),
        )) as OutputOf<Tasks[typeof name]>
      } catch (error) {
        throw end.aborted ? end.reason : error
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      closing.abort(new ThreadsClosed('the threads were closed'))
      await pool.destroy()
    },
  }
}

/** Returns a buffer of bytes that came from a thread, where a buffer arrives as plain bytes; none is empty. */
export function bufferOf(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined
    ? Buffer.alloc(0)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Marks the bytes in what a thread returns (the result itself, or its elements), so that they are handed over and not
 * copied. Only those that have their memory to themselves can be.
 */
export function handedOver<Result>(result: Result): Result {
  const isWhole = typeof result !== 'object' || result === null || ArrayBuffer.isView(result)
  const parts: unknown[] = isWhole ? [result] : Object.values(result)
  const memory = parts.flatMap((part) =>
    part instanceof Uint8Array && part.byteLength === part.buffer.byteLength ? [part.buffer] : [],
  )
  const { transferableSymbol, valueSymbol } = Tinypool
  const moved = { [transferableSymbol]: memory, [valueSymbol]: result }
  return memory.length === 0 ? result : (Tinypool.move(moved as never) as never)
}
