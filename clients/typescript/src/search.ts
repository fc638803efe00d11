/** Search in the account's transcripts: page by page, hit by hit, or mention by mention. */
import { type FileStream, openFileStream } from './files.ts'
import type { CallOptions } from './jobs.ts'
import type {
  ListMentionsData,
  Mention,
  Mentions,
  SearchData,
  SearchHit,
  SearchResults,
} from './schema.ts'
import type { Transport } from './transport.ts'

type SearchQuery = NonNullable<SearchData['query']>
type MentionsQuery = NonNullable<ListMentionsData['query']>

/** The filters, order and page of GET /search. */
export type SearchOptions = CallOptions & Omit<SearchQuery, 'q'>
/** The filters and page of GET /search/mentions. */
export type MentionsOptions = CallOptions & Omit<MentionsQuery, 'q'>

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

/** Largest page of mentions. */
const MENTIONS_PAGE = 200

export function mentionsPage(
  transport: Transport,
  { signal, ...query }: CallOptions & MentionsQuery,
): Promise<Mentions> {
  return transport.json({ method: 'GET', path: '/search/mentions', query, signal })
}

export async function* eachMention(
  transport: Transport,
  asked: CallOptions & MentionsQuery,
): AsyncGenerator<Mention, void, undefined> {
  for (let offset: number | null = asked.offset ?? 0; offset !== null;) {
    const page: Mentions = await mentionsPage(transport, {
      limit: MENTIONS_PAGE,
      ...asked,
      offset,
    })
    yield* page.mentions
    offset = page.nextOffset
  }
}

export function mentionsCsv(
  transport: Transport,
  { signal, ...query }: CallOptions & Omit<MentionsQuery, 'offset' | 'limit'>,
): Promise<FileStream> {
  return openFileStream(transport, { path: '/search/mentions.csv', query, signal })
}
