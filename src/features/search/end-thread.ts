/** Ends a thread, or leaves it alone: one inside SQLite ends only after the statement that it is at. */
import type { Worker } from 'node:worker_threads'

/** A thread that does not end, and takes no part in anything. `gone`: when it has ended after all. */
export type LeftAlone = { gone: Promise<void> }

const left = new Set<Worker>()

/** Node waits for its threads without limit when a process ends: with one of these it has to be ended by force. */
process.on('exit', () => {
  if (left.size > 0) process.kill(process.pid, 'SIGKILL')
})

/** Null where the thread ends within `waitMs`. */
export async function endThread(thread: Worker, waitMs: number): Promise<LeftAlone | null> {
  const gone = thread.terminate().then(() => void left.delete(thread))
  const { promise, resolve } = Promise.withResolvers<LeftAlone>()
  const late = setTimeout(() => {
    left.add(thread)
    thread.unref() // terminate() keeps the process for it
    resolve({ gone })
  }, waitMs)
  return Promise.race([gone.then(() => null), promise]).finally(() => clearTimeout(late))
}

/** How many of them are left alone. */
export function countLeftAlone(threads: ReadonlySet<Worker>): number {
  return [...threads].filter((thread) => left.has(thread)).length
}
