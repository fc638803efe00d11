/** Questions of searches as our features read them, and where an answer leads. */
import type { Static } from 'typebox'
import { type PageInfo, pageInfo, type PageRequest } from '../../kit/page.ts'
import { readDateBounds } from '../../model/jobs/date-bounds.ts'
import { Problem } from '../../kit/problem.ts'
import { FAULT_SENTENCES, readQuery, type SearchQuery } from '../../model/search/search-query.ts'
import type {
  IndexFilter,
  IndexQuestion,
  MentionsQuestion,
} from '../../features/search/messages.ts'
import {
  SearchFields,
  MentionsFields,
  SEARCH_PAGE,
  MENTIONS_PAGE,
  SEARCH_OFFSET_MAX,
} from './schema.ts'

type SearchAsked = Static<typeof SearchFields>

type MentionsAsked = Static<typeof MentionsFields>

/** Reads a search. Throws the Problem of a text that cannot be searched for. */
export function searchQuestion(asked: SearchAsked): IndexQuestion {
  const { sort = 'relevance', offset = 0, limit = SEARCH_PAGE } = asked
  return { query: queryOf(asked.q), filter: searchFilterOf(asked), sort, offset, limit }
}

/** Reads what is asked about mentions. Throws the Problem of a text that cannot be searched for. */
export function mentionsQuestion(asked: MentionsAsked): MentionsQuestion {
  const { video = null, offset = 0, limit = MENTIONS_PAGE } = asked
  const filter = { ...searchFilterOf(asked), videoId: video }
  return { query: queryOf(asked.q), filter, offset, limit }
}

function queryOf(q: string): SearchQuery {
  const query = readQuery(q)
  if ('fault' in query)
    throw new Problem('invalid_request', { message: FAULT_SENTENCES[query.fault], field: 'q' })
  return query
}

function searchFilterOf(asked: SearchAsked | MentionsAsked): IndexFilter {
  const { channel, language, after, before } = asked
  const reading = readDateBounds([after ?? null, before ?? null], ['after', 'before'])
  if (reading.kind === 'rejected')
    throw new Problem('invalid_request', { message: reading.sentence, field: reading.field })
  const { afterAt, beforeAt, ...days } = reading.bounds
  return {
    channel: channel ?? null,
    videoId: null,
    language: language ?? null,
    dates: {
      ...days,
      afterMs: afterAt?.getTime() ?? null,
      beforeMs: beforeAt?.getTime() ?? null,
    },
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
