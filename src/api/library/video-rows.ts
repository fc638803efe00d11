/** /jobs/{id}/videos/{index}: a row of a job, what is known of its video, when its words are said (extensions). */
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import { readVideo } from '../../features/library/read-library.ts'
import { found } from '../../kit/problem.ts'
import { WORD_FILES, type WordFile, WORDS } from '../../model/files/catalogue.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { answer } from '../contract.ts'
import { indexOf, JobVideo, RowParams as params, WordsSchema } from './schema.ts'
import { presentJobVideo } from './present.ts'
import { contentOf, namesQuery } from '../files/schema.ts'
import { fileRequest } from '../send.ts'
import { fileAnswers, sendWordFile } from '../files/send-files.ts'

const rowSchema = {
  tags: ['Library'],
  summary: 'Read one row of a job with what the platform says of its video',
  operationId: 'getJobVideo',
  params,
  response: { 200: answer(JobVideo, 'The row, without its text') },
}

const wordQuery = Type.Object({ names: namesQuery })

const wordSchema = (file: WordFile) => ({
  operationId: WORDS[file].operationId,
  summary: WORDS[file].summary,
  tags: ['Results'],
  description:
    'Of automatic captions, as a rule; a segment of which the platform times no words has none. Not found where ' +
    '`hasWordTimes` of the row is false: the platform published none, or an earlier release fetched the text. ' +
    'The files have a strong ETag and honour If-None-Match and Range.',
  params,
  querystring: wordQuery,
  response: answersOf(contentOf(WORDS[file].media)),
})

/** Returns the answers: a part of JSON is no JSON. */
function answersOf(content: ReturnType<typeof contentOf>) {
  const isJson = 'application/json' in content
  return fileAnswers(isJson ? { 'application/json': { schema: WordsSchema } } : content, content)
}

export function videoRowRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db } = ctx
  return async (app) => {
    app.get('/jobs/:id/videos/:index', { schema: rowSchema, config: READING }, async (request) => {
      const { id: jobId } = request.params
      const index = indexOf(request.params.index)
      return presentJobVideo(
        found(await readVideo(db, { accountId: accountOf(request), jobId, index })),
      )
    })

    for (const file of WORD_FILES) {
      const options = { schema: wordSchema(file), config: READING }
      app.get(`/jobs/:id/videos/:index/${file}`, options, async (request, reply) => {
        const { id: jobId, index } = request.params as { id: string; index: string }
        const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
        const { names: naming } = request.query as Static<typeof wordQuery>
        return sendWordFile(to, { jobId, index: indexOf(index), file, naming })
      })
    }
  }
}
