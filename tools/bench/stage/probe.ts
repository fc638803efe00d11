/** Preloaded into a process of the service (`--import`): answers its parent what the process used. */
import pg from 'pg'
import { spentMs } from './cpu.ts'

export type Usage = {
  /** User and system time of the process since its start, all threads. */
  cpuMs: number
  rssBytes: number
  /** SQL statements sent since its start, the queue's housekeeping and polling left out. */
  statements: number
}

/** The queue's own connections bear this name. */
const QUEUE = /queue/
let statements = 0

countStatements()
process.on('message', () => process.send?.(usage()))
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')) // it must not outlive the benchmark
process.channel?.unref()

export function usage(): Usage {
  return { cpuMs: spentMs(), rssBytes: process.memoryUsage.rss(), statements }
}

function countStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function counting(
    this: { connectionParameters?: { application_name?: string } },
    ...given
  ) {
    if (!QUEUE.test(this.connectionParameters?.application_name ?? '')) statements += 1
    return query.apply(this, given)
  }
}
