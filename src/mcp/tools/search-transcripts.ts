/** The tool `search_transcripts`: where something is said in what the account has, and when. */
import { Type } from 'typebox'
import { SearchFields } from '../../api/search/schema.ts'
import { searchPage, searchQuestion, urlAt } from '../../api/search/question.ts'
import type { SearchHit } from '../../features/search/answers.ts'
import { closedObject, nullable } from '../../api/contract.ts'
import { countField, NAMED, textField, textList } from '../answers.ts'
import { INSTEAD } from '../next-steps.ts'
import { briefly, defineTool, jsonAnswer, READS, withoutNulls } from '../tool.ts'

const MCP_HITS_MAX = 50

const LISTED = 10

const { q, channel, language, after, before, sort, offset } = SearchFields.properties
const input = closedObject({
  q: briefly(q, 'Words, "phrases", beginnings*, -exclusions, OR'),
  channel: briefly(channel),
  language: briefly(language),
  after: briefly(after, 'Published: YYYY-MM-DD'),
  before: briefly(before),
  sort: briefly(sort),
  offset: briefly(offset),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MCP_HITS_MAX, default: LISTED })),
})

const output = closedObject({
  indexed: countField,
  owned: countField,
  total: countField,
  mentions: nullable(countField),
  nextOffset: nullable(countField),
  notices: Type.Optional(textList),
  hits: Type.Array(
    closedObject({
      jobId: textField,
      index: countField,
      ...NAMED,
      quote: textField,
      startMs: countField,
      mentions: countField,
      url: textField,
    }),
  ),
})

export const searchTranscriptsTool = defineTool({
  name: 'search_transcripts',
  title: 'Search transcripts',
  description:
    'Finds what is said in the transcripts that you own, not on the platform: a quote of each and its second. ' +
    INSTEAD.search_transcripts,
  input,
  output,
  shows: ['hits', 'total', 'nextOffset'],
  needs: ['transcripts:read'],
  hints: READS,
  async run(asked, { accountId }, { search }) {
    const question = searchQuestion({ ...asked, limit: asked.limit ?? LISTED })
    const found = await search.findInAll(accountId, { ...question, counted: true })
    const { indexed, owned, total, mentions, hits } = found
    const { nextOffset } = searchPage(question, total)
    const notices = indexed < owned ? { notices: [noRoom(indexed, owned)] } : {}
    const counts = { indexed, owned, total, mentions, nextOffset }
    return jsonAnswer({ ...counts, ...notices, hits: hits.map(briefHit) })
  },
})

function noRoom(indexed: number, owned: number): string {
  return `Only ${indexed} of your ${owned} transcripts were searched: this server has no room for more in its index.`
}

/** Returns what leads to the text, without what is not known. */
function briefHit({ snippet, url, startMs, ...row }: SearchHit) {
  const { jobId, index, title, channelName, publishedAt, languageCode, mentions } = row
  const known = { title, channelName, publishedAt, languageCode }
  return {
    jobId,
    index,
    ...withoutNulls(known),
    quote: snippet.map(({ text, isMatch }) => (isMatch ? `**${text}**` : text)).join(''),
    startMs,
    mentions,
    url: urlAt({ url, startMs }),
  }
}
