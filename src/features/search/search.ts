/**
 * Search over the transcripts of one account: brings its index up to date, asks it, and reads the quotes from the
 * store.
 */
import type { Logger } from 'pino'
import type pg from 'pg'
import { type FairSemaphore, fairSemaphore } from '../../kit/fair-semaphore.ts'
import type { Deadlines } from '../../config/config.ts'
import { openPatience } from '../../kit/patience.ts'
import { Problem } from '../../kit/problem.ts'
import {
  type AskContext,
  askMentionsOnce,
  askOnce,
  type MentionRow,
  type Mentions,
  type SearchAnswer,
} from './answers.ts'
import { openIndexBuilds } from './index-builds.ts'
import { openIndexFolder } from './index-folder.ts'
import { openIndexProcesses } from './index-processes.ts'
import { openMentionStreams } from './mention-streams.ts'
import type { FilteredQuery, IndexQuestion, MentionsQuestion } from './messages.ts'
import { notIndexed, refusalOf, searchRefusal } from './refusals.ts'
import type { TextStore } from '../transcripts/text-store.ts'
import { startIndexSweep } from './sweep-indexes.ts'

/** Number of processes that answer searches; one more writes the indexes. */
const SEARCH_PROCESSES = 2
/** Number of an account's searches that wait for the one that is being answered. */
export const SEARCHES_WAITING = 8
const SEARCH_RETRY_SECONDS = 1

export type Search = ReturnType<typeof openSearch>

type SearchParts = {
  pool: pg.Pool
  log: Logger
  textStore: TextStore | null
  folder: string
  bytesMax: number
  deadlines: Deadlines
  /** The number of failovers that lost something: an index is of one epoch. */
  epoch?: () => number
  /** The processes' file, where it is not the usual one. */
  processFile?: URL
}

/** Opens search; no process starts and no file is made before the first search. */
export function openSearch(parts: SearchParts) {
  const { pool, textStore, log, deadlines, processFile: file } = parts
  const processes = openIndexProcesses({ readers: SEARCH_PROCESSES, deadlines, file })
  const folder = openIndexFolder(parts.folder, parts.bytesMax, parts.epoch)
  const ctx = { pool, textStore, processes, folder, log, deadlines }
  const builds = openIndexBuilds(ctx)
  const turns = openTurns(deadlines)
  const streams = openMentionStreams({ ...ctx, builds })
  const endSweep = startIndexSweep(ctx)

  /** Does the work in the account's turn, once more where the index had to be made again. */
  async function inTurn<Answer>(
    accountId: string,
    ask: (asking: AskContext) => Promise<Answer | undefined>,
    buildMs: number = deadlines.searchBuildMs,
  ): Promise<Answer> {
    const leave = await turns.enter(accountId)
    const asking = { ...ctx, builds, buildMs, patience: openPatience(deadlines.searchMs) }
    try {
      let answer = await ask(asking)
      if (answer === undefined) answer = await ask(asking)
      if (answer === undefined) throw searchRefusal('remade')
      return answer
    } catch (error) {
      throw refusalOf(error, 'quotes')
    } finally {
      leave()
    }
  }

  return {
    /**
     * Searches. Throws `rate_limited` where the account searches too much at once, `server_busy` where it takes too
     * long.
     */
    find: (accountId: string, question: IndexQuestion): Promise<SearchAnswer> =>
      inTurn(accountId, (asking) => askOnce(asking, accountId, question)),
    /**
     * Searches all that the account owns, or as much as there is room for (`isFull`). Throws `server_busy` also where
     * not everything is indexed in the time that an agent waits.
     */
    async findInAll(accountId: string, question: IndexQuestion): Promise<SearchAnswer> {
      const { agentSearchBuildMs } = deadlines
      const ask = (asking: AskContext) => askOnce(asking, accountId, question)
      const found = await inTurn(accountId, ask, agentSearchBuildMs)
      if (found.indexed < found.owned && !found.isFull) throw notIndexed(found)
      return found
    },
    /**
     * Lists mentions and counts them. Throws as `find` does, and `invalid_request` where the words are said too often
     * to be counted.
     */
    mentions: (accountId: string, question: MentionsQuestion): Promise<Mentions> =>
      inTurn(accountId, (asking) => askMentionsOnce(asking, accountId, question)),
    /** Returns all mentions, newest video first, in pieces. Throws `server_busy` where not all is indexed in time. */
    streamMentions: (
      accountId: string,
      question: FilteredQuery,
    ): Promise<AsyncGenerator<MentionRow[], void>> => streams.open(accountId, question),
    async close() {
      await processes.close()
      await Promise.all([builds.close(), endSweep()])
    },
  }
}

/** Opens the turns: one search of an account at a time, so that its long ones delay no other account; few may wait. */
function openTurns({ searchTurnMs }: Deadlines) {
  const turns = new Map<string, FairSemaphore>()
  return {
    /** Resolves with the function that ends the turn. */
    async enter(accountId: string): Promise<() => void> {
      const turn = turns.get(accountId) ?? fairSemaphore(1)
      if (turn.waiting >= SEARCHES_WAITING) throw tooMany()
      turns.set(accountId, turn)
      const share = { accountId, jobId: 'search' }
      const leave = await turn.acquire(share, AbortSignal.timeout(searchTurnMs)).catch(() => {
        throw searchRefusal('behindOwn')
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
