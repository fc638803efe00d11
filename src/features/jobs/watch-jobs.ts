/**
 * Following jobs: those who are told what becomes of a job as it happens. All followers of a process
 * share one look a second at the jobs they follow, and what was read for one is there for the others;
 * nothing is looked at where nobody follows. The signal of a job's end brings the look at it forward.
 */
import type { Logger } from 'pino'
import type pg from 'pg'
import { LIMITS } from '../../kit/config/config.ts'
import { isDatabaseAway } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import type { Signals } from '../../store/signals.ts'
import type { JobRecord } from '../../store/jobs.ts'
import { findWatchedJobs, findLiveKeys, lookAtJobs } from '../../store/watched-jobs.ts'
import { isLater } from '../../model/jobs/job-events.ts'
import {
  end,
  follow,
  impatientOf,
  type JobFollower,
  update,
  wakeAll,
  type Watch,
  type WatchPace,
} from './watch-job.ts'

/** How often a process looks at the jobs that somebody follows. */
const WATCH_LOOK_MS = 1_000
/** Followers of one process, over all accounts: with the connection some 80 KB each. */
const FOLLOWERS_MAX = 5_000
/** Jobs, and keys, asked about in one statement; jobs read whole in one. */
const WATCHED_AT_ONCE = 1_000
const MOVED_JOBS_AT_ONCE = 50

export type JobWatches = {
  /** Null where the account, or the process, has as many followers as it may. `job` was read just now. */
  follow(job: JobRecord, keyId: string): JobFollower | null
  /** Ends all followers; for those who come later it is over at once. */
  close(): void
}

type Input = {
  db: Db
  pool: pg.Pool
  signals: Signals
  log: Logger
  /** Is told how many followers there are whenever that changes. */
  onCount(followers: number): void
  /** Followers of one account at this process. */
  ofAccountMax: number
  /** Tests hurry. */
  pace?: WatchPace
}

const PACE: WatchPace = { lookMs: WATCH_LOOK_MS, heartbeatMs: LIMITS.heartbeatMs }

export function openJobWatches(input: Input): JobWatches {
  const { db, pool, signals, pace = PACE } = input
  const watches = new Map<string, Watch>()
  const room = openRoom(input)
  const clock = openClock({ everyMs: pace.lookMs, isNeeded: () => watches.size > 0, look })
  let isClosed = false

  /** Everything that any follower waits for. What fails is done again by the next look. */
  async function look(): Promise<void> {
    await orLog(input.log, async () => {
      const all = [...watches.values()]
      for (const watch of all) watch.pages.clear()
      await endRevoked(pool, all)
      await refresh(await findMoved(pool, all))
      for (const watch of all) await wakeAll(impatientOf(watch, pace))
    })
  }

  /** Reads these jobs whole and tells their followers. */
  async function refresh(jobIds: string[]): Promise<void> {
    for (const some of batchesOf(jobIds, MOVED_JOBS_AT_ONCE)) {
      for (const job of await findWatchedJobs(pool, some)) {
        const watch = watches.get(job.id)
        if (watch !== undefined && update(watch, job)) await wakeAll(watch.waiting)
      }
    }
  }

  // Null: signals may have been lost, but a look comes within a second anyhow.
  const stopListening = signals.on('scriptorium_job', async (jobId) => {
    if (jobId !== null && watches.has(jobId)) await orLog(input.log, () => refresh([jobId]))
  })

  function leave({ job, waiting }: Watch): void {
    room.giveBack(job.accountId)
    if (waiting.size === 0) watches.delete(job.id)
    if (watches.size === 0) clock.stop()
  }

  return {
    follow(job, keyId) {
      if (!room.take(job.accountId)) return null
      const watch = watches.get(job.id) ?? { job, waiting: new Set(), pages: new Map() }
      watches.set(job.id, watch)
      if (update(watch, job)) void wakeAll(watch.waiting)
      if (!isClosed) clock.start()
      return follow(watch, { keyId, db, isOver: isClosed, leave: () => leave(watch) })
    },
    close() {
      isClosed = true
      stopListening()
      clock.stop()
      for (const { waiting } of watches.values()) for (const follower of waiting) end(follower)
    },
  }
}

/** Looks again and again, each time so long after the last one, until it is stopped or not needed. */
function openClock({
  everyMs,
  isNeeded,
  look,
}: {
  everyMs: number
  isNeeded: () => boolean
  look: () => Promise<void>
}) {
  let timer: NodeJS.Timeout | null = null
  let isLooking = false
  let isStopped = true
  const tick = async (): Promise<void> => {
    timer = null
    isLooking = true
    await look()
    isLooking = false
    plan()
  }
  const plan = (): void => {
    if (isStopped || isLooking || timer !== null || !isNeeded()) return
    timer = setTimeout(() => void tick(), everyMs).unref()
  }
  return {
    /** Safe to repeat. */
    start(): void {
      isStopped = false
      plan()
    },
    stop(): void {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

async function orLog(log: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isDatabaseAway(error)) log.error({ err: error }, 'looking at followed jobs failed')
  }
}

/** How many may follow: each holds a connection and some memory of this process. */
function openRoom({ ofAccountMax, onCount }: Pick<Input, 'ofAccountMax' | 'onCount'>) {
  const ofAccounts = new Map<string, number>()
  let followers = 0
  function count(accountId: string, change: 1 | -1): void {
    onCount((followers += change))
    const left = (ofAccounts.get(accountId) ?? 0) + change
    if (left > 0) ofAccounts.set(accountId, left)
    else ofAccounts.delete(accountId)
  }
  return {
    /** False where there is none left. */
    take(accountId: string): boolean {
      if (followers >= FOLLOWERS_MAX) return false
      if ((ofAccounts.get(accountId) ?? 0) >= ofAccountMax) return false
      count(accountId, 1)
      return true
    },
    giveBack: (accountId: string): void => count(accountId, -1),
  }
}

/** Ends the followers whose key is not good any more. */
async function endRevoked(pool: pg.Pool, watches: Watch[]): Promise<void> {
  const all = watches.flatMap(({ waiting }) => [...waiting])
  const keyIds = [...new Set(all.map(({ keyId }) => keyId))]
  const dead = new Set<string>()
  for (const some of batchesOf(keyIds, WATCHED_AT_ONCE)) {
    const live = await findLiveKeys(pool, some)
    for (const keyId of some) if (!live.has(keyId)) dead.add(keyId)
  }
  for (const follower of all) if (dead.has(follower.keyId)) end(follower)
}

/** The ids of jobs that have moved since they were seen. Followers of one that is gone are ended. */
async function findMoved(pool: pg.Pool, watches: Watch[]): Promise<string[]> {
  const moved: string[] = []
  for (const some of batchesOf(watches, WATCHED_AT_ONCE)) {
    const jobIds = some.map(({ job }) => job.id)
    const seen = new Map((await lookAtJobs(pool, jobIds)).map((job) => [job.id, job]))
    for (const { job, waiting } of some) {
      const now = seen.get(job.id)
      if (now === undefined) for (const follower of waiting) end(follower)
      else if (isLater(now, job)) moved.push(job.id)
    }
  }
  return moved
}

function batchesOf<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
