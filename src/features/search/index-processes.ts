/**
 * Processes that read and write the search indexes: one that writes, and a few that answer. They are processes and not
 * threads, since SQLite can be ended in no other way: a damaged file may hold it for ever.
 */
import type { Deadlines } from '../../config/config.ts'
import { openThreads, type Threads } from '../../kit/threads.ts'

/** Low bytes of SQLite's codes CORRUPT and NOTADB. */
const DAMAGE_CODES = [11, 26]

type Tasks = Threads<typeof import('./index-process.ts')>

export type IndexProcesses = {
  /**
   * Runs a task in the process that writes. Throws BrokenFile where the file has to be made again, TaskTooSlow where it
   * hangs, ThreadsClosed after the close.
   */
  write: Tasks['run']
  /** Runs a task in a process that answers. Throws TaskTooSlow also where it had to wait longer than its deadline. */
  ask: Tasks['run']
  close(): Promise<void>
}

export class BrokenFile extends Error {}

/** Opens the processes; none starts before it is needed. */
export function openIndexProcesses({
  readers,
  deadlines: { searchWriteMs, searchFileMs },
}: {
  readers: number
  deadlines: Deadlines
}): IndexProcesses {
  const [writing, asking] = [openProcesses(1, searchFileMs), openProcesses(readers, searchFileMs)]
  return {
    write: (name, input) => writing.run(name, input, { deadlineMs: searchWriteMs }).catch(explain),
    ask: (name, input, options) => asking.run(name, input, options).catch(explain),
    close: async () => {
      await Promise.all([writing.close(), asking.close()])
    },
  }
}

function openProcesses(max: number, fileMs: number): Tasks {
  const file = new URL('./index-process.ts', import.meta.url)
  return openThreads({ file, max, args: [String(fileMs)], areProcesses: true })
}

/** Throws what happened. An error of a task arrives as its fields; others are errors of ours, such as TaskTooSlow. */
function explain(error: unknown): never {
  if (error instanceof Error) throw error
  const reason = String((error as Partial<Error>).message ?? error)
  if (isDamage(error)) throw new BrokenFile(reason)
  throw new Error(`a search index failed: ${reason}`)
}

/** Returns whether the error says that the file is damaged, or not what this code wrote. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  return DAMAGE_CODES.includes(Number(errcode) & 0xff)
}
