/**
 * Threads for work that would keep the event loop from others: the functions of one file, one task at a time in each.
 * A task that takes too long, or that nobody waits for any more, ends with its thread, and others get a new one.
 */
import { Tinypool } from 'tinypool'
import { OPERATOR } from './fair-queue.ts'
import { fairSemaphore } from './fair-semaphore.ts'

/** A thread without work ends after this. */
const THREAD_IDLE_MS = 60_000

/** The task was not done by its deadline. */
export class TaskTooSlow extends Error {}
/** As many tasks wait as may. */
export class ThreadsBusy extends Error {}
/** They were closed before the task was done. */
export class ThreadsClosed extends Error {}

type InputOf<Task> = Task extends (input: infer Input) => unknown ? Input : never
type OutputOf<Task> = Task extends (input: never) => infer Output ? Awaited<Output> : never

/** `Tasks`: the functions that the file exports, each of one value. Buffers arrive as plain bytes. */
export type Threads<Tasks> = {
  /**
   * Runs a function of the file when its turn comes. Throws what it throws, the reason of `signal`, TaskTooSlow,
   * ThreadsBusy or ThreadsClosed; any other error says that the thread crashed, out of memory for example.
   *
   * @param deadlineMs the waiting included; without it, a task takes as long as it takes
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: InputOf<Tasks[Name]>,
    options?: { signal?: AbortSignal; deadlineMs?: number },
  ): Promise<OutputOf<Tasks[Name]>>
  /** Ends the threads, whatever they are at. */
  close(): Promise<void>
}

/**
 * Starts no thread yet. `max`: tasks at once; `queueMax`: tasks that may wait for them. `areProcesses`: processes instead of
 * threads, for native code, inside which Node cannot end a thread.
 */
export function openThreads<Tasks>({
  file,
  max,
  queueMax = Number.POSITIVE_INFINITY,
  heapMb = null,
  areProcesses = false,
}: {
  file: URL
  max: number
  queueMax?: number
  heapMb?: number | null
  areProcesses?: boolean
}): Threads<Tasks> {
  const pool = new Tinypool({
    filename: file.href,
    minThreads: 0,
    maxThreads: max,
    idleTimeout: THREAD_IDLE_MS,
    execArgv: [], // what watches over the main thread is not for these
    ...(areProcesses ? { runtime: 'child_process', serialization: 'advanced' } : {}),
    ...(heapMb === null ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  })
  pool.on('error', () => undefined) // an idle thread that ends takes nothing along
  // Tinypool starts no thread for what waits in its own queue when one ends before its time.
  const places = fairSemaphore(max)
  const closing = new AbortController()
  return {
    async run(name, input, { signal, deadlineMs } = {}) {
      closing.signal.throwIfAborted()
      if (places.held + places.waiting >= max + queueMax) throw new ThreadsBusy()
      const late = new AbortController()
      const timer =
        deadlineMs === undefined
          ? undefined
          : setTimeout(() => late.abort(new TaskTooSlow(`${name} took too long`)), deadlineMs)
      const signals = [closing.signal, late.signal, ...(signal === undefined ? [] : [signal])]
      const end = AbortSignal.any(signals)
      try {
        return (await places.run(OPERATOR, end, () =>
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
