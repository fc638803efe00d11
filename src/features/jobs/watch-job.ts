/** One followed job: what is known of it in this process, and its followers, who wait for more. */
import { isDatabaseAway } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import type { JobRecord } from '../../store/jobs.ts'
import { type FinishedRow, listFinished } from '../../store/video-rows.ts'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import { isLater } from '../../model/jobs/job-events.ts'

/** Rows that are read and written at once: what a slow reader holds. */
const FOLLOWED_ROWS_AT_ONCE = 50
/** Followers that write in one turn of the event loop. */
const WOKEN_AT_ONCE = 50

export type JobFollower = {
  /** The job as it was seen last. */
  readonly job: JobRecord
  /** Nothing more is to be told: its key ended, its client left, the job is gone or the process stops. */
  readonly isOver: boolean
  /**
   * Resolves when the job has moved since it was `seen`, when nothing was told for the pace's `heartbeatMs`,
   * or when it is over.
   */
  untilNews(seen: JobRecord): Promise<void>
  /** A page of the rows that finished after the first `after`; empty while the database is away. */
  rowsAfter(after: number): Promise<FinishedRow[]>
  /** To be called at the end, whatever the reason; safe to repeat. */
  leave(): void
}

/** How often jobs are looked at, and when those who were told nothing are woken. */
export type WatchPace = { lookMs: number; heartbeatMs: number }

export type Watch = {
  job: JobRecord
  waiting: Set<Follower>
  /** Pages of its rows that were read since the last look, by the row they begin after. */
  pages: Map<number, Promise<FinishedRow[]>>
}

/** A follower as its watch knows it. */
export type Follower = {
  keyId: string
  isOver: boolean
  /** Where a page could not be read, the next look wakes it to try again. */
  isBehind: boolean
  /** Ends its wait; null while it has something to tell, or its client does not read. */
  wake: (() => void) | null
  waitingSince: number
}

/** A follower of the watch, until it leaves. */
export function follow(
  watch: Watch,
  { keyId, isOver, db, leave }: { keyId: string; isOver: boolean; db: Db; leave: () => void },
): JobFollower {
  const own: Follower = { keyId, isOver, isBehind: false, wake: null, waitingSince: 0 }
  watch.waiting.add(own)
  return {
    get job() {
      return watch.job
    },
    get isOver() {
      return own.isOver
    },
    untilNews(seen) {
      // What came while the last was being told is news already.
      if (own.isOver || watch.job !== seen) return Promise.resolve()
      own.waitingSince = performance.now()
      const { promise, resolve } = Promise.withResolvers<void>()
      own.wake = resolve
      return promise
    },
    async rowsAfter(after) {
      try {
        own.isBehind = false
        return await pageOf(watch, after, db)
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        own.isBehind = true
        return []
      }
    },
    leave() {
      end(own)
      if (watch.waiting.delete(own)) leave()
    },
  }
}

/** One reading for all who are at the same row, as those who are up to date are. */
function pageOf({ job, pages }: Watch, after: number, db: Db): Promise<FinishedRow[]> {
  const known = pages.get(after)
  if (known !== undefined) return known
  const page = listFinished(db, {
    jobId: job.id,
    isFinal: false, // in order of completion afterwards, too: that is what ids count
    processed: job.processed,
    offset: after,
    limit: FOLLOWED_ROWS_AT_ONCE,
  })
  pages.set(after, page)
  page.catch(() => pages.delete(after))
  return page
}

/** Takes up what was read of the job, unless something later is known already. True where it is news. */
export function update(watch: Watch, job: JobRecord): boolean {
  if (!isLater(job, watch.job)) return false
  watch.job = job
  watch.pages = new Map()
  return true
}

/** Lets go of a follower: whoever tells it things finds that it is over. */
export function end(follower: Follower): void {
  follower.isOver = true
  wake(follower)
}

/** Those who were told nothing for so long that their connection may be taken for dead, or who miss a page. */
export function impatientOf({ waiting }: Watch, { heartbeatMs }: WatchPace): Follower[] {
  const now = performance.now()
  return [...waiting].filter(
    ({ isBehind, waitingSince }) => isBehind || now - waitingSince >= heartbeatMs,
  )
}

/** Each of them writes at once, so that many are woken over several turns of the event loop. */
export async function wakeAll(followers: Iterable<Follower>): Promise<void> {
  let woken = 0
  for (const follower of followers) {
    if (follower.wake === null) continue
    wake(follower)
    woken += 1
    if (woken % WOKEN_AT_ONCE === 0) await yieldToEventLoop()
  }
}

function wake(follower: Follower): void {
  const { wake: resolve } = follower
  follower.wake = null
  resolve?.()
}
