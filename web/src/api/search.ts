/** Requests of the search box and its page. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { mentionsPage, searchPage } from '../../../clients/typescript/src/search.ts'
import type {
  Mention,
  Mentions,
  SearchHit,
  SearchResults,
} from '../../../clients/typescript/src/schema.ts'
import { publicApi } from './client.ts'
import { ApiError } from './problem.ts'

export type { Mention, Mentions, SearchHit, SearchResults }

/** A search as the address holds it. */
export type AskedSearch = {
  q: string
  channel?: string
  language?: string
  after?: string
  before?: string
  sort?: 'relevance' | 'newest'
}

/** The address of the page of hits; `month` is one of its bars. */
export type SearchAddress = Partial<AskedSearch> & { month?: string; page?: number }

export const HITS_PAGE = 20
/** Interval of looks while transcripts are still being added, or the service is busy, as when its search starts. */
const ADDED_LOOK_MS = 2_000
const BUSY_LOOKS_MAX = 5

const WAITING = {
  placeholderData: keepPreviousData,
  retry: (looks: number, error: Error) =>
    looks < BUSY_LOOKS_MAX && error instanceof ApiError && error.status === 503,
  retryDelay: ADDED_LOOK_MS,
  refetchInterval: ({ state: { data } }: { state: { data: Covered | undefined } }) =>
    data !== undefined && data.indexed < data.owned ? ADDED_LOOK_MS : (false as const),
}
type Covered = { indexed: number; owned: number }

export const searchQuery = (asked: AskedSearch, page: { offset: number; limit: number }) =>
  queryOptions<SearchResults>({
    queryKey: ['search', asked, page],
    queryFn: ({ signal }) => searchPage(publicApi, { ...given(asked), ...page, signal }),
    ...WAITING,
  })

/** Mentions of a search, all or those of one video; `limit` of them from `offset` on. */
export const mentionsQuery = (
  asked: AskedSearch,
  { video, offset, limit }: { video?: string; offset: number; limit: number },
) =>
  queryOptions<Mentions>({
    queryKey: ['mentions', asked, video, offset, limit],
    queryFn: ({ signal }) => {
      const { sort: _, ...filters } = given(asked)
      const one = video === undefined ? {} : { video }
      return mentionsPage(publicApi, { ...filters, ...one, offset, limit, signal })
    },
    ...WAITING,
  })

/** Returns where the browser downloads all mentions of a search. */
export function mentionsCsvAddress(asked: AskedSearch): string {
  const { sort: _, ...filters } = given(asked)
  return `/account/mentions.csv?${new URLSearchParams(filters)}`
}

/** Returns a search without what is empty. */
export function given({ q, ...filters }: AskedSearch): AskedSearch {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return { q, ...Object.fromEntries(set) }
}
