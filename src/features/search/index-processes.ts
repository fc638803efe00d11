/**
 * Processes that read and write the search indexes: one that writes, and a few that answer. They are processes and not
 * threads, since SQLite can be ended in no other way: a damaged file may hold it for ever.
 */
import type { Deadlines } from '../../config/config.ts'
import { openPatience } from '../../kit/patience.ts'
import { openThreads, type Threads } from '../../kit/threads.ts'

/** Low bytes of SQLite's codes IOERR, as of a file that is removed while it is read, CORRUPT and NOTADB. */
const DAMAGE_CODES = [10, 11, 26]

type Tasks = Threads<typeof import('./index-process.ts')>

export type IndexProcesses = {
  /**
   * Runs a task in the process that writes. Throws BrokenFile where the file has to be made again, TaskTooSlow where it
   * hangs, ThreadsClosed after the close.
   */
  write: Tasks['run']
  /** Resolves when that process is up. Throws ThreadStarting. */
  writerUp(): Promise<void>
  /** Runs a task in a process that answers. Throws TaskTooSlow also where it waited too long, ThreadStarting. */
  ask: Tasks['run']
  close(): Promise<void>
}

export class BrokenFile extends Error {}

/** The file of what a process can be asked. */
const FILE = new URL('./index-process.ts', import.meta.url)

/** Opens the processes; none starts before it is needed. */
export function openIndexProcesses({
  readers,
  deadlines: { searchWriteMs, searchFileMs, searchStartMs },
  file = FILE,
}: {
  readers: number
  deadlines: Deadlines
  file?: URL | undefined
}): IndexProcesses {
  const open = (max: number): Tasks =>
    openThreads({
      file,
      max,
      args: [String(searchFileMs)],
      areProcesses: true,
      startMs: searchStartMs,
    })
  const [writing, asking] = [open(1), open(readers)]
  return {
    write: (name, input) =>
      writing.run(name, input, { patience: openPatience(searchWriteMs) }).catch(explain),
    writerUp: () => writing.up(),
    ask: (name, input, options) => asking.run(name, input, options).catch(explain),
    close: async () => {
      await Promise.all([writing.close(), asking.close()])
    },
  }
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
