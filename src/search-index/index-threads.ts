/**
 * The threads of the search indexes: one that writes, and a few that answer. Nothing of an index is done on the
 * event loop. A thread that does not answer in time is ended and replaced.
 */
import { Worker } from 'node:worker_threads'
import type { IndexReplies, IndexReply, IndexRequest } from './messages.ts'

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
  /** When nothing works for it either: a thread inside SQLite ends only after the statement that it is at. */
  readonly ended: Promise<void>
  constructor(ended: Promise<void>) {
    super('an index thread took too long')
    this.ended = ended
  }
}
/** The service ends. */
export class ThreadsClosed extends Error {}

const THREAD = new URL('./index-thread.ts', import.meta.url)

/** A thread that writes for longer than this hangs. */
const STUCK_MS = 120_000

type Order = {
  request: IndexRequest
  /** Whoever carries it out; null while it waits. */
  thread: Worker | null
  isGivenUp: boolean
  answered: PromiseWithResolvers<unknown>
  ended: PromiseWithResolvers<void>
}

export function openIndexThreads({ readers }: { readers: number }): IndexThreads {
  const writing = openCrew(1)
  const asking = openCrew(readers)
  return {
    write: (request) => writing.order(request, null) as Promise<never>,
    ask: (request, deadlineMs) => asking.order(request, deadlineMs) as Promise<never>,
    close: async () => {
      await Promise.all([writing.close(), asking.close()])
    },
  }
}

/** Some threads that take orders one by one; none is started before it is needed. */
function openCrew(threadsMax: number) {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const waiting: Order[] = []
  let isClosed = false

  function next(): void {
    while (waiting.length > 0 && (idle.length > 0 || all.size < threadsMax)) {
      const order = waiting.shift()
      if (order !== undefined) void carryOut(order, idle.pop() ?? startThread(all, idle))
    }
  }

  async function carryOut(order: Order, thread: Worker): Promise<void> {
    order.thread = thread
    try {
      const reply = await replyOf(thread, order.request)
      if (order.isGivenUp) await thread.terminate()
      else idle.push(thread)
      settle(order.answered, reply)
    } catch (error) {
      await thread.terminate()
      order.answered.reject(isClosed ? new ThreadsClosed() : (error as Error))
    }
    order.ended.resolve()
    next()
  }

  /** Its thread ends, and with it the order. */
  function giveUp(order: Order): void {
    const at = waiting.indexOf(order)
    if (at >= 0) {
      waiting.splice(at, 1)
      order.ended.resolve()
    }
    order.isGivenUp = true
    order.answered.reject(new TooSlow(order.ended.promise))
    void order.thread?.terminate()
  }

  return {
    async order(request: IndexRequest, deadlineMs: number | null): Promise<unknown> {
      if (isClosed) throw new ThreadsClosed()
      const answered = Promise.withResolvers<unknown>()
      const ended = Promise.withResolvers<void>()
      const order: Order = { request, thread: null, isGivenUp: false, answered, ended }
      waiting.push(order)
      next()
      if (deadlineMs === null) return answered.promise
      const late = setTimeout(() => giveUp(order), deadlineMs)
      return answered.promise.finally(() => clearTimeout(late))
    },
    async close(): Promise<void> {
      isClosed = true
      for (const { answered, ended } of waiting.splice(0)) {
        answered.reject(new ThreadsClosed())
        ended.resolve()
      }
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

function startThread(all: Set<Worker>, idle: Worker[]): Worker {
  const thread = new Worker(THREAD, { execArgv: [] })
  all.add(thread)
  thread.once('exit', () => {
    all.delete(thread)
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
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

async function replyOf(thread: Worker, request: IndexRequest): Promise<IndexReply> {
  const { promise, resolve, reject } = Promise.withResolvers<IndexReply>()
  const stuck = setTimeout(() => reject(new Error('an index thread is stuck')), STUCK_MS)
  const crashed = (error?: unknown): void =>
    reject(new Error('an index thread ended', { cause: error }))
  thread.once('message', resolve).once('error', crashed).once('exit', crashed)
  try {
    thread.postMessage(request)
    return await promise
  } finally {
    clearTimeout(stuck)
    thread.off('message', resolve).off('error', crashed).off('exit', crashed)
  }
}
