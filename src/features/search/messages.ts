/** What the service asks its index processes, and what they answer. All of it can be sent between processes. */
import type { Quote } from '../../model/search/quote.ts'
import type { SearchQuery } from '../../model/search/search-query.ts'

/** A delivered row with its segments, as stored; `stored` is null where the text is not kept any more. */
export type TextToIndex = {
  index: number
  videoId: string
  channelName: string | null
  publishedAt: string | null
  languageCode: string
  textHash: string | null
  stored: Uint8Array | null
}

/** All rows of a job that were delivered between two numbers of completion; `success` is how many the job then has. */
export type TextsToIndex = {
  jobId: string
  from: number
  to: number
  success: number
  rows: TextToIndex[]
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

export type IndexRequest =
  | { kind: 'standing'; path: string }
  | { kind: 'behind'; path: string; jobs: IndexedJob[] }
  | { kind: 'add'; path: string; texts: TextsToIndex }
  | { kind: 'confirm'; path: string; fingerprint: string; jobs: number }
  | { kind: 'remove'; path: string }
  | { kind: 'ask'; path: string; question: IndexQuestion }
  | { kind: 'quote'; query: SearchQuery; texts: Uint8Array[] }

export type IndexReplies = {
  /** How far the index is; 0 and '' where it was made new. */
  standing: { indexed: number; fingerprint: string }
  /** The jobs of which the index lacks something, with how far it is; null where it knows more than there is. */
  behind: IndexedJob[] | null
  /** The index's bytes; null where another process added meanwhile. */
  add: number | null
  /** False where it has jobs that are gone. */
  confirm: boolean
  remove: true
  ask: IndexAnswer
  quote: (Quote | null)[]
}

/** A reply; `broken` means that the file is damaged, or of another version. */
export type IndexReply =
  | { kind: 'done'; value: IndexReplies[IndexRequest['kind']] }
  | { kind: 'broken'; reason: string }
  | { kind: 'failed'; reason: string }
