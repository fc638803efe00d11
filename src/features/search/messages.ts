/** What the service asks its index threads, and what they answer. All of it can be sent between threads. */
import type { Quote } from '../../model/search/quote.ts'
import type { SearchQuery } from '../../model/search/search-query.ts'

/** A delivered row with its segments, as stored; `stored` null where the text is not kept any more. */
export type TextToIndex = {
  index: number
  videoId: string
  channelName: string | null
  publishedAt: string | null
  languageCode: string
  textHash: string | null
  stored: Uint8Array | null
}

/** Rows of a job, all those delivered between two numbers of completion; `success`: how many the job then has. */
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
  /** As its name is written; any where null. */
  channel: string | null
  /** A code, or the beginning of some up to a hyphen. */
  language: string | null
  /** Both inclusive, by the hour. */
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
  /** Delivered rows that were looked at, and which state of the jobs that is; '' while more are added. */
  indexed: number
  fingerprint: string
  total: number
  hits: { jobId: string; index: number }[]
  /** Most hits first; not all. `channelName` null: not known. */
  channels: { channelName: string | null; count: number }[]
  /** In order; `month` null, first: of transcripts whose date is not known. */
  months: { month: string | null; count: number }[]
  /** With the words that its terms stand for here. */
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
  /** Of an index that was made new: 0 and ''. */
  standing: { indexed: number; fingerprint: string }
  /** Those of the jobs that the index lacks something of, as far as it is; null: it knows more than there is. */
  behind: IndexedJob[] | null
  /** The index's bytes; null where another process went on meanwhile. */
  add: number | null
  /** False where it has jobs that are no more. */
  confirm: boolean
  remove: true
  ask: IndexAnswer
  quote: (Quote | null)[]
}

/** `broken`: the file is damaged, or of another version. */
export type IndexReply =
  | { kind: 'done'; value: IndexReplies[IndexRequest['kind']] }
  | { kind: 'broken'; reason: string }
  | { kind: 'failed'; reason: string }
