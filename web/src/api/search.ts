/** Requests of the search box and its page, and the hits as a file. */
import { queryOptions } from '@tanstack/react-query'
import { eachHit, searchPage, type SearchOptions } from '../../../clients/typescript/src/search.ts'
import type { SearchHit, SearchResults } from '../../../clients/typescript/src/schema.ts'
import { csvLine, guardFormula } from '../../../src/kit/text/csv.ts'
import { publicApi } from './client.ts'

export type { SearchHit, SearchResults }

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
/** Most hits of a file. */
export const CSV_HITS_MAX = 1_000
/** Interval of looks while transcripts are still being added. */
const ADDED_LOOK_MS = 2_000

export const searchQuery = (asked: AskedSearch, page: { offset: number; limit: number }) =>
  queryOptions<SearchResults>({
    queryKey: ['search', asked, page],
    queryFn: ({ signal }) => searchPage(publicApi, { ...given(asked), ...page, signal }),
    placeholderData: (before: SearchResults | undefined) => before,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.indexed < state.data.owned ? ADDED_LOOK_MS : false,
    retry: false,
  })

/** Returns the hits as comma-separated values, with a byte order mark so that spreadsheets read the encoding. */
export async function hitsAsCsv(asked: AskedSearch): Promise<Blob> {
  const lines = [csvLine(['title', 'channel', 'published', 'language', 'seconds', 'quote', 'url'])]
  for await (const hit of eachHit(publicApi, { ...given(asked), limit: 50 })) {
    if (lines.push(csvLine(cellsOf(hit))) > CSV_HITS_MAX) break
  }
  return new Blob(['\ufeff', lines.join('')], { type: 'text/csv;charset=utf-8' })
}

function given({ q, ...filters }: AskedSearch): AskedSearch & Omit<SearchOptions, 'signal'> {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return { q, ...Object.fromEntries(set) }
}

function cellsOf(hit: SearchHit): string[] {
  return [
    hit.title ?? '',
    hit.channelName ?? '',
    hit.publishedAt ?? '',
    hit.languageCode,
    String(Math.floor(hit.startMs / 1000)),
    hit.snippet.map(({ text }) => text).join(''),
    hit.url,
  ].map(guardFormula)
}
