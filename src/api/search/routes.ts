/** GET /search: what was said in the account's transcripts, and when (an extension). */
import type { FastifyPluginAsyncTypebox, Static } from '@fastify/type-provider-typebox'
import type { SearchHit } from '../../features/search/answers.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { answer } from '../contract.ts'
import { type HitSchema, HitsPage } from './answers.ts'
import { SearchFields } from './schema.ts'
import { searchPage, searchQuestion, urlAt } from './question.ts'

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
  response: { 200: answer(HitsPage, 'A page of hits, with all hits counted by channel and month') },
}

export function searchRoutes({ search }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/search', { schema, config: READING }, async (request) => {
      const question = searchQuestion(request.query)
      const found = await search.find(accountOf(request), question)
      const { indexed, owned, total, hits: listed, channels, months } = found
      const hits = listed.map(presentHit)
      return { indexed, owned, ...searchPage(question, total), hits, channels, months }
    })
  }
}

function presentHit({ stored: _stored, url, ...hit }: SearchHit): Static<typeof HitSchema> {
  return { ...hit, url: urlAt({ url, startMs: hit.startMs }) }
}
