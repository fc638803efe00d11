/** The jobs that this worker holds, each with its attempt, its place and the way to stop it. */
import { openStop, type Stop, type StopKind } from './stop.ts'
import type { Attempt } from '../model/jobs/attempt.ts'
import { isFinal, type JobState } from '../model/jobs/job.ts'
import { chooseParked, type Next } from '../model/jobs/parking.ts'

/** A commit that a run has just made: a `page` of planning, a `row` without a transcript, or a `delivery`. */
export type Step = 'page' | 'row' | 'delivery'

/**
 * A job's place in a worker, held until the job ends or is parked. A parked job leaves its place after its next commit,
 * and never before its first.
 */
export type Place = {
  /** Aborted when the place is given up: work in flight may end, nothing new begins. */
  readonly over: AbortSignal
  /** True where the place is to be given up; `over` is aborted as soon as something was committed. */
  readonly isParking: boolean
  /** True where a page was recorded and nothing delivered since. */
  readonly isListing: boolean
  /** Milliseconds since the last delivery, or since the start. */
  readonly undeliveredMs: number
  /** How long the job is laid aside, in milliseconds; 0 where it may go on as soon as there is a place. */
  readonly asideMs: number
  committed(step: Step): void
  park(): void
  /** Gives the place up at once, since the job can do nothing for that long. */
  layAside(forMs: number): void
}

/** Opens a place. `clock` counts milliseconds. */
export function openPlace(clock: () => number): Place {
  const over = new AbortController()
  let sinceMs = clock()
  let asideMs = 0
  let [isParking, isListing, hasCommitted] = [false, false, false]
  const endIfDue = (): void => {
    if (isParking && hasCommitted) over.abort(new Error('the job is parked'))
  }
  return {
    over: over.signal,
    get isParking() {
      return isParking
    },
    get isListing() {
      return isListing
    },
    get undeliveredMs() {
      return clock() - sinceMs
    },
    get asideMs() {
      return asideMs
    },
    committed(step) {
      hasCommitted = true
      if (step === 'page') isListing = true
      if (step === 'delivery') [sinceMs, isListing] = [clock(), false]
      endIfDue()
    },
    park() {
      isParking = true
      endIfDue()
    },
    layAside(forMs) {
      asideMs = Math.max(asideMs, forMs)
      isParking = true
      over.abort(new Error('the job is laid aside'))
    },
  }
}

export type HeldJob = { attempt: Attempt; stop: Stop; place: Place; done: Promise<void> }

/** Word of the database on a job. */
export type WatchedJob = { id: string; state: JobState; attempt: number; isHeld: boolean }

export type HeldJobs = {
  readonly size: number
  readonly all: HeldJob[]
  /** Keeps a job until `work` has ended, and calls `onEnd` then. */
  add(attempt: Attempt, work: (held: HeldJob) => Promise<void>, onEnd: () => void): void
  /** Returns the accounts that hold half of this worker's places, which is all that one account may have. */
  fullAccounts(places: number): string[]
  /** Parks one job to make room for the next in line. Returns it, or null where no job is parked. */
  park(next: Next): HeldJob | null
  /**
   * Stops the jobs (or only the named one) that were cancelled, ended by an operator or taken by another attempt. Calls
   * `read` at most once.
   */
  watch(read: (jobIds: string[]) => Promise<WatchedJob[]>, onlyJobId?: string | null): Promise<void>
}

/** Opens the collection of held jobs. `clock` counts milliseconds. */
export function openHeldJobs(clock: () => number): HeldJobs {
  const jobs = new Map<string, HeldJob>()
  const all = (): HeldJob[] => [...jobs.values()]
  return {
    get size() {
      return jobs.size
    },
    get all() {
      return all()
    },
    add(attempt, work, onEnd) {
      const held: HeldJob = {
        attempt,
        stop: openStop(),
        place: openPlace(clock),
        done: Promise.resolve(),
      }
      // A job that is claimed again was taken back from this worker, which had stalled: its earlier run is outdated.
      jobs.get(attempt.jobId)?.stop.because('fenced_off')
      jobs.set(attempt.jobId, held)
      held.done = work(held).finally(() => {
        if (jobs.get(attempt.jobId) === held) jobs.delete(attempt.jobId)
        onEnd()
      })
    },
    fullAccounts(places) {
      const staying = all().filter(({ place }) => !place.isParking)
      const byAccount = Map.groupBy(staying, ({ attempt }) => attempt.accountId)
      return [...byAccount]
        .filter(([, held]) => held.length >= Math.ceil(places / 2))
        .map(([accountId]) => accountId)
    },
    park(next) {
      const holders = all().map((held) => {
        return { held, accountId: held.attempt.accountId, ...held.place }
      })
      const parked = chooseParked(holders, next)?.held ?? null
      parked?.place.park()
      return parked
    },
    async watch(read, onlyJobId = null) {
      const watched = all().filter(({ attempt }) => (onlyJobId ?? attempt.jobId) === attempt.jobId)
      if (watched.length === 0) return
      const found = await read(watched.map(({ attempt }) => attempt.jobId))
      const byId = new Map(found.map((job) => [job.id, job]))
      for (const { attempt, stop } of watched) {
        const kind = stopFor(byId.get(attempt.jobId), attempt)
        if (kind !== null) stop.because(kind)
      }
    },
  }
}

/** Returns why the attempt has to stop; null where it goes on. */
function stopFor(job: WatchedJob | undefined, attempt: Attempt): StopKind | null {
  if (job === undefined || job.attempt !== attempt.number) return 'fenced_off'
  if (isFinal(job.state)) return 'ended'
  if (!job.isHeld) return 'fenced_off' // another worker took it back, since its heartbeat stood still
  return job.state === 'cancelling' ? 'cancelled' : null
}
