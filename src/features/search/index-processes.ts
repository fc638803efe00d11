/**
 * Processes that read and write the search indexes: one that writes, and a few that answer. They are processes and not
 * threads, since SQLite can be ended in no other way: a damaged file may hold it for ever.
 */
import { openThreads, type Threads } from '../../kit/threads.ts'

/** Time after which a write counts as hanging. */
const SEARCH_WRITE_MS = 120_000
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
  writeMs = SEARCH_WRITE_MS,
}: {
  readers: number
  writeMs?: number
}): IndexProcesses {
  const [writing, asking] = [openProcesses(1), openProcesses(readers)]
  return {
    write: (name, input) => writing.run(name, input, { deadlineMs: writeMs }).catch(explain),
    ask: (name, input, options) => asking.run(name, input, options).catch(explain),
    close: async () => {
      await Promise.all([writing.close(), asking.close()])
    },
  }
}

function openProcesses(max: number): Tasks {
  const file = new URL('./index-process.ts', import.meta.url)
  return openThreads({ file, max, areProcesses: true })
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
