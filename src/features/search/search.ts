/**
 * Search over the transcripts of one account: brings its index up to date, asks it, and reads the quotes from the
 * store.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type pg from 'pg'
import { type FairSemaphore, fairSemaphore } from '../../kit/fair-semaphore.ts'
import { Problem } from '../../kit/problem.ts'
import { TaskTooSlow, ThreadsClosed } from '../../kit/threads.ts'
import { openIndexFolder } from './index-folder.ts'
import { BrokenFile, openIndexProcesses } from './index-processes.ts'
import type { IndexAnswer, IndexQuestion } from './messages.ts'
import { findChannelIds, findHitRows, type HitRow, readOwned } from '../../store/search-rows.ts'
import { type IndexContext, makeRoom, openIndexBuilds } from './index-builds.ts'
import type { Quote } from '../../model/search/quote.ts'
import { startIndexSweep } from './sweep-indexes.ts'

/** Number of processes that answer searches; one more writes the indexes. */
const SEARCH_PROCESSES = 2
/** Time that the index and the reading of the quotes may take, the waiting included. */
const SEARCH_MS = 5_000
/** How long a search waits for an index that is behind; then it answers with what is there. */
const SEARCH_BUILD_WAIT_MS = 1_000
/** Number of an account's searches that wait for the one that is being answered. */
export const SEARCHES_WAITING = 8
/** How long such a search waits for its turn. */
const SEARCH_TURN_MS = 15_000
const SEARCH_RETRY_SECONDS = 1

export type SearchHit = HitRow & Quote

/** An answer; `indexed` of `owned` transcripts were searched. */
export type SearchAnswer = Pick<IndexAnswer, 'indexed' | 'total' | 'months'> & {
  owned: number
  hits: SearchHit[]
  /** Channels; `channelId` is null where it is not known, or two of the account's channels have that name. */
  channels: (IndexAnswer['channels'][number] & { channelId: string | null })[]
}

export type Search = ReturnType<typeof openSearch>

/** Opens search; no process starts and no file is made before the first search. */
export function openSearch({
  pool,
  log,
  folder: path,
  bytesMax,
}: {
  pool: pg.Pool
  log: Logger
  folder: string
  bytesMax: number
}) {
  const processes = openIndexProcesses({ readers: SEARCH_PROCESSES })
  const folder = openIndexFolder(path, bytesMax)
  const ctx = { pool, processes, folder, log }
  const builds = openIndexBuilds(ctx)
  const turns = openTurns()
  const endSweep = startIndexSweep(ctx)

  return {
    /**
     * Searches. Throws `rate_limited` where the account searches too much at once, `server_busy` where it takes too
     * long.
     */
    async find(accountId: string, question: IndexQuestion): Promise<SearchAnswer> {
      const leave = await turns.enter(accountId)
      const untilMs = performance.now() + SEARCH_BUILD_WAIT_MS + SEARCH_MS
      const timeLeftMs = (): number => Math.max(0, untilMs - performance.now())
      const ask = (): Promise<SearchAnswer | null> =>
        askOnce({ ...ctx, builds, timeLeftMs }, accountId, question)
      try {
        const answer = (await ask()) ?? (await ask())
        if (answer === null) throw tooSlow()
        return answer
      } catch (error) {
        throw error instanceof TaskTooSlow || error instanceof ThreadsClosed ? tooSlow() : error
      } finally {
        leave()
      }
    },
    async close() {
      await processes.close()
      await Promise.all([builds.close(), endSweep()])
    },
  }
}

type AskContext = IndexContext & {
  builds: ReturnType<typeof openIndexBuilds>
  timeLeftMs: () => number
}

/** The answer to an account without a transcript, which needs no index. */
const NOTHING_OWNED: SearchAnswer = {
  indexed: 0,
  owned: 0,
  total: 0,
  hits: [],
  channels: [],
  months: [],
}

/**
 * Searches once; null where the index has to be made again first. `timeLeftMs` is for what the index processes do.
 */
async function askOnce(
  ctx: AskContext,
  accountId: string,
  question: IndexQuestion,
): Promise<SearchAnswer | null> {
  const { pool, processes, folder, builds, timeLeftMs } = ctx
  const owned = await readOwned(pool, accountId)
  if (owned.owned === 0) return NOTHING_OWNED
  folder.touch(accountId)
  const waited = sleep(SEARCH_BUILD_WAIT_MS, undefined, { ref: false })
  await Promise.race([builds.catchUp(accountId, owned), waited])
  const request = { path: folder.pathOf(accountId), question }
  const options = { deadlineMs: timeLeftMs() }
  const answered = await processes.ask('ask', request, options).catch((error: unknown) => {
    if (error instanceof TaskTooSlow) builds.noteAsked(accountId, true)
    if (error instanceof BrokenFile) return null
    throw error
  })
  builds.noteAsked(accountId, false)
  await makeRoom(ctx, accountId)
  if (answered === null) {
    builds.distrust(accountId, 'it is damaged')
    return null
  }
  const { fingerprint, hits: found, query: _, indexed, ...counts } = answered
  if (builds.isOther(accountId, fingerprint)) return null
  const [hits, channels] = await Promise.all([
    readHits(ctx, accountId, answered),
    withIds(pool, accountId, counts.channels),
  ])
  const known = { indexed: Math.min(indexed, owned.owned), owned: owned.owned }
  const answer = { ...counts, ...known, hits, channels }
  const isWhole = hits.length === found.length
  const isMadeAgain = !isWhole && builds.distrust(accountId, 'the store lacks texts that it has')
  return isMadeAgain ? null : answer
}

/** Returns the hits with what is shown of them, as the store has it now; hits that it no longer has are left out. */
async function readHits(
  { pool, processes, timeLeftMs }: AskContext,
  accountId: string,
  { hits: found, query }: Pick<IndexAnswer, 'hits' | 'query'>,
): Promise<SearchHit[]> {
  if (found.length === 0) return []
  const read = await findHitRows(pool, accountId, found)
  const rows = new Map(read.map((row) => [keyOf(row), row]))
  const kept = found.flatMap((hit) => rows.get(keyOf(hit)) ?? [])
  const texts = kept.map(({ stored }) => stored)
  const quotes = await processes.ask('quote', { query, texts }, { deadlineMs: timeLeftMs() })
  return kept.flatMap((row, at) => {
    const quote = quotes[at] ?? null
    return quote === null ? [] : [{ ...row, ...quote }]
  })
}

async function withIds(
  pool: pg.Pool,
  accountId: string,
  channels: IndexAnswer['channels'],
): Promise<SearchAnswer['channels']> {
  const names = channels.flatMap(({ channelName }) => channelName ?? [])
  const ids = await findChannelIds(pool, accountId, names)
  return channels.map((one) => ({ ...one, channelId: ids.get(one.channelName ?? '') ?? null }))
}

function keyOf({ jobId, index }: { jobId: string; index: number }): string {
  return `${jobId}/${index}`
}

/** Opens the turns: one search of an account at a time, so that its long ones delay no other account; few may wait. */
function openTurns() {
  const turns = new Map<string, FairSemaphore>()
  return {
    /** Resolves with the function that ends the turn. */
    async enter(accountId: string): Promise<() => void> {
      const turn = turns.get(accountId) ?? fairSemaphore(1)
      if (turn.waiting >= SEARCHES_WAITING) throw tooMany()
      turns.set(accountId, turn)
      const share = { accountId, jobId: 'search' }
      const leave = await turn.acquire(share, AbortSignal.timeout(SEARCH_TURN_MS)).catch(() => {
        throw tooSlow()
      })
      return () => {
        leave()
        if (turn.held === 0) turns.delete(accountId)
      }
    },
  }
}

function tooMany(): Problem {
  return new Problem('rate_limited', {
    message: 'Your account has too many searches under way; wait until one is answered.',
    headers: { 'Retry-After': String(SEARCH_RETRY_SECONDS) },
  })
}

function tooSlow(): Problem {
  return new Problem('server_busy', {
    message: 'This search took too long; try again, or look for longer or for fewer words.',
    headers: { 'Retry-After': String(SEARCH_RETRY_SECONDS) },
  })
}
