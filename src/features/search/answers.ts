/** Answers from an account's index, which is brought up to date first, and from the texts in the store. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Deadlines } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { TaskTooSlow } from '../../kit/threads.ts'
import { keyOfRow } from '../../model/jobs/video-row.ts'
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
import { type IndexContext, makeRoom, type openIndexBuilds } from './index-builds.ts'
import { BrokenFile } from './index-processes.ts'
import { narrowToProject } from './narrow-to-project.ts'
import type {
  FilteredQuery,
  HitCounts,
  IndexAnswer,
  IndexedChannel,
  IndexQuestion,
  MentionCounts,
  MentionsQuestion,
  RowMentions,
} from './messages.ts'

export type SearchHit = HitRow & Quote

/** An answer; `indexed` of `owned` transcripts were searched. */
export type SearchAnswer = HitCounts & { indexed: number; owned: number; hits: SearchHit[] }

export type MentionRow = HitVideo & Mention

/** A page of mentions with all of them counted; `videos` and `channels` are those with the most. */
export type Mentions = MentionCounts & {
  indexed: number
  owned: number
  total: number
  mentions: MentionRow[]
  videos: (MentionedVideo & { mentions: number })[]
}

export type BuildContext = IndexContext & {
  builds: ReturnType<typeof openIndexBuilds>
  deadlines: Deadlines
}
export type AskContext = BuildContext & { timeLeftMs: () => number }

/** The answer to an account without a transcript, which needs no index. */
const NOTHING_OWNED: SearchAnswer = {
  indexed: 0,
  owned: 0,
  total: 0,
  hits: [],
  channels: [],
  months: [],
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
  const { pool, processes, builds } = ctx
  const [owned, question] = await Promise.all([
    readOwned(pool, accountId),
    narrowToProject(pool, accountId, asked),
  ])
  if (owned.owned === 0) return NOTHING_OWNED
  const answered = await askIndexOf(ctx, { accountId, owned }, (path, options) =>
    processes.ask('ask', { path, question }, options),
  )
  if (answered === undefined) return undefined
  const { fingerprint: _f, hits: found, query: _, indexed, ...counts } = answered
  const [hits, channels] = await Promise.all([
    readHits(ctx, accountId, answered),
    withIds(pool, accountId, counts.channels),
  ])
  const known = { indexed: Math.min(indexed, owned.owned), owned: owned.owned }
  const answer = { ...counts, ...known, hits, channels }
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
  const [owned, question] = await Promise.all([
    readOwned(pool, accountId),
    narrowToProject(pool, accountId, asked),
  ])
  if (owned.owned === 0) return NOTHING_MENTIONED
  const answered = await askIndexOf(ctx, { accountId, owned }, (path, options) =>
    processes.ask('mentions', { path, question }, options),
  )
  if (answered === undefined) return undefined
  const { total } = answered
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
    indexed: Math.min(answered.indexed, owned.owned),
    owned: owned.owned,
    total,
    transcripts: answered.transcripts,
    mentions,
    videos: answered.videos.flatMap(({ mentions: count, ...row }) => {
      const video = known.get(keyOfRow(row))
      return video === undefined ? [] : [{ ...video, mentions: count }]
    }),
    channels,
    months: answered.months,
  }
}

/** Counts mentions once; null where they are too many, undefined where the index has to be made again first. */
export async function askMentionCount(
  ctx: AskContext,
  accountId: string,
  asked: FilteredQuery,
): Promise<number | null | undefined> {
  const [owned, narrowed] = await Promise.all([
    readOwned(ctx.pool, accountId),
    narrowToProject(ctx.pool, accountId, asked),
  ])
  if (owned.owned === 0) return 0
  const question = { ...narrowed, offset: 0, limit: 0 }
  const answered = await askIndexOf(ctx, { accountId, owned }, (path, options) =>
    ctx.processes.ask('mentions', { path, question }, options),
  )
  return answered?.total
}

const LACKS_TEXTS = 'the store lacks texts that it has'

/**
 * Brings the account's index up to date for a moment, and asks it; undefined where it has to be made again first.
 * `ctx.timeLeftMs` is for what the index processes do.
 */
async function askIndexOf<Answer extends { fingerprint: string }>(
  ctx: AskContext,
  { accountId, owned }: { accountId: string; owned: OwnedTranscripts },
  ask: (path: string, options: { deadlineMs: number }) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { folder, builds, timeLeftMs, deadlines } = ctx
  folder.touch(accountId)
  const waited = sleep(deadlines.searchBuildMs, undefined, { ref: false })
  await Promise.race([builds.catchUp(accountId, owned), waited])
  const options = { deadlineMs: timeLeftMs() }
  const answered = await ask(folder.pathOf(accountId), options).catch((error: unknown) => {
    if (error instanceof TaskTooSlow) builds.noteAsked(accountId, true)
    if (error instanceof BrokenFile) return undefined
    throw error
  })
  builds.noteAsked(accountId, false)
  await makeRoom(ctx, accountId)
  if (answered === undefined) {
    builds.distrust(accountId, 'it is damaged')
    return undefined
  }
  // Texts that were deleted are found no more, not even in numbers: such an index is being made again.
  if (!lackTheSame(answered.fingerprint, owned.fingerprint)) return undefined
  return builds.isOther(accountId, answered.fingerprint) ? undefined : answered
}

type ReadableMentions = { rows: RowMentions[]; query: SearchQuery; most?: number }

/** Returns at most `most` mentions as the store has them now; those of texts that it no longer has are left out. */
export async function readMentions(
  { pool, processes, timeLeftMs }: AskContext,
  accountId: string,
  { rows: found, query, most = Infinity }: ReadableMentions,
): Promise<MentionRow[]> {
  if (found.length === 0) return []
  const read = await findHitRows(pool, accountId, found)
  const rows = new Map(read.map((row) => [keyOfRow(row), row]))
  const kept = found.flatMap(({ skip, take, ...hit }) => {
    const row = rows.get(keyOfRow(hit))
    return row === undefined ? [] : [{ row, skip, take }]
  })
  const texts = kept.map(({ row, skip, take }) => ({ stored: row.stored, skip, take }))
  const said = await processes.ask(
    'mentionsOf',
    { query, texts, most },
    { deadlineMs: timeLeftMs() },
  )
  return kept.flatMap(({ row: { stored: _stored, ...row } }, at) =>
    (said[at] ?? []).map((mention) => ({ ...row, ...mention })),
  )
}

/** Returns the hits with what is shown of them, as the store has it now; hits that it no longer has are left out. */
async function readHits(
  { pool, processes, timeLeftMs }: AskContext,
  accountId: string,
  { hits: found, query }: IndexAnswer,
): Promise<SearchHit[]> {
  if (found.length === 0) return []
  const read = await findHitRows(pool, accountId, found)
  const rows = new Map(read.map((row) => [keyOfRow(row), row]))
  const kept = found.flatMap((hit) => rows.get(keyOfRow(hit)) ?? [])
  const texts = kept.map(({ stored }) => stored)
  const quotes = await processes.ask('quote', { query, texts }, { deadlineMs: timeLeftMs() })
  return kept.flatMap((row, at) => {
    const quote = quotes[at] ?? null
    return quote === null ? [] : [{ ...row, ...quote }]
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
