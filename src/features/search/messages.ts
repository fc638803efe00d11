/** Questions to the index processes, and their answers. All of it can be sent between processes. */
import type { DayBounds } from '../../model/jobs/date-bounds.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import type { IndexedRow, IndexedText } from '../../model/search/packed-row.ts'
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
export type IndexedJob = Progress & { id: string }
export type Progress = { done: number; success: number }

/** Bounds of a search, as they are sent between processes: instants in milliseconds. */
export type DateSpan = DayBounds & {
  afterMs: number | null
  beforeMs: number | null
}

export type IndexFilter = {
  /** The channel's name as it is written, or its id on the platform, or the id of a project; null for any. */
  channel: string | null
  /** The only texts to look into, where the channel is a project: each by its video and its words' hash. */
  texts?: IndexedText[]
  /** The platform's id of the only video to look into; null for any. */
  videoId: string | null
  /** A language code, or the beginning of codes up to a hyphen; null for any. */
  language: string | null
  /** The dates between which it was published; null for any. */
  dates: DateSpan | null
}

/** Transcripts that match, among those that pass the filter. */
export type FilteredQuery = { query: SearchQuery; filter: IndexFilter }

/** `counted` asks also how often it is said. */
export type IndexQuestion = MentionsQuestion & {
  sort: 'relevance' | 'newest'
  counted?: boolean
}

export type IndexedChannel = { channelName: string | null; channelId: string | null }

type Answered = {
  /** Number of delivered rows that were looked at, and the state of the jobs that this is; '' while more are added. */
  indexed: number
  fingerprint: string
  /** The query with the words for which its terms stand here. */
  query: SearchQuery
}

export type HitCounts = {
  total: number
  /** Channels, most hits first; not all of them. Name and id are null where they are not known. */
  channels: (IndexedChannel & { count: number })[]
  /** Months in order; `month` is null, and first, for transcripts without a known date. */
  months: { month: string | null; count: number }[]
}

export type FoundHits = Answered & HitCounts & { hits: RowKey[] }

/** `mentions` is null where it was not asked for, or the words are said too often to be counted. */
export type IndexAnswer = FoundHits & { mentions: number | null }

/** A page of mentions: newest video first and within it in order of the text. */
export type MentionsQuestion = FilteredQuery & { offset: number; limit: number }

/** A row of a job with those of its mentions that are on the page: after the first `skip`, and at most `take`. */
export type RowMentions = RowKey & { skip: number; take: number }

type MentionCount = { transcripts: number; mentions: number }

export type MentionCounts = {
  transcripts: number
  channels: (IndexedChannel & MentionCount)[]
  /** In order; null, and first, for what has no known date. */
  months: ({ month: string | null } & MentionCount)[]
}

export type MentionsAnswer = Answered &
  MentionCounts & {
    /** Null where the words are said too often to be counted; then nothing is counted and no row is listed. */
    total: number | null
    rows: RowMentions[]
    /** Videos, most mentions first; not all of them. */
    videos: (RowKey & { mentions: number })[]
  }

/** Transcripts that match, newest first, below the number of one that was listed before; null for the newest. */
export type MatchesQuestion = FilteredQuery & { below: bigint | null; limit: number }

export type MatchesAnswer = Answered & {
  /** Changes where the index was made again, whose numbers are others. */
  made: string
  rows: (RowKey & { number: bigint })[]
}
