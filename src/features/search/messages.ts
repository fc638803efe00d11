/** What the service asks its index processes, and what they answer. All of it can be sent between processes. */
import type { IndexedRow } from '../../model/search/packed-row.ts'
import type { SearchQuery } from '../../model/search/search-query.ts'

/** All rows of a job that were delivered between two numbers of completion; `success` is how many the job then has. */
export type TextsToIndex = {
  jobId: string
  from: number
  to: number
  success: number
  rows: IndexedRow[]
}

/** How far a job is, in the store or in the index. */
export type IndexedJob = { id: string; done: number; success: number }

export type IndexFilter = {
  /** The channel's name as it is written, or its id on the platform, or the id of a project; null for any. */
  channel: string | null
  /** The only texts to look into, where the channel is a project: each by its video and its words' hash. */
  texts?: { videoId: string; textHash: string | null }[]
  /** The platform's id of the only video to look into; null for any. */
  videoId: string | null
  /** A language code, or the beginning of codes up to a hyphen; null for any. */
  language: string | null
  /** Bounds, both inclusive, by the hour. */
  afterMs: number | null
  beforeMs: number | null
}

export type IndexQuestion = {
  query: SearchQuery
  filter: IndexFilter
  sort: 'relevance' | 'newest'
  offset: number
  limit: number
}

export type IndexedChannel = { channelName: string | null; channelId: string | null }

export type IndexAnswer = {
  /** Number of delivered rows that were looked at, and the state of the jobs that this is; '' while more are added. */
  indexed: number
  fingerprint: string
  total: number
  hits: { jobId: string; index: number }[]
  /** Channels, most hits first; not all of them. Name and id are null where they are not known. */
  channels: (IndexedChannel & { count: number })[]
  /** Months in order; `month` is null, and first, for transcripts without a known date. */
  months: { month: string | null; count: number }[]
  /** The query with the words for which its terms stand here. */
  query: SearchQuery
}

/** What is asked about mentions: those of a page, newest video first and within it in order of the text. */
export type MentionsQuestion = Omit<IndexQuestion, 'sort'>

/** A row of a job with those of its mentions that are on the page: after the first `skip`, and at most `take`. */
export type RowMentions = { jobId: string; index: number; skip: number; take: number }

type MentionCount = { transcripts: number; mentions: number }

export type MentionsAnswer = Pick<IndexAnswer, 'indexed' | 'fingerprint' | 'query'> & {
  /** Null where the words are said too often to be counted; then nothing is counted and no row is listed. */
  total: number | null
  transcripts: number
  rows: RowMentions[]
  /** Videos, most mentions first; not all of them. */
  videos: { jobId: string; index: number; mentions: number }[]
  channels: (IndexedChannel & MentionCount)[]
  /** In order; null, and first, for what has no known date. */
  months: ({ month: string | null } & MentionCount)[]
}

/** Transcripts that match, newest first, below the number of one that was listed before; null for the newest. */
export type MatchesQuestion = {
  query: SearchQuery
  filter: IndexFilter
  below: bigint | null
  limit: number
}

export type MatchesAnswer = Pick<IndexAnswer, 'indexed' | 'fingerprint' | 'query'> & {
  /** Changes where the index was made again, whose numbers are others. */
  made: string
  rows: { jobId: string; index: number; number: bigint }[]
}
