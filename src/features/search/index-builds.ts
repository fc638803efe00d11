/**
 * Keeps the search indexes up with the store, account by account, when an account searches.
 *
 * New texts are found by the jobs: a job numbers its finished rows without gaps, each in the commit that counts it, so
 * the rows above the number that an index has of a job are all that it lacks, however late their commits came. A file
 * that is damaged, or knows of jobs that are gone, is deleted and made again.
 */
import type { Logger } from 'pino'
import type pg from 'pg'
import type { IndexFolder } from './index-folder.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import { TaskTooSlow, ThreadsClosed } from '../../kit/threads.ts'
import { BrokenFile, type IndexProcesses } from './index-processes.ts'
import type { IndexedJob } from './messages.ts'
import {
  type DeliveringJob,
  listDeliveringJobs,
  listRowsToIndex,
  type OwnedTranscripts,
} from '../../store/search-rows.ts'

/** Number of accounts whose indexes are brought up to date at once, and what is read for one of them at a time. */
const SEARCH_BUILDS_AT_ONCE = 2
const SEARCH_JOBS_PAGE = 1_000
const SEARCH_ROWS_AT_ONCE = 25
/** How often, at most, an index that answered wrongly is made again. */
const SEARCH_DISTRUST_MS = 60_000
/**
 * Number of an account's searches that take too long, one after another, after which its index is taken to be damaged.
 */
export const SEARCHES_TOO_SLOW = 3

export type IndexBuilds = {
  /** Resolves when the index has all of `owned`, or has given up. */
  catchUp(accountId: string, owned: OwnedTranscripts): Promise<void>
  /**
   * Reports that the index answered wrongly: the next `catchUp` makes it again. Returns false where that was done a
   * moment ago.
   */
  distrust(accountId: string, reason: string): boolean
  /** Returns true where an index that was taken to be complete has another fingerprint: the file is another one. */
  isOther(accountId: string, fingerprint: string): boolean
  /**
   * Notes whether an index took too long to answer. One that does so again and again may be damaged, and is distrusted.
   */
  noteAsked(accountId: string, isTooSlow: boolean): void
  close(): Promise<void>
}

type Input = { pool: pg.Pool; processes: IndexProcesses; folder: IndexFolder; log: Logger }
type BuildState = {
  /** The fingerprint of what is in the index; null where that is not known. */
  confirmed: string | null
  running: Promise<void> | null
  isDistrusted: boolean
  distrustedAtMs: number
  slowInARow: number
}

/** Number of accounts whose standing a process remembers. */
const REMEMBERED_MAX = 10_000

export function openIndexBuilds(input: Input): IndexBuilds {
  const standings = openStandings()
  const places = fairSemaphore(SEARCH_BUILDS_AT_ONCE)
  const closing = new AbortController()

  async function build(
    accountId: string,
    owned: OwnedTranscripts,
    standing: BuildState,
  ): Promise<void> {
    const make = async (): Promise<boolean> => {
      if (standing.isDistrusted) await removeIndex(input, accountId)
      standing.isDistrusted = false
      return buildOrAgain(input, { accountId, owned })
    }
    try {
      const isAll = await places.run({ accountId, jobId: '' }, closing.signal, make)
      // An index that was distrusted meanwhile is not confirmed: it would not be made again.
      if (isAll && !standing.isDistrusted) standing.confirmed = owned.fingerprint
    } catch (error) {
      if (error instanceof TaskTooSlow) standing.isDistrusted = true
      if (!(error instanceof ThreadsClosed))
        input.log.warn({ err: error, accountId }, 'a search index could not be brought up to date')
    } finally {
      standing.running = null
    }
  }

  function distrust(accountId: string, reason: string): boolean {
    const standing = standings.of(accountId)
    const nowMs = performance.now()
    if (nowMs - standing.distrustedAtMs < SEARCH_DISTRUST_MS) return false
    input.log.warn({ accountId, reason }, 'a search index is made again')
    Object.assign(standing, { confirmed: null, isDistrusted: true, distrustedAtMs: nowMs })
    return true
  }

  return {
    async catchUp(accountId, owned) {
      const standing = standings.of(accountId)
      if (standing.confirmed === owned.fingerprint || closing.signal.aborted) return
      standing.running ??= build(accountId, owned, standing)
      await standing.running
    },
    distrust,
    noteAsked(accountId, isTooSlow) {
      const standing = standings.of(accountId)
      standing.slowInARow = isTooSlow ? standing.slowInARow + 1 : 0
      if (standing.slowInARow >= SEARCHES_TOO_SLOW && distrust(accountId, 'it does not answer'))
        standing.slowInARow = 0
    },
    isOther(accountId, fingerprint) {
      const standing = standings.of(accountId)
      const { confirmed, running } = standing
      const isOther = running === null && confirmed !== null && confirmed !== fingerprint
      if (isOther) standing.confirmed = null
      return isOther
    },
    async close() {
      closing.abort(new ThreadsClosed('the search ends'))
      await Promise.all(standings.all().map(({ running }) => running))
    },
  }
}

function openStandings() {
  const standings = new Map<string, BuildState>()
  return {
    all: () => [...standings.values()],
    of(accountId: string): BuildState {
      const known = standings.get(accountId) ?? {
        confirmed: null,
        running: null,
        isDistrusted: false,
        distrustedAtMs: Number.NEGATIVE_INFINITY,
        slowInARow: 0,
      }
      standings.delete(accountId)
      standings.set(accountId, known)
      const [oldest] = standings.keys()
      if (standings.size > REMEMBERED_MAX && oldest !== undefined) standings.delete(oldest)
      return known
    },
  }
}

type Account = { accountId: string; owned: OwnedTranscripts }

/** Builds the index, anew where it has to be; returns true where it has everything now. */
async function buildOrAgain(input: Input, account: Account): Promise<boolean> {
  try {
    return (await buildOnce(input, account)) ?? (await rebuild(input, account))
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    input.log.warn({ err: error, accountId: account.accountId }, 'a search index is damaged')
    return rebuild(input, account)
  }
}

async function rebuild(input: Input, account: Account): Promise<boolean> {
  await removeIndex(input, account.accountId)
  return (await buildOnce(input, account)) ?? false
}

export async function removeIndex(
  { processes, folder }: Pick<Input, 'processes' | 'folder'>,
  accountId: string,
): Promise<void> {
  folder.forget(accountId)
  await processes.write('remove', { path: folder.pathOf(accountId) })
}

/**
 * Adds what the index lacks. Returns null where it knows of jobs, or rows, that are gone; false where it has no room.
 */
async function buildOnce(input: Input, { accountId, owned }: Account): Promise<boolean | null> {
  const { pool, processes, folder } = input
  const path = folder.pathOf(accountId)
  const { fingerprint } = await processes.write('standing', { path })
  if (fingerprint === owned.fingerprint) return true
  let jobs = 0
  for (let afterId = ''; ;) {
    const page = await listDeliveringJobs(pool, {
      accountId,
      afterId,
      limit: SEARCH_JOBS_PAGE,
    })
    const behind = await processes.write('behind', { path, jobs: page.map(progressOf) })
    if (behind === null) return null
    for (const from of behind) {
      const job = page.find(({ id }) => id === from.id)
      if (job !== undefined && !(await addJob(input, accountId, { job, from }))) return false
    }
    jobs += page.length
    afterId = page.at(-1)?.id ?? ''
    if (page.length < SEARCH_JOBS_PAGE) break
  }
  // Jobs that delivered their first row meanwhile were listed, and are in it too.
  const confirmed = { path, fingerprint: owned.fingerprint, jobs }
  return (await processes.write('confirm', confirmed)) ? true : null
}

function progressOf({ id, processed, success }: DeliveringJob): IndexedJob {
  return { id, done: processed, success }
}

/** Adds what the index lacks of a job, batch by batch. Returns false where there is no room left. */
async function addJob(
  input: Input,
  accountId: string,
  { job, from }: { job: DeliveringJob; from: IndexedJob },
): Promise<boolean> {
  const { pool, processes, folder } = input
  const path = folder.pathOf(accountId)
  const limit = SEARCH_ROWS_AT_ONCE
  let [after, success] = [from.done, from.success]
  while (after < job.processed) {
    if (folder.isFull(accountId)) return false
    const rows = await listRowsToIndex(pool, { jobId: job.id, after, upTo: job.processed, limit })
    const isLast = rows.length < limit
    const to = isLast ? job.processed : (rows.at(-1)?.done ?? job.processed)
    success = isLast ? job.success : success + rows.length
    const texts = { jobId: job.id, from: after, to, success, rows }
    const bytes = await processes.write('add', { path, texts })
    // Another process adds to the same file: it completes the index, or the next search finds what is missing.
    if (bytes === null) return false
    folder.resize(accountId, bytes)
    for (const other of folder.overdue(accountId)) await removeIndex(input, other)
    after = to
  }
  return true
}
