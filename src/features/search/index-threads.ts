/**
 * Processes that read and write the search indexes: one that writes, and a few that answer. They are processes and not
 * threads, since SQLite can be ended in no other way: a damaged file may hold it for ever.
 */
import { openThreads, type Threads } from '../../kit/threads.ts'
import type { IndexReplies, IndexReply, IndexRequest } from './messages.ts'

/** Time after which a write counts as hanging. */
const SEARCH_WRITE_MS = 120_000

export type IndexThreads = {
  /**
   * Throws BrokenFile where the file has to be made again, TaskTooSlow where it hangs, ThreadsClosed after the close.
   */
  write<K extends IndexRequest['kind']>(request: RequestOf<K>): Promise<IndexReplies[K]>
  /** Throws also TaskTooSlow where it takes longer than the deadline, the waiting included. */
  ask<K extends IndexRequest['kind']>(
    request: RequestOf<K>,
    deadlineMs: number,
  ): Promise<IndexReplies[K]>
  close(): Promise<void>
}

type RequestOf<K extends IndexRequest['kind']> = Extract<IndexRequest, { kind: K }>

export class BrokenFile extends Error {}

const THREAD = new URL('./index-thread.ts', import.meta.url)

/** Opens the processes; none starts before it is needed. */
export function openIndexThreads({
  readers,
  writeMs = SEARCH_WRITE_MS,
}: {
  readers: number
  writeMs?: number
}): IndexThreads {
  const [writing, asking] = [openCrew(1), openCrew(readers)]
  return {
    write: async (request) =>
      valueOf(await writing.run('replyTo', request, { deadlineMs: writeMs })),
    ask: async (request, deadlineMs) =>
      valueOf(await asking.run('replyTo', request, { deadlineMs })),
    close: async () => {
      await Promise.all([writing.close(), asking.close()])
    },
  }
}

function openCrew(max: number): Threads<typeof import('./index-thread.ts')> {
  return openThreads({ file: THREAD, max, areProcesses: true })
}

function valueOf(reply: IndexReply): never {
  if (reply.kind === 'done') return reply.value as never
  if (reply.kind === 'broken') throw new BrokenFile(reply.reason)
  throw new Error(`a search index failed: ${reply.reason}`)
}
