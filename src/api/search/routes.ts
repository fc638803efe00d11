/** GET /search: what was said in the account's transcripts, and when (an extension). */
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import type { SearchHit } from '../../features/search/answers.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { answer, nullable, pageOf } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { SearchFields } from './schema.ts'
import { searchPage, searchQuestion, urlAt } from './question.ts'

export const Snippet = Type.Array(Type.Object({ text: Type.String(), isMatch: Type.Boolean() }), {
  description: 'What is said in the ten seconds around it, in pieces: those that match are marked',
})

const Hit = Type.Object(
  {
    jobId: JobId,
    index: Type.Integer({
      minimum: 1,
      description: 'Index of the video in the job that delivered it',
    }),
    videoId: Type.String(),
    title: nullable(Type.String()),
    channelName: nullable(Type.String()),
    channelId: nullable(Type.String()),
    publishedAt: nullable(Type.String()),
    languageCode: Type.String(),
    startMs: Type.Integer({ description: 'When the first marked words are said' }),
    snippet: Snippet,
    mentions: Type.Integer({ description: 'How often the words are said in this transcript' }),
    url: Type.String({ format: 'uri', description: 'The video, from that second on' }),
  },
  { title: 'SearchHit' },
)

const Answer = Type.Object(
  {
    indexed: Type.Integer({ description: 'Transcripts that were searched' }),
    owned: Type.Integer({
      description: 'Transcripts delivered to the account; above `indexed` while more are added',
    }),
    ...pageOf('hits', Hit),
    channels: Type.Array(
      Type.Object({
        channelName: nullable(Type.String()),
        channelId: nullable(Type.String()),
        count: Type.Integer(),
      }),
      { description: 'Hits of each channel, most first; at most 50 channels' },
    ),
    months: Type.Array(
      Type.Object({
        month: nullable(Type.String({ description: 'YYYY-MM, UTC', examples: ['2026-03'] })),
        count: Type.Integer(),
      }),
      { description: 'Hits of each month of publication, in order; null: of unknown date, first' },
    ),
  },
  { title: 'SearchResults' },
)

const schema = {
  summary: 'Search what is said in your transcripts',
  description:
    'One hit for each transcript that has all the words, with the ten seconds that hold most of them. `a OR b` finds either, ' +
    '`(a b) OR c` parts in parentheses. Characters of Chinese, Japanese, ' +
    'Korean, Thai, Lao, Khmer and Burmese are found in any part of a text, German and other compounds by any part of four letters, Hebrew and ' +
    'Arabic words with their prefixes; a word in quotes only as it is. Transcripts that were delivered a moment ago are added when you search: ' +
    'while `indexed` is below `owned`, search again.',
  operationId: 'search',
  tags: ['Search'],
  querystring: SearchFields,
  response: { 200: answer(Answer, 'A page of hits, with all hits counted by channel and month') },
}

export function searchRoutes({ search }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/search', { schema, config: READING }, async (request, reply) => {
      const question = searchQuestion(request.query)
      const found = await search.find(accountOf(request), question)
      const { indexed, owned, total, hits: listed, channels, months } = found
      const hits = listed.map(presentHit)
      reply.header('Cache-Control', 'no-store')
      return { indexed, owned, ...searchPage(question, total), hits, channels, months }
    })
  }
}

function presentHit({ stored: _stored, url, ...hit }: SearchHit): Static<typeof Hit> {
  return { ...hit, url: urlAt({ url, startMs: hit.startMs }) }
}
