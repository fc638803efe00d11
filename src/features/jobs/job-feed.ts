/**
 * The job feed: tells callers of this process what becomes of jobs. A caller follows a job, or waits until it is final:
 * that is following without the rows. Its way through a job has three phases:
 *
 *     backfill  rows after its position are read from the tables, a page at a time, as fast as it takes them
 *     cutover   it is on the feed before the job is read once more, and rests only while nothing came since what it was
 *               told last: so nothing is missed. Rows are numbered in order of completion: so none is told twice.
 *     stream    it is woken by the signal of the job's end, and by a look once a second, which is the floor
 *
 * One look is for all callers of the process. Nothing is looked at where there are none.
 */
import type { Logger } from 'pino'
import type pg from 'pg'
import { LIMITS } from '../../config/config.ts'
import { startLoop } from '../../kit/loop.ts'
import { isDatabaseAway } from '../../kit/postgres/database.ts'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { isJobDue, isLater, type JobProgress } from '../../model/jobs/job-events.ts'
import type { Db } from '../../store/database.ts'
import { findJob, type JobRecord } from '../../store/jobs.ts'
import type { Signals } from '../../store/signals.ts'
import { type FinishedRow, listFinished } from '../../store/video-rows.ts'
import { findLiveKeys, findWatchedJobs, readLooks } from '../../store/watched-jobs.ts'

const LOOK_MS = 1_000
/**
 * Number of followers of one process, over all accounts: with the connection each takes some 80 KB. The second half is
 * for accounts that follow nothing yet.
 */
const FOLLOWERS_MAX = 5_000
/** Number of jobs that are read whole in one statement. */
const MOVED_JOBS_AT_ONCE = 50
/** Number of rows that are read and written at once, which is what a slow reader holds. */
const FOLLOWED_ROWS_AT_ONCE = 50
/** Number of callers that write in one turn of the event loop. */
const WOKEN_AT_ONCE = 50

/**
 * A change of a job. `rows` finished after the first `after`; `quiet` means that nothing was told for `heartbeatMs`;
 * `end` that the job is final and all its rows were told.
 */
export type JobChange =
  | { kind: 'job' | 'end'; job: JobRecord }
  | { kind: 'rows'; job: JobRecord; after: number; rows: FinishedRow[] }
  | { kind: 'quiet' }

/** A wait; `departure` is called only where the request does wait, since most ask for no wait. */
type JobWait = { waitMs: number; departure: () => AbortSignal }

export type JobFeed = {
  /**
   * Yields what becomes of a job after its first `after` rows. It ends with the job, or without an `end` where the key
   * is not good any more, `departure` aborts, the job is gone or the process stops. Nothing is read before the last
   * change was taken. Returns null where the account, or the process, has as many followers as it may. `job` was read
   * at this moment.
   */
  follow(
    job: JobRecord,
    caller: { after: number; keyId: string; departure: AbortSignal },
  ): AsyncGenerator<JobChange> | null
  /**
   * Returns the job as soon as it is final, or as it is when `waitMs` are over, `departure` aborts (the client left) or
   * the process stops. No connection of the database is held meanwhile. Nothing is read where the job is final already.
   */
  untilFinal(job: JobRecord, wait: JobWait): Promise<JobRecord>
  /** Ends all following and waiting of the moment: jobs may have gone back, and rows are numbered anew. */
  restart(): void
  /** Ends all following and waiting; callers that come later get an end at once. */
  close(): void
}

type Input = {
  db: Db
  pool: pg.Pool
  signals: Signals
  log: Logger
  /** Called with the number of followers whenever that changes. */
  onCount(followers: number): void
  /** Number of followers that one account may have at this process. */
  ofAccountMax: number
  /** How often jobs are looked at, and after which silence followers are told that it is quiet; tests shorten both. */
  lookMs?: number | undefined
  heartbeatMs?: number
}

/** A job that the feed watches, and the callers that are told. */
type Watch = {
  job: JobRecord
  callers: Set<Caller>
}

type Caller = {
  watch: Watch
  /** The key of a follower; null for a request that waits. */
  keyId: string | null
  /** True where nothing more is to be told. */
  isOver: boolean
  /** When the caller goes on although the job has not moved. */
  wakesAt: number
  wake(): void
  /** Takes the caller off the feed; to be called at the end, whatever the reason; safe to repeat. */
  leave: () => void
}

export function openJobFeed(input: Input): JobFeed {
  const { db, ofAccountMax, heartbeatMs = LIMITS.heartbeatMs } = input
  const { followers, join, restart, close } = openWatches(input)
  return {
    follow(job, { after, keyId, departure }) {
      const own = [...followers].filter((one) => one.watch.job.accountId === job.accountId).length
      const max = own === 0 ? FOLLOWERS_MAX : FOLLOWERS_MAX / 2
      if (followers.size >= max || own >= ofAccountMax) return null
      return changesOf(join(job, keyId, departure), { after, db, heartbeatMs })
    },
    async untilFinal(known, { waitMs, departure }) {
      if (waitMs === 0 || isFinal(known.state)) return known
      const leaving = departure()
      const caller = join(known, null, leaving)
      const timer = setTimeout(caller.leave, waitMs)
      for (let seen = known; !caller.isOver && !isFinal(seen.state); seen = caller.watch.job)
        await untilNews(caller, seen)
      clearTimeout(timer)
      caller.leave()
      const { job } = caller.watch
      if (isFinal(job.state) || leaving.aborted) return job
      return (await findJob(db, { accountId: job.accountId, jobId: job.id })) ?? job
    },
    restart,
    close,
  }
}

/** Opens the watches: the jobs of which callers wait for news, looked at together, and read when they have moved. */
function openWatches({ pool, signals, log, onCount, lookMs = LOOK_MS }: Input) {
  const watches = new Map<string, Watch>()
  const followers = new Set<Caller>()
  const closing = new AbortController()

  /** Looks at all jobs that callers wait for. What fails is done again by the next look. */
  async function look(): Promise<void> {
    const all = [...watches.values()]
    if (all.length === 0) return
    await endRevoked(pool, [...followers])
    await refresh(await findMoved(pool, all))
    const now = performance.now()
    await wakeAll(all.flatMap(({ callers }) => [...callers].filter((one) => one.wakesAt <= now)))
  }

  /** Reads these jobs whole and wakes their callers. */
  async function refresh(jobIds: string[]): Promise<void> {
    for (const some of batchesOf(jobIds, MOVED_JOBS_AT_ONCE))
      for (const job of await findWatchedJobs(pool, some)) await update(watches.get(job.id), job)
  }

  const report = (error: unknown): void => {
    if (!isDatabaseAway(error)) log.error({ err: error }, 'looking at followed jobs failed')
  }
  const looking = startLoop(look, { everyMs: lookMs, signal: closing.signal, onError: report })
  const stopListening = signals.on('scriptorium_job', (jobId) => {
    if (jobId === null) looking.wake()
    else if (watches.has(jobId)) void refresh([jobId]).catch(report)
  })

  function join(job: JobRecord, keyId: string | null, departure: AbortSignal): Caller {
    const watch = watches.get(job.id) ?? { job, callers: new Set() }
    const isOver = closing.signal.aborted || departure.aborted
    const leave = (): void => {
      end(caller)
      const isLast = watch.callers.delete(caller) && watch.callers.size === 0
      if (isLast && watches.get(job.id) === watch) watches.delete(job.id)
      if (followers.delete(caller)) onCount(followers.size)
    }
    const wake = (): void => undefined
    const caller: Caller = { watch, keyId, isOver, wakesAt: Infinity, wake, leave }
    watches.set(job.id, watch)
    watch.callers.add(caller)
    if (keyId !== null) onCount(followers.add(caller).size)
    departure.addEventListener('abort', leave)
    void update(watch, job)
    // Cutover: something may have come since the caller read the job.
    if (!isFinal(watch.job.state)) void refresh([job.id]).catch(report)
    return caller
  }

  function restart(): void {
    for (const { callers } of watches.values()) callers.forEach(end)
    watches.clear() // so that what comes now is not measured by how far a job was
  }

  function close(): void {
    closing.abort()
    stopListening()
    restart()
  }
  return { followers, join, restart, close }
}

/** Yields the three phases of a follower that has had the first `after` rows. */
async function* changesOf(
  caller: Caller,
  given: { after: number; db: Db; heartbeatMs: number },
): AsyncGenerator<JobChange> {
  const { watch } = caller
  let told: JobProgress | null = null
  let { after } = given
  try {
    while (!caller.isOver) {
      const { job } = watch
      let isQuiet = true
      if (isJobDue(job, told)) {
        yield { kind: 'job', job }
        told = job
        isQuiet = false
      }
      // Backfill at first, then what is new.
      while (after < job.processed && !caller.isOver) {
        const rows = await rowsAfter(given.db, job, after)
        if (rows.length === 0) break
        yield { kind: 'rows', job, after, rows }
        after += rows.length
        isQuiet = false
      }
      const isBehind = after < job.processed // the next look tries again
      if (isFinal(job.state) && !isBehind) return yield { kind: 'end', job }
      if (isQuiet) yield { kind: 'quiet' }
      await untilNews(caller, job, isBehind ? 0 : performance.now() + given.heartbeatMs)
    }
  } finally {
    caller.leave()
  }
}

/** Resolves when the job is not as it was `seen`, when a look comes after `wakesAt`, or when it is over. */
function untilNews(caller: Caller, seen: JobRecord, wakesAt = Infinity): Promise<void> {
  if (caller.isOver || caller.watch.job !== seen) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  Object.assign(caller, { wakesAt, wake: resolve })
  return promise
}

/** Returns a page of the rows that finished after the first `after`; none while the database is away. */
function rowsAfter(
  db: Db,
  { id: jobId, processed }: JobRecord,
  after: number,
): Promise<FinishedRow[]> {
  const limit = FOLLOWED_ROWS_AT_ONCE
  // Rows of a final job are in order of completion, too: that is what event ids count.
  const rows = listFinished(db, { jobId, isFinal: false, processed, offset: after, limit })
  return rows.catch((error: unknown) => {
    if (isDatabaseAway(error)) return []
    throw error
  })
}

/** Takes up what was read of the job, unless something later is known already. */
async function update(watch: Watch | undefined, job: JobRecord): Promise<void> {
  if (watch === undefined || !isLater(job, watch.job)) return
  watch.job = job
  await wakeAll([...watch.callers])
}

function end(caller: Caller): void {
  caller.isOver = true
  caller.wake()
}

async function wakeAll(callers: Caller[]): Promise<void> {
  for (const some of batchesOf(callers, WOKEN_AT_ONCE)) {
    for (const caller of some) caller.wake()
    if (some.length === WOKEN_AT_ONCE) await yieldToEventLoop()
  }
}

/** Ends the followers whose key is not good any more. */
async function endRevoked(pool: pg.Pool, followers: Caller[]): Promise<void> {
  const keyIds = new Set(followers.flatMap(({ keyId }) => keyId ?? []))
  if (keyIds.size === 0) return
  const live = await findLiveKeys(pool, [...keyIds])
  for (const follower of followers) if (!live.has(follower.keyId ?? '')) end(follower)
}

/** Returns the ids of jobs that have moved since they were seen. Callers of a job that is gone are ended. */
async function findMoved(pool: pg.Pool, watches: Watch[]): Promise<string[]> {
  const jobIds = watches.map(({ job }) => job.id)
  const seen = new Map((await readLooks(pool, jobIds)).map((job) => [job.id, job]))
  return watches.flatMap(({ job, callers }) => {
    const now = seen.get(job.id)
    if (now === undefined) callers.forEach(end)
    return now !== undefined && isLater(now, job) ? [job.id] : []
  })
}

function batchesOf<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
