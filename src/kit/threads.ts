/**
 * Threads for work that would block the event loop: they run the functions of one file, one task at a time in each. A
 * task that takes too long, or whose caller no longer waits, ends with its thread; later tasks get a new one.
 */
import { Tinypool } from 'tinypool'
import { OPERATOR, type Share } from './fair-queue.ts'
import { fairSemaphore } from './fair-semaphore.ts'
import type { Patience } from './patience.ts'

/** The time after which a thread without work ends, and one that does not start. */
const THREAD_IDLE_MS = 60_000
const THREAD_START_MS = 60_000

/** The error of a task that was not done in time; `wasBegun` where it was the task itself that took so long. */
export class TaskTooSlow extends Error {
  readonly wasBegun: boolean
  constructor(name: string, wasBegun: boolean) {
    super(`${name} took too long${wasBegun ? '' : ' to begin'}`)
    this.wasBegun = wasBegun
  }
}
/** The error of a task whose thread is still starting, which goes on. */
export class ThreadStarting extends Error {}
/** The error of a task whose threads were closed before it was done. */
export class ThreadsClosed extends Error {}

type InputOf<Task> = Task extends (input: infer Input) => unknown ? Input : never
type OutputOf<Task> = Task extends (input: never) => infer Output ? Awaited<Output> : never

/** Threads for `Tasks`, the functions that the file exports, each with one parameter. Buffers arrive as plain bytes. */
export type Threads<Tasks> = {
  /**
   * Runs a function of the file when its turn comes. Throws what it throws, the reason of `signal`, TaskTooSlow,
   * ThreadStarting or ThreadsClosed; any other error says that the thread crashed, out of memory for example.
   *
   * @param share for whom: a free thread goes to who has had the least of them
   * @param patience the waiting included, but not the start of a thread; without it, a task takes as long as it takes
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: InputOf<Tasks[Name]>,
    options?: { share?: Share; signal?: AbortSignal; patience?: Patience },
  ): Promise<OutputOf<Tasks[Name]>>
  /** Resolves when a thread is up, and starts one where none is. Throws ThreadStarting or ThreadsClosed. */
  up(): Promise<void>
  /** Ends the threads and their tasks. */
  close(): Promise<void>
}

type ThreadOptions = {
  file: URL
  max: number
  args?: string[]
  heapMb?: number | null
  areProcesses?: boolean
  startMs?: number
}

/**
 * Opens threads without starting one yet. `max` tasks run at once; the caller bounds how many wait for them. `args` are
 * what the file finds behind the first two of `process.argv`. `areProcesses` uses processes instead, for native code,
 * inside which Node cannot end a thread. A caller waits `startMs` for the start of a thread.
 */
export function openThreads<Tasks>({
  file,
  max,
  args = [],
  heapMb = null,
  areProcesses = false,
  startMs = THREAD_START_MS,
}: ThreadOptions): Threads<Tasks> {
  const options = {
    filename: file.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_MS,
    argv: args,
    execArgv: [], // options by which the main thread is watched are not meant for these
    ...(areProcesses
      ? { runtime: 'child_process' as const, serialization: 'advanced' as const }
      : {}),
    ...(heapMb === null ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  }
  const lanes = Array.from({ length: max }, () => openLane(options))
  const free = new Set(lanes)
  // Tinypool starts no thread for its own queue when a thread ends early, so tasks wait here.
  const places = fairSemaphore(max)
  const closing = new AbortController()
  const started = (lane: Lane, end: AbortSignal): Promise<void> =>
    lane.isUp() ? Promise.resolve() : within(lane.start(), { ms: startMs, end })
  /** Whoever waits for a place is not charged with the start of the first thread, whoever asked for it. */
  const firstUp = async (end: AbortSignal): Promise<void> => {
    const [first] = lanes
    if (first !== undefined && !lanes.some((lane) => lane.isUp())) await started(first, end)
  }
  return {
    async run(name, input, { share = OPERATOR, signal, patience = ENDLESS } = {}) {
      closing.signal.throwIfAborted()
      const late = new AbortController()
      let wasBegun = false
      const forget = patience.onEnd(() => late.abort(new TaskTooSlow(name, wasBegun)))
      const end = AbortSignal.any([closing.signal, late.signal, ...(signal ? [signal] : [])])
      const work = async (): Promise<unknown> => {
        const lane = free.values().find((one) => one.isUp()) ?? [...free][0]
        if (lane === undefined) throw new Error('there are as many places as threads')
        free.delete(lane)
        try {
          await patience.without(() => started(lane, end))
          wasBegun = true
          return await lane.pool.run(input, { name, signal: end })
        } finally {
          free.add(lane)
        }
      }
      try {
        await patience.without(() => firstUp(end))
        return (await places.run(share, end, work)) as OutputOf<Tasks[typeof name]>
      } catch (error) {
        throw end.aborted ? end.reason : error
      } finally {
        forget()
      }
    },
    async up() {
      closing.signal.throwIfAborted()
      await firstUp(closing.signal)
    },
    async close() {
      closing.abort(new ThreadsClosed('the threads were closed'))
      await Promise.all(lanes.map(({ pool }) => pool.destroy()))
    },
  }
}

const ENDLESS: Patience = {
  leftMs: () => Infinity,
  without: (work) => work(),
  onEnd: () => () => undefined,
}

/** One thread, or its place: it starts when it is needed, and again where it ended. */
type Lane = {
  pool: Tinypool
  isUp(): boolean
  /** Starts the thread for whoever waits for it; it goes on when they leave. */
  start(): Promise<void>
}

/** The task of thread-up.ts. */
const UP: keyof typeof import('./thread-up.ts') = 'up'

function openLane(options: ConstructorParameters<typeof Tinypool>[0]): Lane {
  const pool = new Tinypool(options)
  pool.on('error', () => undefined) // the end of an idle thread harms nothing
  let known: unknown = null
  let starting: Promise<void> | null = null
  const start = async (): Promise<void> => {
    const filename = new URL('./thread-up.ts', import.meta.url).href
    const signal = AbortSignal.timeout(THREAD_START_MS)
    await pool.run(null, { name: UP, filename, signal }).catch((cause: unknown) => {
      throw new ThreadStarting('a thread did not start', { cause })
    })
    known = pool.threads[0] ?? null
  }
  return {
    pool,
    isUp: () => known !== null && pool.threads[0] === known,
    start() {
      starting ??= start().finally(() => (starting = null))
      starting.catch(() => undefined) // they may have left
      return starting
    },
  }
}

/** Awaits the start of a thread. Throws ThreadStarting when the time is over, or the reason of `end`. */
async function within(work: Promise<void>, { ms, end }: { ms: number; end: AbortSignal }) {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(end.reason)
  const timer = setTimeout(() => reject(new ThreadStarting('a thread is starting')), ms)
  end.addEventListener('abort', leave, { once: true })
  try {
    end.throwIfAborted()
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    end.removeEventListener('abort', leave)
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
