/**
 * The real service, started for a benchmark, which besides tells what its process used, and takes a
 * CPU profile of it when asked.
 */
import { Session } from 'node:inspector/promises'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/serve.ts'
import type { CpuProfile } from './cpu-profile.ts'

export type Usage = {
  /** User and system time of the process since its start, all threads. */
  cpuMs: number
  rssBytes: number
  heapBytes: number
  /** SQL statements sent since its start, the queue's housekeeping and polling left out. */
  statements: number
}

export type ServiceProcess = {
  /** Of the API: `http://127.0.0.1:PORT`; '' for a worker. */
  address: string
  usage(): Promise<Usage>
  /** The CPU profile of the process while `work` lasts. */
  profile<T>(work: () => Promise<T>): Promise<{ result: T; profile: CpuProfile }>
  close(): Promise<void>
}

const SAMPLING_MICROS = 500
/** The queue's own connections bear this name. */
const QUEUE = /queue/
const counted = { statements: 0, isCounting: false }

/** In this process. */
export async function hostService(env: Record<string, string | undefined>): Promise<ServiceProcess> {
  if (!counted.isCounting) countStatements()
  const service = await startService(readConfig(env))
  let closing: Promise<void> | null = null
  return {
    address: service.address ?? '',
    async usage() {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      return { cpuMs: (user + system) / 1000, rssBytes: rss, heapBytes: heapUsed, statements: counted.statements }
    },
    async profile(work) {
      const inspector = new Session()
      inspector.connect()
      await inspector.post('Profiler.enable')
      await inspector.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS })
      await inspector.post('Profiler.start')
      const result = await work()
      const { profile } = await inspector.post('Profiler.stop')
      inspector.disconnect()
      return { result, profile: profile as CpuProfile }
    },
    close: () => (closing ??= service.close()),
  }
}

function countStatements(): void {
  counted.isCounting = true
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function counting(this: { connectionParameters?: { application_name?: string } }, ...given) {
    if (!QUEUE.test(this.connectionParameters?.application_name ?? '')) counted.statements += 1
    return query.apply(this, given)
  }
}
