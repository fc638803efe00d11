/** Search in the account's transcripts: page by page, or hit by hit. */
import type { CallOptions } from './jobs.ts'
import type { SearchData, SearchHit, SearchResults } from './schema.ts'
import type { Transport } from './transport.ts'

type SearchQuery = NonNullable<SearchData['query']>

/** The filters, order and page of GET /search. */
export type SearchOptions = CallOptions & Omit<SearchQuery, 'q'>

export function searchPage(
  transport: Transport,
  { signal, ...query }: CallOptions & SearchQuery,
): Promise<SearchResults> {
  return transport.json({ method: 'GET', path: '/search', query, signal })
}

export async function* eachHit(
  transport: Transport,
  asked: CallOptions & SearchQuery,
): AsyncGenerator<SearchHit, void, undefined> {
  for (let offset: number | null = asked.offset ?? 0; offset !== null;) {
    const page: SearchResults = await searchPage(transport, { ...asked, offset })
    yield* page.hits
    offset = page.nextOffset
  }
}
