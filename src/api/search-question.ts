/** What a search may ask, by the API and by agents, and how it is read. */
import { type Static, Type } from 'typebox'
import { type PageInfo, pageInfo, type PageRequest } from '../kit/page.ts'
import { readDateBounds } from '../model/jobs/date-bounds.ts'
import { Problem } from '../kit/problem.ts'
import { FAULT_SENTENCES, readQuery, type SearchQuery } from '../model/search/search-query.ts'
import { optionalInteger, optionalText, wordOf } from './contract.ts'
import type { IndexFilter, IndexQuestion, MentionsQuestion } from '../features/search/messages.ts'

const SEARCH_QUERY_CHARS = 200
const SEARCH_PAGE_MAX = 50
/** The largest offset to which a caller can page. */
const SEARCH_OFFSET_MAX = 10_000
const SEARCH_FILTER_CHARS = 200

const SEARCH_PAGE = 20

export const SearchFields = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: SEARCH_QUERY_CHARS,
    description:
      'Words, "phrases", beginnings*, -exclusions, OR and parentheses; accents and case do not matter',
    examples: ['zoo', '"in front of" elephants', 'elephant* -zoo', '(zoo OR circus) elephants'],
  }),
  channel: optionalText({
    minLength: 1,
    maxLength: SEARCH_FILTER_CHARS,
    description:
      'Only this channel: its id on the platform (`UC…`), or its name as hits have it; or only a project, by its id (`prj_…`)',
  }),
  language: optionalText({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
    description: 'Only transcripts in this language; `pt` includes `pt-BR`',
    examples: ['en'],
  }),
  after: optionalText({
    minLength: 1,
    description: 'Only videos published then or later: YYYY-MM-DD or an ISO date-time',
  }),
  before: optionalText({
    minLength: 1,
    description:
      'Only videos published then or before: YYYY-MM-DD (its whole day) or an ISO date-time',
  }),
  sort: Type.Optional(
    wordOf(['relevance', 'newest'], {
      default: 'relevance',
      description:
        'Order of the hits: by relevance (BM25) or by publish date; of equal hits, the newest comes first',
    }),
  ),
  offset: optionalInteger({
    minimum: 0,
    maximum: SEARCH_OFFSET_MAX,
    default: 0,
    description: 'How many hits to skip',
  }),
  limit: optionalInteger({
    minimum: 1,
    maximum: SEARCH_PAGE_MAX,
    default: SEARCH_PAGE,
    description: 'Page length',
  }),
})

/** Bounds of a page of mentions; the offset reaches all that are counted. */
const MENTIONS_PAGE_MAX = 200
const MENTIONS_OFFSET_MAX = 2_000_000
const MENTIONS_PAGE = 50

const { q, channel, language, after, before } = SearchFields.properties

/** What chooses mentions, of all of them (CSV) or of a page. */
const mentionFields = {
  q,
  channel,
  language,
  after,
  before,
  video: optionalText({
    pattern: '^[\\w-]{11}$',
    description: 'Only this video, by its id on the platform',
  }),
}

export const AllMentionsFields = Type.Object(mentionFields)
export const MentionsFields = Type.Object({
  ...mentionFields,
  offset: optionalInteger({
    minimum: 0,
    maximum: MENTIONS_OFFSET_MAX,
    default: 0,
    description: 'How many mentions to skip',
  }),
  limit: optionalInteger({
    minimum: 1,
    maximum: MENTIONS_PAGE_MAX,
    default: MENTIONS_PAGE,
    description: 'Page length',
  }),
})

type SearchAsked = Static<typeof SearchFields>
type MentionsAsked = Static<typeof MentionsFields>

/** Reads a search. Throws the Problem of a text that cannot be searched for. */
export function searchQuestion(asked: SearchAsked): IndexQuestion {
  const { sort = 'relevance', offset = 0, limit = SEARCH_PAGE } = asked
  return { query: queryOf(asked), filter: searchFilterOf(asked), sort, offset, limit }
}

/** Reads what is asked about mentions. Throws the Problem of a text that cannot be searched for. */
export function mentionsQuestion(asked: MentionsAsked): MentionsQuestion {
  const { video = null, offset = 0, limit = MENTIONS_PAGE } = asked
  const filter = { ...searchFilterOf(asked), videoId: video }
  return { query: queryOf(asked), filter, offset, limit }
}

function queryOf({ q }: Pick<SearchAsked, 'q'>): SearchQuery {
  const query = readQuery(q)
  if ('fault' in query)
    throw new Problem('invalid_request', { message: FAULT_SENTENCES[query.fault], field: 'q' })
  return query
}

function searchFilterOf({
  channel,
  language,
  after,
  before,
}: Omit<MentionsAsked, 'q'>): IndexFilter {
  const reading = readDateBounds({
    publishedAfter: after ?? null,
    publishedBefore: before ?? null,
  })
  if (reading.kind === 'rejected') {
    const isAfter = reading.field === 'publishedAfter'
    const message = reading.sentence
      .replaceAll('publishedAfter', 'after')
      .replaceAll('publishedBefore', 'before')
    throw new Problem('invalid_request', { message, field: isAfter ? 'after' : 'before' })
  }
  const { afterAt, beforeAt } = reading.bounds
  return {
    channel: channel ?? null,
    videoId: null,
    language: language ?? null,
    afterMs: afterAt?.getTime() ?? null,
    beforeMs: beforeAt?.getTime() ?? null,
  }
}

/** Returns where a page of hits stands; nothing is listed beyond the contract's bound. */
export function searchPage({ offset, limit }: PageRequest, total: number): PageInfo {
  const page = pageInfo({ offset, limit }, total)
  return offset + limit <= SEARCH_OFFSET_MAX ? page : { ...page, nextOffset: null }
}

/** Returns the video's address from the second on in which it is said. */
export function urlAt({ url, startMs }: { url: string; startMs: number }): string {
  return `${url}&t=${Math.floor(startMs / 1000)}s`
}
