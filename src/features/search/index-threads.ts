/**
 * The threads of the search indexes: one that writes, and a few that answer. Nothing of an index is done on the
 * event loop. A thread that does not answer in time is ended and replaced, also where it does not end.
 */
import { Worker } from 'node:worker_threads'
import { countLeftAlone, endThread, type LeftAlone } from './end-thread.ts'
import type { IndexReplies, IndexReply, IndexRequest } from './messages.ts'

/** A thread that writes for longer than this hangs. */
const SEARCH_WRITE_MS = 120_000
/** How long a thread that is told to end may take before another takes its place. */
const SEARCH_THREAD_END_MS = 1_000
/** Threads of each kind that do not end and are replaced nevertheless. */
const SEARCH_THREADS_LEFT_ALONE = 4

export type IndexThreads = {
  /** Each waits for its turn. Throws BrokenFile where the file has to be made again. */
  write<K extends IndexRequest['kind']>(request: RequestOf<K>): Promise<IndexReplies[K]>
  /** Throws TooSlow where it takes longer than the deadline, the waiting included. */
  ask<K extends IndexRequest['kind']>(
    request: RequestOf<K>,
    deadlineMs: number,
  ): Promise<IndexReplies[K]>
  close(): Promise<void>
}

type RequestOf<K extends IndexRequest['kind']> = Extract<IndexRequest, { kind: K }>

export class BrokenFile extends Error {}
/** Nobody waits for the answer any more. */
export class TooSlow extends Error {
  /** When its thread has ended, or is left alone. */
  readonly ended: Promise<LeftAlone | null>
  constructor(ended: Promise<LeftAlone | null>) {
    super('an index thread took too long')
    this.ended = ended
  }
}
/** A thread wrote for longer than any request takes. */
export class WriteStuck extends Error {}
/** The service ends. */
export class ThreadsClosed extends Error {}

const THREAD = new URL('./index-thread.ts', import.meta.url)

type Order = {
  request: IndexRequest
  answered: PromiseWithResolvers<unknown>
  /** Aborts when nobody waits for it any more. */
  left: AbortController
  ended: PromiseWithResolvers<LeftAlone | null>
}

type Waits = { writeMs: number; endMs: number }
const WAITS: Waits = { writeMs: SEARCH_WRITE_MS, endMs: SEARCH_THREAD_END_MS }

export function openIndexThreads({
  readers,
  ...given
}: { readers: number } & Partial<Waits>): IndexThreads {
  const waits = { ...WAITS, ...given }
  const writing = openCrew(1, waits)
  const asking = openCrew(readers, waits)
  return {
    write: (request) => writing.order(request, null) as Promise<never>,
    ask: (request, deadlineMs) => asking.order(request, deadlineMs) as Promise<never>,
    close: async () => {
      await Promise.all([writing.close(), asking.close()])
    },
  }
}

/** Some threads that take orders one by one; none is started before it is needed. */
function openCrew(threadsMax: number, { writeMs, endMs }: Waits) {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const waiting: Order[] = []
  const underWay = new Set<Order>()
  let isClosed = false

  /** Those left alone are beside the others, up to a number: each may take a core. */
  function mayStart(): boolean {
    return all.size < threadsMax + Math.min(countLeftAlone(all), SEARCH_THREADS_LEFT_ALONE)
  }

  function next(): void {
    while (waiting.length > 0 && (idle.length > 0 || mayStart())) {
      const order = waiting.shift()
      if (order !== undefined) void carryOut(order, idle.pop() ?? startThread(all, idle, next))
    }
  }

  async function carryOut(order: Order, thread: Worker): Promise<void> {
    let left: LeftAlone | null = null
    underWay.add(order)
    try {
      settle(order.answered, await replyOf(thread, order, writeMs))
      idle.push(thread)
    } catch (error) {
      left = await endThread(thread, endMs)
      order.answered.reject(isClosed ? new ThreadsClosed() : (error as Error))
    }
    underWay.delete(order)
    order.ended.resolve(left)
    next()
  }

  /** Its thread ends, and with it the order. */
  function giveUp(order: Order): void {
    const at = waiting.indexOf(order)
    if (at >= 0) {
      waiting.splice(at, 1)
      order.ended.resolve(null)
    }
    order.answered.reject(new TooSlow(order.ended.promise))
    order.left.abort()
  }

  return {
    async order(request: IndexRequest, deadlineMs: number | null): Promise<unknown> {
      if (isClosed) throw new ThreadsClosed()
      const order = orderOf(request)
      waiting.push(order)
      next()
      if (deadlineMs === null) return order.answered.promise
      const late = setTimeout(() => giveUp(order), deadlineMs)
      return order.answered.promise.finally(() => clearTimeout(late))
    },
    async close(): Promise<void> {
      isClosed = true
      for (const { answered, ended } of waiting.splice(0)) {
        answered.reject(new ThreadsClosed())
        ended.resolve(null)
      }
      for (const { left } of underWay) left.abort()
      await Promise.all([...all].map((thread) => endThread(thread, endMs)))
    },
  }
}

function orderOf(request: IndexRequest): Order {
  return {
    request,
    answered: Promise.withResolvers<unknown>(),
    left: new AbortController(),
    ended: Promise.withResolvers<LeftAlone | null>(),
  }
}

function startThread(all: Set<Worker>, idle: Worker[], next: () => void): Worker {
  const thread = new Worker(THREAD, { execArgv: [] })
  all.add(thread)
  thread.once('exit', () => {
    all.delete(thread)
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
    next()
  })
  thread.on('error', () => undefined) // whoever waits for it is told; without a listener the process would end
  thread.unref()
  return thread
}

function settle({ resolve, reject }: Order['answered'], reply: IndexReply): void {
  if (reply.kind === 'done') resolve(reply.value)
  else if (reply.kind === 'broken') reject(new BrokenFile(reply.reason))
  else reject(new Error(`a search index failed: ${reply.reason}`))
}

async function replyOf(
  thread: Worker,
  { request, left: { signal } }: Order,
  stuckMs: number,
): Promise<IndexReply> {
  const { promise, resolve, reject } = Promise.withResolvers<IndexReply>()
  const stuck = setTimeout(() => reject(new WriteStuck('an index thread is stuck')), stuckMs)
  const abandoned = (): void => reject(new Error('nobody waits for an index thread any more'))
  const crashed = (error?: unknown): void =>
    reject(new Error('an index thread ended', { cause: error }))
  thread.once('message', resolve).once('error', crashed).once('exit', crashed)
  signal.addEventListener('abort', abandoned)
  try {
    thread.postMessage(request)
    return await promise
  } finally {
    clearTimeout(stuck)
    thread.off('message', resolve).off('error', crashed).off('exit', crashed)
  }
}
