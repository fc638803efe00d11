/**
 * Counts what each account makes a worker do, in memory, and adds it to the database every few seconds: accounting that
 * costs nothing per video, and may lose those seconds in a crash.
 *
 * CPU time is not measured per account, since the work of many jobs takes turns on one thread. The process's whole CPU
 * time (all threads) between two flushes is divided by what was received for each account in them; each request counts
 * as REQUEST_BYTES besides its bytes.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { addUsage, type Usage } from '../../store/account-usage.ts'
import type { Db } from '../../store/database.ts'

export type UsageMeter = ReturnType<typeof createUsageMeter>

/** Cost of reading and answering a request beside its bytes, in bytes. */
const REQUEST_BYTES = 4_096
const MICROS_PER_MS = 1_000

export function createUsageMeter(cpuMicros: () => number = processCpuMicros) {
  const accounts = new AsyncLocalStorage<string>()
  let counted = new Map<string, Usage>()
  let flushedCpu = cpuMicros()

  /**
   * Counts for the current account. A request for no account, such as one for a shared session identity, is not
   * counted.
   */
  function add(more: Partial<Usage>): void {
    const accountId = accounts.getStore()
    if (accountId !== undefined) merge(counted, accountId, { ...NOTHING, ...more })
  }

  return {
    /** Runs `work`; everything counted in it, however late, is the account's. */
    onBehalfOf: <T>(accountId: string, work: () => Promise<T>) => accounts.run(accountId, work),
    /** Counts a request to the platform and the bytes of its reply. */
    countRequest: (receivedBytes: number) => add({ calls: 1, receivedBytes }),
    /** Counts the bytes of a transcript that was recorded. */
    countStored: (storedBytes: number) => add({ storedBytes }),
    /** Adds the counts to the database. After a failure they are added with the next flush. */
    async flush(db: Db): Promise<void> {
      const cpu = cpuMicros()
      const used = shareCpu(counted, (cpu - flushedCpu) / MICROS_PER_MS)
      flushedCpu = cpu
      counted = new Map()
      try {
        await addUsage(db, used)
      } catch (error) {
        for (const [accountId, usage] of used) merge(counted, accountId, usage)
        throw error
      }
    },
  }
}

const NOTHING: Usage = { calls: 0, receivedBytes: 0, cpuMs: 0, storedBytes: 0 }

function merge(into: Map<string, Usage>, accountId: string, more: Usage): void {
  const before = into.get(accountId) ?? NOTHING
  into.set(accountId, {
    calls: before.calls + more.calls,
    receivedBytes: before.receivedBytes + more.receivedBytes,
    cpuMs: before.cpuMs + more.cpuMs,
    storedBytes: before.storedBytes + more.storedBytes,
  })
}

/** Divides the CPU time. That of a pause without requests is charged to no account. */
function shareCpu(counted: ReadonlyMap<string, Usage>, cpuMs: number): Map<string, Usage> {
  const weightOf = ({ receivedBytes, calls }: Usage) => receivedBytes + calls * REQUEST_BYTES
  const whole = counted.values().reduce((sum, usage) => sum + weightOf(usage), 0)
  const shared = counted.entries().map(([accountId, usage]): [string, Usage] => {
    const share = whole === 0 ? 0 : (cpuMs * weightOf(usage)) / whole
    return [accountId, { ...usage, cpuMs: usage.cpuMs + share }]
  })
  return new Map(shared)
}

function processCpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
