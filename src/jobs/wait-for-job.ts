/**
 * Long polling: requests that wait until a job is final. They use no database connection meanwhile:
 * the signal of the job's end wakes them and, since a signal can be lost, they also look now and then.
 */
import { LIMITS } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import type { Signals } from '../postgres/signals.ts'
import { findJob, type JobRecord } from '../store/jobs.ts'
import { isFinal } from './job.ts'

/** `departure` is called only by those who do wait: most requests ask for no wait. */
export type JobWait = { waitMs: number; departure: () => AbortSignal }

export type JobWaits = {
  /**
   * The job as soon as it is final, or as it is when `waitMs` are over, `departure` aborts (the client
   * left) or the server stops. Nothing is asked where `waitMs` is zero or the job is final already.
   */
  untilFinal(job: JobRecord, wait: JobWait): Promise<JobRecord>
  /** Wakes all waiting requests; later ones do not wait. */
  close(): void
}

export function openJobWaits({ db, signals }: { db: Db; signals: Signals }): JobWaits {
  const wakers = new Map<string, Set<() => void>>()
  let isClosed = false
  const wake = (jobId: string | null): void => {
    const woken = jobId === null ? [...wakers.values()] : [wakers.get(jobId) ?? []]
    for (const set of woken) for (const waker of set) waker()
  }
  const leave = signals.on('scriptorium_job', wake)

  /** Lasts until the job's next signal, `ms` at most, or until it is ended. */
  function waitForSignal(
    jobId: string,
    ms: number,
    signal: AbortSignal,
  ): { over: Promise<void>; end(): void } {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const set = wakers.get(jobId) ?? new Set()
    wakers.set(jobId, set)
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      set.delete(end)
      if (set.size === 0 && wakers.get(jobId) === set) wakers.delete(jobId)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    set.add(end)
    return { over, end }
  }

  return {
    async untilFinal(known, { waitMs, departure }) {
      if (waitMs === 0 || isFinal(known.state)) return known
      const signal = departure()
      const endsAt = performance.now() + waitMs
      for (;;) {
        // Listening begins before the look, so that no end falls between the two.
        const leftMs = endsAt - performance.now()
        const pauseMs = Math.max(0, Math.min(leftMs, LIMITS.jobWaitLookMs))
        const { over, end } = waitForSignal(known.id, pauseMs, signal)
        try {
          const job = await findJob(db, { accountId: known.accountId, jobId: known.id })
          if (job === null) return known
          if (isFinal(job.state) || leftMs <= 0 || isClosed || signal.aborted) return job
          await over
        } finally {
          end()
        }
      }
    },
    close() {
      isClosed = true
      leave()
      wake(null)
    },
  }
}
