/** GET and HEAD /batches/{id}/files/{file}: files over all jobs of a batch (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { COLLECTION_FILE } from '../../model/files/addresses.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import {
  COLLECTION_CONTENT,
  contentOf,
  exportQuery,
  formatsQuery,
  namesQuery,
  notebookQuery,
  tableQuery,
  textsQuery,
} from '../files/schema.ts'
import { fileAnswers, sendOrderFile } from '../files/send-files.ts'
import { fileRequest } from '../send.ts'
import { BatchId } from './schema.ts'

export const batchFileParams = Type.Object({
  id: BatchId,
  file: Type.String({ pattern: COLLECTION_FILE }),
})

const schema = {
  summary: 'Download the transcripts of all jobs of a batch',
  description:
    'As the files of a job: rows of all jobs are numbered through, each text stands once, and the report says which row ' +
    'of which job holds it.',
  operationId: 'getBatchFile',
  tags: ['Batches'],
  params: batchFileParams,
  querystring: Type.Object({
    names: namesQuery,
    ...textsQuery,
    ...tableQuery,
    formats: formatsQuery('what the batch was asked for'),
    ...exportQuery,
    ...notebookQuery,
  }),
  response: fileAnswers(COLLECTION_CONTENT, contentOf('application/zip')),
}

export function batchFileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/batches/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { id: batchId, file } = request.params
      const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
      return sendOrderFile(to, { of: { batchId }, file, query: request.query })
    })
  }
}
