/**
 * All mentions of a query, transcript by transcript from the newest on, for as long as their reader takes: piece by
 * piece, so that a stream holds one piece, and one piece of all streams is made at a time, in turns by account.
 * A stream that cannot go on throws, so that nobody takes a part for all.
 */
import { openCounts } from '../../kit/counts.ts'
import { fairSemaphore } from '../../kit/fair-semaphore.ts'
import { openPatience } from '../../kit/patience.ts'
import { Problem } from '../../kit/problem.ts'
import { TaskTooSlow, ThreadStarting } from '../../kit/threads.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import { readOwned } from '../../store/search-rows.ts'
import { bringUpToDate, type BuildContext, type MentionRow, readMentions } from './answers.ts'
import { BrokenFile } from './index-processes.ts'
import { narrowToProject } from './narrow-to-project.ts'
import { notIndexed, refusalOf } from './refusals.ts'
import type { FilteredQuery, MatchesAnswer } from './messages.ts'

/** Number of streams that a process sends at once, and of those the ones of one account. */
const MENTION_STREAMS_AT_ONCE_MAX = 64
export const MENTION_STREAMS_PER_ACCOUNT_AT_ONCE = 2
/** Transcripts and mentions of a piece, at most. */
const PIECE = { transcripts: 20, mentions: 2_000 } as const
/** How often a piece that takes too long is tried. */
const PIECE_TRIES = 3
const RETRY_SECONDS = 5

/** Where a stream is: below this number of a transcript, or within the first transcript there. */
type Cursor = { below: bigint | null; skip: number }

type MentionStreams = {
  /**
   * Opens a stream, which counts until it is read to its end or left. Throws `rate_limited` where the account has too
   * many, `server_busy` where the process has, or not every transcript is indexed in time.
   */
  open(accountId: string, asked: FilteredQuery): Promise<AsyncGenerator<MentionRow[], void>>
}

export function openMentionStreams(ctx: BuildContext): MentionStreams {
  const streams = openCounts()
  const making = fairSemaphore(1)
  const count = (accountId: string, by: number): void =>
    [accountId, ALL].forEach((name) => streams.add(name, by))

  async function* send(
    accountId: string,
    asked: FilteredQuery,
  ): AsyncGenerator<MentionRow[], void> {
    let made: string | null = null
    let cursor: Cursor | null = { below: null, skip: 0 }
    while (cursor !== null) {
      const at: Cursor = cursor
      const share = { accountId, jobId: 'mentions' }
      const piece = await making.run(share, NEVER, () => tryPiece(ctx, accountId, { ...asked, at }))
      if (made !== null && made !== piece.made) throw new Error('the index was made again')
      made = piece.made
      if (piece.mentions.length > 0) yield piece.mentions
      cursor = piece.next
    }
  }

  return {
    async open(accountId, asked) {
      if (streams.of(accountId) >= MENTION_STREAMS_PER_ACCOUNT_AT_ONCE) throw tooManyOfAccount()
      if (streams.of(ALL) >= MENTION_STREAMS_AT_ONCE_MAX) throw tooMany()
      count(accountId, 1)
      const end = once(() => count(accountId, -1))
      try {
        const owned = await readOwned(ctx.pool, accountId)
        if (owned.owned > 0) await indexAll(ctx, accountId)
        const narrowed = await narrowToProject(ctx.pool, accountId, asked)
        return endingWith(owned.owned === 0 ? none() : send(accountId, narrowed), end)
      } catch (error) {
        end()
        throw error
      }
    },
  }
}

/** The name under which the streams of all accounts are counted; no account has this id. */
const ALL = 'all'
const NEVER = new AbortController().signal

async function* none(): AsyncGenerator<MentionRow[], void> {}

/** Returns the pieces; `end` is called when they end, fail or are left, also before the first. */
function endingWith<Piece>(
  pieces: AsyncGenerator<Piece, void>,
  end: () => void,
): AsyncGenerator<Piece, void> {
  const { next, return: leave, throw: fail } = pieces
  const ending = async (
    step: Promise<IteratorResult<Piece, void>>,
  ): Promise<IteratorResult<Piece, void>> => {
    try {
      const result = await step
      if (result.done === true) end()
      return result
    } catch (error) {
      end()
      throw error
    }
  }
  return Object.assign(pieces, {
    next: () => ending(next.call(pieces)),
    return: () => ending(leave.call(pieces)),
    throw: (error: unknown) => ending(fail.call(pieces, error)),
  })
}

/** Waits until the index has every transcript. Throws `server_busy` where it has not in time. */
async function indexAll(ctx: BuildContext, accountId: string): Promise<void> {
  const { processes, folder, deadlines } = ctx
  const { owned } = await bringUpToDate({ ...ctx, buildMs: deadlines.mentionsBuildMs }, accountId)
  const patience = openPatience(deadlines.mentionsPieceMs)
  const standing = await processes
    .ask('standing', { path: folder.pathOf(accountId) }, { patience })
    .catch((error: unknown) => {
      if (error instanceof BrokenFile) return null
      throw refusalOf(error, 'words')
    })
  const indexed = standing?.indexed ?? 0
  if (indexed < owned) throw notIndexed({ indexed, owned })
}

/** `made` tells whether the next piece is of the same index. */
type Piece = { made: string; mentions: MentionRow[]; next: Cursor | null }

async function tryPiece(
  ctx: BuildContext,
  accountId: string,
  asked: FilteredQuery & { at: Cursor },
): Promise<Piece> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await makePiece(ctx, accountId, asked)
    } catch (error) {
      if (error instanceof BrokenFile) ctx.builds.distrust(accountId, 'it is damaged')
      if (!isWait(error) || tries === PIECE_TRIES) throw error
    }
  }
}

function isWait(error: unknown): boolean {
  return error instanceof TaskTooSlow || error instanceof ThreadStarting
}

async function makePiece(
  ctx: BuildContext,
  accountId: string,
  { query, filter, at }: FilteredQuery & { at: Cursor },
): Promise<Piece> {
  const { processes, folder, deadlines } = ctx
  const patience = openPatience(deadlines.mentionsPieceMs)
  const question = { query, filter, below: at.below, limit: PIECE.transcripts }
  const path = folder.pathOf(accountId)
  const listed = await processes.ask('matches', { path, question }, { patience })
  const rows = listed.rows.map((row, n) => ({
    ...row,
    skip: n === 0 ? at.skip : 0,
    take: PIECE.mentions,
  }))
  const answered = { rows, query: listed.query, most: PIECE.mentions }
  const mentions = await readMentions({ ...ctx, patience }, accountId, answered)
  return { made: listed.made, mentions, next: nextAfter(at, listed.rows, mentions) }
}

/** Returns where the next piece begins; null after the last transcript. */
function nextAfter(
  at: Cursor,
  rows: MatchesAnswer['rows'],
  mentions: readonly MentionRow[],
): Cursor | null {
  if (mentions.length < PIECE.mentions) {
    const last = rows.at(-1)
    return last === undefined || rows.length < PIECE.transcripts
      ? null
      : { below: last.number, skip: 0 }
  }
  // The piece is full: the transcript of its last mention may have more.
  const { jobId, index } = mentions.at(-1) ?? { jobId: '', index: 0 }
  const isOfLast = (row: RowKey): boolean => row.jobId === jobId && row.index === index
  const number = rows.findIndex(isOfLast)
  const said = mentions.filter(isOfLast).length
  return {
    below: number === 0 ? at.below : (rows[number - 1]?.number ?? at.below),
    skip: number === 0 ? at.skip + said : said,
  }
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

function tooManyOfAccount(): Problem {
  return refusal(
    'rate_limited',
    `Your account has ${MENTION_STREAMS_PER_ACCOUNT_AT_ONCE} lists of mentions in progress; try again when one has arrived.`,
  )
}

function tooMany(): Problem {
  return refusal(
    'server_busy',
    'The server is sending as many lists of mentions as it can; try again in a few seconds.',
  )
}

function refusal(code: 'rate_limited' | 'server_busy', message: string): Problem {
  return new Problem(code, { message, headers: { 'Retry-After': String(RETRY_SECONDS) } })
}
