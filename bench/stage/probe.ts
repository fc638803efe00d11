/**
 * Preloaded into a process of the service (`--import`): answers its parent what the process used, and
 * takes a CPU profile of it.
 */
import { Session } from 'node:inspector/promises'
import pg from 'pg'
import type { CpuProfile } from './cpu-profile.ts'

export type Usage = {
  /** User and system time of the process since its start, all threads. */
  cpuMs: number
  rssBytes: number
  heapBytes: number
  /** SQL statements sent since its start, the queue's housekeeping and polling left out. */
  statements: number
}

const SAMPLING_MICROS = 500
/** The queue's own connections bear this name. */
const QUEUE = /queue/
let statements = 0
let inspector: Session | null = null

const answers: Record<string, () => unknown> = {
  usage,
  'start profile': startProfile,
  'stop profile': stopProfile,
}

countStatements()
process.on('message', (question: string) => void answer(question))
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')) // it must not outlive the benchmark
process.channel?.unref()

async function answer(question: string): Promise<void> {
  process.send?.((await answers[question]?.()) ?? null)
}

export function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuMs: (user + system) / 1000, rssBytes: rss, heapBytes: heapUsed, statements }
}

export async function startProfile(): Promise<void> {
  inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS })
  await inspector.post('Profiler.start')
}

export async function stopProfile(): Promise<CpuProfile> {
  if (inspector === null) throw new Error('no profile was started')
  const { profile } = await inspector.post('Profiler.stop')
  inspector.disconnect()
  return profile as CpuProfile
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
