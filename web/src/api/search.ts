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
/** Interval of looks while transcripts are still being added. */
const ADDED_LOOK_MS = 2_000

export const searchQuery = (asked: AskedSearch, page: { offset: number; limit: number }) =>
  queryOptions<SearchResults>({
    queryKey: ['search', asked, page],
    queryFn: ({ signal }) => searchPage(publicApi, { ...given(asked), ...page, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.indexed < state.data.owned ? ADDED_LOOK_MS : false,
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
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.indexed < state.data.owned ? ADDED_LOOK_MS : false,
  })

/** Returns where the browser downloads all mentions of a search. */
export function mentionsCsvAddress(asked: AskedSearch): string {
  const { sort: _, ...filters } = given(asked)
  return `/account/mentions.csv?${new URLSearchParams(filters)}`
}

function given({ q, ...filters }: AskedSearch): AskedSearch {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return { q, ...Object.fromEntries(set) }
}
