/** Answers from an account's index, which is brought up to date first, and from the texts in the store. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Deadlines } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
import type { Patience } from '../../kit/patience.ts'
import { TaskTooSlow } from '../../kit/threads.ts'
import { keyOfRow } from '../../model/library/row-key.ts'
import type { Mention, Quote } from '../../model/search/quote.ts'
import type { SearchQuery } from '../../model/search/search-query.ts'
import {
  findChannelIds,
  findHitRows,
  findMentionedVideos,
  type HitRow,
  type HitVideo,
  lackTheSame,
  type MentionedVideo,
  type OwnedTranscripts,
  readOwned,
} from '../../store/search-rows.ts'
import { TextAway, withPacked } from '../transcripts/text-store.ts'
import { makeRoom, type openIndexBuilds } from './index-builds.ts'
import type { IndexContext } from './shared-indexes.ts'
import { BrokenFile } from './index-processes.ts'
import { narrowToProject } from './narrow-to-project.ts'
import { refusalOf } from './refusals.ts'
import type {
  HitCounts,
  IndexAnswer,
  IndexedChannel,
  IndexQuestion,
  MentionCounts,
  MentionsQuestion,
  RowMentions,
} from './messages.ts'

export type SearchHit = HitRow & Quote

/**
 * How much of what the account owns an answer is about. It is noted with the answer, never read beside it: all figures
 * of one answer are of one state of the index.
 */
type Covered = { indexed: number; owned: number }

/** An answer; `indexed` of `owned` transcripts were searched. */
export type SearchAnswer = Covered &
  HitCounts & { hits: SearchHit[]; mentions: number | null; isFull: boolean }

export type MentionRow = HitVideo & Mention

/** A page of mentions with all of them counted; `videos` and `channels` are those with the most. */
export type Mentions = Covered &
  MentionCounts & {
    total: number
    mentions: MentionRow[]
    videos: (MentionedVideo & { mentions: number })[]
  }

export type BuildContext = IndexContext & {
  builds: ReturnType<typeof openIndexBuilds>
  deadlines: Deadlines
}
/** `patience` is for what the index processes do; `buildMs` is how long an index that is behind is waited for. */
export type AskContext = BuildContext & { patience: Patience; buildMs: number }

/** The answer to an account without a transcript, which needs no index. */
const NOTHING_OWNED: SearchAnswer = {
  indexed: 0,
  owned: 0,
  total: 0,
  mentions: 0,
  hits: [],
  channels: [],
  months: [],
  isFull: false,
}
const NOTHING_MENTIONED: Mentions = {
  indexed: 0,
  owned: 0,
  total: 0,
  transcripts: 0,
  mentions: [],
  videos: [],
  channels: [],
  months: [],
}

/** Searches once; undefined where the index has to be made again first. */
export async function askOnce(
  ctx: AskContext,
  accountId: string,
  asked: IndexQuestion,
): Promise<SearchAnswer | undefined> {
  const { pool, processes, builds, folder } = ctx
  const question = await narrowToProject(pool, accountId, asked)
  const answered = await askIndexOf(ctx, accountId, (path, patience) =>
    processes.ask('ask', { path, question }, { patience }),
  )
  if (answered === undefined) return undefined
  if (answered === NOTHING) return NOTHING_OWNED
  const { fingerprint: _f, hits: found, query: _, ...counts } = answered
  const [hits, channels] = await Promise.all([
    readHits(ctx, accountId, answered),
    withIds(pool, accountId, counts.channels),
  ])
  const answer = { ...counts, hits, channels, isFull: folder.isFull(accountId) }
  const isWhole = hits.length === found.length
  const isMadeAgain = !isWhole && builds.distrust(accountId, LACKS_TEXTS)
  return isMadeAgain ? undefined : answer
}

/** Lists mentions once; undefined where the index has to be made again first. */
export async function askMentionsOnce(
  ctx: AskContext,
  accountId: string,
  asked: MentionsQuestion,
): Promise<Mentions | undefined> {
  const { pool, processes, builds } = ctx
  const question = await narrowToProject(pool, accountId, asked)
  const answered = await askIndexOf(ctx, accountId, (path, patience) =>
    processes.ask('mentions', { path, question }, { patience }),
  )
  if (answered === undefined) return undefined
  if (answered === NOTHING) return NOTHING_MENTIONED
  const { indexed, owned, total, transcripts, months } = answered
  if (total === null) throw saidTooOften()
  const [mentions, videos, channels] = await Promise.all([
    readMentions(ctx, accountId, answered),
    findMentionedVideos(pool, accountId, answered.videos),
    withIds(pool, accountId, answered.channels),
  ])
  const taken = answered.rows.reduce((sum, { take }) => sum + take, 0)
  if (mentions.length < taken && builds.distrust(accountId, LACKS_TEXTS)) return undefined
  const known = new Map(videos.map((video) => [keyOfRow(video), video]))
  return {
    indexed,
    owned,
    total,
    transcripts,
    mentions,
    videos: answered.videos.flatMap(({ mentions: count, ...row }) => {
      const video = known.get(keyOfRow(row))
      return video === undefined ? [] : [{ ...video, mentions: count }]
    }),
    channels,
    months,
  }
}

const LACKS_TEXTS = 'the store lacks texts that it has'
const NOTHING = 'nothing is owned'

/**
 * Brings the account's index up to date for a moment, and asks it; undefined where it has to be made again first,
 * NOTHING where there is nothing to ask it about.
 */
async function askIndexOf<Answer extends { fingerprint: string; indexed: number }>(
  ctx: AskContext,
  accountId: string,
  ask: (path: string, patience: Patience) => Promise<Answer>,
): Promise<(Answer & Covered) | undefined | typeof NOTHING> {
  const { folder, builds, patience } = ctx
  const held = await patience.without(() => bringUpToDate(ctx, accountId))
  if (held.owned === 0) return NOTHING
  const answered = await ask(folder.pathOf(accountId), patience).catch((error: unknown) => {
    if (error instanceof TaskTooSlow && error.wasBegun) builds.noteAsked(accountId, true)
    if (error instanceof BrokenFile) return undefined
    throw refusalOf(error, 'words')
  })
  builds.noteAsked(accountId, false)
  await makeRoom(ctx, accountId)
  if (answered === undefined) {
    builds.distrust(accountId, 'it is damaged')
    return undefined
  }
  // Texts that were deleted are found no more, not even in numbers: such an index is being made again.
  if (!lackTheSame(answered.fingerprint, held.fingerprint)) return undefined
  if (builds.isOther(accountId, answered.fingerprint)) return undefined
  // What was delivered since it was read what is owned may be in the answer.
  return { ...answered, owned: Math.max(held.owned, answered.indexed) }
}

const BEHIND_AGAIN_MS = 250

/**
 * Waits until the index has all that the account owns, at most `buildMs` from when its writer is up. Returns what the
 * account owned then.
 */
export async function bringUpToDate(
  { pool, processes, folder, builds, buildMs }: BuildContext & { buildMs: number },
  accountId: string,
): Promise<OwnedTranscripts> {
  let owned = await readOwned(pool, accountId)
  if (owned.owned === 0) return owned
  folder.touch(accountId)
  if (!builds.has(accountId, owned))
    await processes.writerUp().catch((error: unknown) => {
      throw refusalOf(error, 'words')
    })
  const late = AbortSignal.timeout(buildMs)
  const over = sleep(buildMs, undefined, { ref: false })
  for (;;) {
    await Promise.race([builds.catchUp(accountId, owned), over])
    if (builds.has(accountId, owned) || folder.isFull(accountId) || late.aborted) return owned
    await Promise.race([sleep(BEHIND_AGAIN_MS), over])
    owned = await readOwned(pool, accountId)
  }
}

type ReadableMentions = { rows: RowMentions[]; query: SearchQuery; most?: number }

/** Returns at most `most` mentions as the store has them now; those of texts that it no longer has are left out. */
export async function readMentions(
  { pool, textStore, processes, patience }: BuildContext & { patience: Patience },
  accountId: string,
  { rows: found, query, most = Infinity }: ReadableMentions,
): Promise<MentionRow[]> {
  if (found.length === 0) return []
  const listed = await findHitRows(pool, accountId, found)
  const read = await withPacked({ db: pool, textStore }, WORDS, listed)
  const rows = new Map(read.map((row) => [keyOfRow(row), row]))
  const kept = found.flatMap(({ skip, take, ...hit }) => {
    const row = rows.get(keyOfRow(hit))
    return row === undefined ? [] : [{ row, skip, take }]
  })
  const texts = kept.map(({ row, skip, take }) => ({ stored: row.stored, skip, take }))
  const said = await processes.ask('mentionsOf', { query, texts, most }, { patience })
  return kept.flatMap(({ row: { stored: _stored, ...row } }, at) =>
    (said[at] ?? []).map((mention) => ({ ...row, ...mention })),
  )
}

/** A hit whose words cannot be read now: that it is one, the index knows. */
const AWAY: Quote = {
  startMs: 0,
  mentions: 1,
  snippet: [{ text: 'These words cannot be read at the moment.', isMatch: false }],
}
const WORDS = { part: 'words', name: 'stored' } as const

/** Returns the hits with what is shown of them, as the store has it now; hits that it no longer has are left out. */
async function readHits(
  { pool, textStore, processes, patience }: AskContext,
  accountId: string,
  { hits: found, query }: IndexAnswer,
): Promise<SearchHit[]> {
  if (found.length === 0) return []
  const listed = await findHitRows(pool, accountId, found)
  const readSome = (some: HitRow[]): Promise<HitRow[]> =>
    withPacked({ db: pool, textStore }, WORDS, some).catch(async (error: unknown) => {
      if (!(error instanceof TextAway)) throw error
      if (some.length === 1 || !error.isAlone) return some
      return (await Promise.all(some.map((row) => readSome([row])))).flat()
    })
  const read = await readSome(listed)
  const rows = new Map(read.map((row) => [keyOfRow(row), row]))
  const kept = found.flatMap((hit) => rows.get(keyOfRow(hit)) ?? [])
  const texts = kept.flatMap(({ stored }) => (stored.length === 0 ? [] : [stored]))
  const quotes = await processes.ask('quote', { query, texts }, { patience })
  return kept.flatMap((row) => {
    const quote = row.stored.length === 0 ? AWAY : quotes.shift()
    return quote == null ? [] : [{ ...row, ...quote }]
  })
}

/** Adds the ids of channels that the index has without one. */
async function withIds<Counted extends IndexedChannel>(
  pool: pg.Pool,
  accountId: string,
  channels: readonly Counted[],
): Promise<Counted[]> {
  const names = channels.flatMap(({ channelName, channelId }) =>
    channelId === null ? (channelName ?? []) : [],
  )
  const ids = await findChannelIds(pool, accountId, names)
  return channels.map((one) => ({
    ...one,
    channelId: one.channelId ?? ids.get(one.channelName ?? '') ?? null,
  }))
}

function saidTooOften(): Problem {
  return new Problem('invalid_request', {
    message:
      'These words are said too often to be counted one by one; look for longer ones, or take all mentions as CSV.',
    field: 'q',
  })
}
