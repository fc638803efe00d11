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
  /** The channel's name as it is written; null for any. */
  channel: string | null
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

export type IndexAnswer = {
  /** Number of delivered rows that were looked at, and the state of the jobs that this is; '' while more are added. */
  indexed: number
  fingerprint: string
  total: number
  hits: { jobId: string; index: number }[]
  /** Channels, most hits first; not all of them. `channelName` is null where it is not known. */
  channels: { channelName: string | null; count: number }[]
  /** Months in order; `month` is null, and first, for transcripts without a known date. */
  months: { month: string | null; count: number }[]
  /** The query with the words for which its terms stand here. */
  query: SearchQuery
}
