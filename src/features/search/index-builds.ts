/**
 * Keeps the search indexes up with the store, account by account, when an account searches.
 *
 * New texts are found by the jobs: a job numbers its finished rows without gaps, each in the commit that counts it, so
 * the rows above the number that an index has of a job are all that it lacks, however late their commits came. A file
 * that is damaged, of an earlier epoch, or knows of jobs that are gone, is deleted and made again.
 */
import { TextAway, withPacked } from '../transcripts/text-store.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import { TaskTooSlow, ThreadsClosed, ThreadStarting } from '../../kit/threads.ts'
import { BrokenFile } from './index-processes.ts'
import { fetchIndex, type IndexContext } from './shared-indexes.ts'
import type { IndexedRow } from '../../model/search/packed-row.ts'
import type { IndexedJob } from './messages.ts'
import type { Standing } from './add-texts.ts'
import { deleteIndexCopy } from '../../store/index-copies.ts'
import {
  type DeliveringJob,
  listOpenDelivering,
  listRowsToIndex,
  type OwnedTranscripts,
  placeAfter,
  readChangedJobs,
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

/** Opens the builds, which remember how the indexes of some accounts stand. */
export function openIndexBuilds(ctx: IndexContext) {
  const states = new Map<string, BuildState>()
  const stateOf = (accountId: string) => touchState(states, ctx.folder.pathOf(accountId))
  const places = fairSemaphore(SEARCH_BUILDS_AT_ONCE)
  const closing = new AbortController()

  async function build(accountId: string, owned: OwnedTranscripts): Promise<void> {
    const state = stateOf(accountId)
    const make = async (): Promise<boolean> => {
      if (state.isDistrusted) await discard(ctx, accountId)
      state.isDistrusted = false
      return buildOrAgain(ctx, { accountId, owned })
    }
    try {
      const isAll = await places.run({ accountId, jobId: '' }, closing.signal, make)
      // An index that was distrusted meanwhile is not confirmed: it would not be made again.
      if (isAll && !state.isDistrusted) state.confirmed = owned.fingerprint
    } catch (error) {
      if (error instanceof TaskTooSlow && error.wasBegun) state.isDistrusted = true
      if (!isPassing(error))
        ctx.log.warn({ err: error, accountId }, 'a search index could not be brought up to date')
    } finally {
      state.running = null
    }
  }

  /**
   * Notes that the index answered wrongly: the next `catchUp` makes it again. Returns false where that was just done.
   */
  function distrust(accountId: string, reason: string): boolean {
    const state = stateOf(accountId)
    const nowMs = performance.now()
    if (nowMs - state.distrustedAtMs < SEARCH_DISTRUST_MS) return false
    ctx.log.warn({ accountId, reason }, 'a search index is made again')
    Object.assign(state, { confirmed: null, isDistrusted: true, distrustedAtMs: nowMs })
    return true
  }

  return {
    distrust,
    has: (accountId: string, owned: OwnedTranscripts) => isKnown(stateOf(accountId), owned),
    /** Resolves when the index has all of `owned`, or has given up. */
    async catchUp(accountId: string, owned: OwnedTranscripts): Promise<void> {
      const state = stateOf(accountId)
      if (isKnown(state, owned) || closing.signal.aborted) return
      state.running ??= build(accountId, owned)
      await state.running
    },
    /** Notes whether an index took too long to answer; where it does so again and again, it is distrusted. */
    noteAsked(accountId: string, isTooSlow: boolean): void {
      const state = stateOf(accountId)
      state.slowInARow = isTooSlow ? state.slowInARow + 1 : 0
      if (state.slowInARow >= SEARCHES_TOO_SLOW && distrust(accountId, 'it does not answer'))
        state.slowInARow = 0
    },
    /** Returns true where an index that was taken to be complete has another fingerprint: the file is another one. */
    isOther(accountId: string, fingerprint: string): boolean {
      const state = stateOf(accountId)
      const isOther = state.running === null && (state.confirmed ?? fingerprint) !== fingerprint
      if (isOther) state.confirmed = null
      return isOther
    },
    async close() {
      closing.abort(new ThreadsClosed('the search ends'))
      await Promise.all(states.values().map(({ running }) => running))
    },
  }
}

/** Whether the index is known to have all of `owned`. */
function isKnown(state: BuildState, { fingerprint }: OwnedTranscripts): boolean {
  return state.confirmed === fingerprint
}

/** Whether the next search finds what was missing: the writer starts or ends. */
function isPassing(error: unknown): boolean {
  return error instanceof ThreadsClosed || error instanceof ThreadStarting
}

/** Returns what is known of an index, as the one used last; the longest unused is forgotten. */
function touchState(states: Map<string, BuildState>, path: string): BuildState {
  const state = states.get(path) ?? {
    confirmed: null,
    running: null,
    isDistrusted: false,
    distrustedAtMs: Number.NEGATIVE_INFINITY,
    slowInARow: 0,
  }
  states.delete(path)
  states.set(path, state)
  const [oldest] = states.keys()
  if (states.size > REMEMBERED_MAX && oldest !== undefined) states.delete(oldest)
  return state
}

type Account = { accountId: string; owned: OwnedTranscripts }

/** Builds the index, anew where it has to be; returns true where it has everything now. */
async function buildOrAgain(ctx: IndexContext, account: Account): Promise<boolean> {
  try {
    return (await buildOnce(ctx, account)) ?? (await rebuild(ctx, account))
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    ctx.log.warn({ err: error, accountId: account.accountId }, 'a search index is damaged')
    return rebuild(ctx, account)
  }
}

/** Removes an index that is wrong, and the copy that may be the cause. */
async function discard(ctx: IndexContext, accountId: string): Promise<void> {
  await removeIndex(ctx, accountId)
  await deleteIndexCopy(ctx.pool, accountId)
}

async function rebuild(ctx: IndexContext, account: Account): Promise<boolean> {
  await discard(ctx, account.accountId)
  return (await buildOnce(ctx, account)) ?? false
}

/** Notes what the account's index takes by now, and removes those used longest ago where all are too large. */
export async function makeRoom(ctx: IndexContext, accountId: string): Promise<void> {
  ctx.folder.touch(accountId)
  for (const other of ctx.folder.overdue(accountId)) await removeIndex(ctx, other)
}

export async function removeIndex(
  { processes, folder }: IndexContext,
  accountId: string,
): Promise<void> {
  folder.forget(accountId)
  await processes.write('remove', { path: folder.pathOf(accountId) })
}

/** Returns how far the index is, which another host may have built. */
async function standingOf(ctx: IndexContext, accountId: string): Promise<Standing> {
  const path = ctx.folder.pathOf(accountId)
  const standing = await ctx.processes.write('standing', { path })
  if (standing.indexed > 0 || !(await fetchIndex(ctx, accountId))) return standing
  await makeRoom(ctx, accountId)
  return ctx.processes.write('standing', { path })
}

/**
 * Adds what the index lacks. Returns null where it knows of jobs, or rows, that are gone; false where it has no room.
 */
async function buildOnce(
  ctx: IndexContext,
  { accountId, owned }: Account,
): Promise<boolean | null> {
  const { pool, processes, folder } = ctx
  const path = folder.pathOf(accountId)
  const { fingerprint } = await standingOf(ctx, accountId)
  if (fingerprint === owned.fingerprint) return true
  // Open jobs first: one that ends meanwhile is among the changes.
  const open = await listOpenDelivering(pool, accountId)
  const unread: TextAway[] = []
  const begun = await addJobs(ctx, accountId, { jobs: open, unread })
  if (begun !== true) return begun
  const stillOpen = new Set(open.map(({ id }) => id))
  for (let after = placeAfter(fingerprint); ;) {
    const changed = { accountId, after, limit: SEARCH_JOBS_PAGE }
    const { jobs: page, textJobs } = await readChangedJobs(pool, changed)
    const added = await addJobs(ctx, accountId, { jobs: page, unread })
    if (added !== true) return added
    for (const { id } of page) stillOpen.delete(id)
    const last = page.at(-1)
    if (last === undefined || page.length < SEARCH_JOBS_PAGE) {
      if (unread[0] !== undefined) throw unread[0]
      const jobs = textJobs + stillOpen.size
      const confirmed = { path, fingerprint: owned.fingerprint, jobs }
      return (await processes.write('confirm', confirmed)) ? true : null
    }
    after = { change: last.change, jobId: last.id }
  }
}

/** Adds what the index lacks of these jobs; returns what `buildOnce` does. A lost text keeps out no other jobs. */
async function addJobs(
  ctx: IndexContext,
  accountId: string,
  { jobs, unread }: { jobs: readonly DeliveringJob[]; unread: TextAway[] },
): Promise<boolean | null> {
  const path = ctx.folder.pathOf(accountId)
  const jobsNow = jobs.map(({ id, processed, success }) => ({ id, done: processed, success }))
  const behind = await ctx.processes.write('behind', { path, jobs: jobsNow })
  if (behind === null) return null
  for (const from of behind) {
    const job = jobs.find(({ id }) => id === from.id)
    if (job === undefined) continue
    const isAdded = await addJob(ctx, accountId, { job, from }).catch((error: unknown) => {
      if (!(error instanceof TextAway && error.isAlone)) throw error
      return unread.push(error) > 0
    })
    if (!isAdded) return false
  }
  return true
}

/** Returns the rows with the words that lie in packs; of a text that was deleted meanwhile, without. */
async function filled(
  { pool, textStore }: IndexContext,
  jobId: string,
  rows: readonly IndexedRow[],
): Promise<IndexedRow[]> {
  const kept = rows.flatMap(({ index, stored }) =>
    stored === null ? [] : [{ jobId, index, stored }],
  )
  const read = await withPacked({ db: pool, textStore }, { part: 'words', name: 'stored' }, kept)
  const storedOf = new Map(read.map(({ index, stored }) => [index, stored]))
  return rows.map((row) => ({ ...row, stored: storedOf.get(row.index) ?? null }))
}

/** Adds what the index lacks of a job, batch by batch. Returns false where there is no room left. */
async function addJob(
  ctx: IndexContext,
  accountId: string,
  { job, from }: { job: DeliveringJob; from: IndexedJob },
): Promise<boolean> {
  const { pool, processes, folder } = ctx
  const path = folder.pathOf(accountId)
  const limit = SEARCH_ROWS_AT_ONCE
  let [after, success] = [from.done, from.success]
  while (after < job.processed) {
    if (folder.isFull(accountId)) return false
    const rows = await listRowsToIndex(pool, { jobId: job.id, after, upTo: job.processed, limit })
    const isLast = rows.length < limit
    const to = isLast ? job.processed : (rows.at(-1)?.done ?? job.processed)
    success = isLast ? job.success : success + rows.length
    const texts = { jobId: job.id, from: after, to, success, rows: await filled(ctx, job.id, rows) }
    // Another process adds to the same file: it completes the index, or the next search finds what is missing.
    if (!(await processes.write('add', { path, texts }))) return false
    await makeRoom(ctx, accountId)
    after = to
  }
  return true
}
