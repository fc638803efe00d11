/**
 * Long polling: requests that wait until a job is final. They use no database connection meanwhile. Where this
 * process ends the job, they are told how it ended; else the signal of its end wakes them and, since a signal can be
 * lost, they also look now and then.
 */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../store/database.ts'
import type { Signals } from '../../store/signals.ts'
import { findJob, type JobRecord } from '../../store/jobs.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { hearEnded } from './send-ended.ts'

/** How often a waiting request looks without a signal. */
const JOB_WAIT_LOOK_MS = 5_000

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

export function openJobWaits(
  { db, signals }: { db: Db; signals: Signals },
  lookMs: number = JOB_WAIT_LOOK_MS,
): JobWaits {
  const ends = openEnds({ db, signals })
  let isClosed = false
  return {
    async untilFinal(known, { waitMs, departure }) {
      if (waitMs === 0 || isFinal(known.state)) return known
      const signal = departure()
      const endsAt = performance.now() + waitMs
      let job = known
      let isLookDue = ends.isTold(known.id)
      for (;;) {
        const ended = ends.find(known.id)
        if (ended !== null) return ended
        // Listening begins before the look, so that no end falls between the two.
        const leftMs = endsAt - performance.now()
        const pauseMs = Math.max(0, Math.min(leftMs, lookMs))
        const { over, leave } = ends.listen(known.id, pauseMs, signal)
        try {
          if (isLookDue) {
            const found = await findJob(db, { accountId: known.accountId, jobId: known.id })
            if (found === null) return known
            job = found
          }
          if (isFinal(job.state) || leftMs <= 0 || isClosed || signal.aborted) return job
          const told = await over
          if (told !== null) return told
          isLookDue = true
        } finally {
          leave()
        }
      }
    },
    close() {
      isClosed = true
      ends.close()
    },
  }
}

/** So many ends are remembered, of so many bytes: what a job was asked for may be long. */
const LATELY_MAX = 256
const LATELY_BYTES_MAX = 4 * 1024 * 1024

/** `job`: as it ended; null where it has to be looked at. */
type Told = { job: JobRecord | null }
type Waker = (job: JobRecord | null) => void

/** Of the texts that callers chose, beside those whose length is fixed. */
function bytesOf({ job }: Told): number {
  const texts = job === null ? [] : [...job.urls, ...job.notices]
  return FIXED_BYTES + 2 * texts.reduce((chars, text) => chars + text.length, 0)
}

const FIXED_BYTES = 2_048

type Ends = {
  /** Whether the job's end was told lately: it may fall between a caller's look at the job and its wait. */
  isTold(jobId: string): boolean
  /** A job that ended lately in this process, as it ended. */
  find(jobId: string): JobRecord | null
  /** Until the job's end is told, `ms` are over, the signal aborts or the listener leaves. */
  listen(
    jobId: string,
    ms: number,
    signal: AbortSignal,
  ): { over: Promise<JobRecord | null>; leave(): void }
  /** Wakes all. */
  close(): void
}

function openEnds({ db, signals }: { db: Db; signals: Signals }): Ends {
  const wakers = new Map<string, Set<Waker>>()
  const lately = new LRUCache<string, Told>({
    max: LATELY_MAX,
    maxSize: LATELY_BYTES_MAX,
    sizeCalculation: bytesOf,
  })

  const wakeAll = (): void => {
    for (const set of wakers.values()) for (const waker of set) waker(null)
  }
  const wake = (jobId: string, job: JobRecord | null): void => {
    for (const waker of wakers.get(jobId) ?? []) waker(job)
    lately.set(jobId, { job: job ?? lately.get(jobId)?.job ?? null })
  }
  const stops = [
    hearEnded(db, (job) => wake(job.id, job)),
    signals.on('scriptorium_job', (jobId) => (jobId === null ? wakeAll() : wake(jobId, null))),
  ]
  return {
    isTold: (jobId) => lately.has(jobId),
    find: (jobId) => lately.get(jobId)?.job ?? null,
    listen(jobId, ms, signal) {
      const { promise: over, resolve } = Promise.withResolvers<JobRecord | null>()
      const set = wakers.get(jobId) ?? new Set()
      wakers.set(jobId, set)
      const waker: Waker = (job) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        set.delete(waker)
        if (set.size === 0 && wakers.get(jobId) === set) wakers.delete(jobId)
        resolve(job)
      }
      const leave = (): void => waker(null)
      const timer = setTimeout(leave, ms)
      signal.addEventListener('abort', leave)
      set.add(waker)
      return { over, leave }
    },
    close() {
      for (const stop of stops) stop()
      wakeAll()
    },
  }
}
