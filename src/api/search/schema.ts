/** Questions of a search, by the API and by agents. */
import { Type } from 'typebox'
import { optionalInteger, optionalText, wordOf } from '../contract.ts'
import { separatorQuery } from '../files/schema.ts'

const SEARCH_QUERY_CHARS = 200
const SEARCH_PAGE_MAX = 50
/** The largest offset to which a caller can page. */
export const SEARCH_OFFSET_MAX = 10_000
const SEARCH_FILTER_CHARS = 200

export const SEARCH_PAGE = 20

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
export const MENTIONS_PAGE = 50

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
    examples: ['jNQXAC9IVRw'],
    description: 'Only this video, by its id on the platform',
  }),
}

export const AllMentionsFields = Type.Object({ ...mentionFields, ...separatorQuery })
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
