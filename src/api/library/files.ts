/**
 * Files over a collection, and exports of a collection or a job: /library/{id}/files/{file}, /jobs/{id}/export.…
 * (extensions).
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { COLLECTION_FILE } from '../../model/files/addresses.ts'
import type { OrderTerms } from '../../features/files/filed-order.ts'
import { EXPORT_FILES, type ExportFile, EXPORTS, WHOLE_FILES } from '../../model/files/catalogue.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { JobId } from '../jobs/schema.ts'
import {
  COLLECTION_CONTENT,
  contentOf,
  exportQuery,
  formatsQuery,
  notebookQuery,
  queryOfExport,
  tableQuery,
} from '../files/schema.ts'
import { CollectionId } from './schema.ts'
import { fileRequest } from '../send.ts'
import { fileAnswers, type FileQuery, sendCollectionFile, sendExport } from '../files/send-files.ts'

export const fileQuery = {
  formats: formatsQuery('all that the jobs made'),
  ...tableQuery,
  ...exportQuery,
  ...notebookQuery,
}
export const fileParams = Type.Object({
  id: CollectionId,
  file: Type.String({ pattern: COLLECTION_FILE }),
})

const schema = {
  summary: 'Download all transcripts of a channel or playlist, whichever jobs delivered them',
  description:
    `${WHOLE_FILES.join(', ')} have a strong ETag and honour Range; their bytes change when something ` +
    'comes to the collection or the views of its videos are read again. The others are made while they are sent: ' +
    `${EXPORT_FILES.map((file) => `${file} (${EXPORTS[file].about})`).join(', ')}.`,
  operationId: 'getCollectionFile',
  tags: ['Library'],
  params: fileParams,
  querystring: Type.Object(fileQuery),
  response: fileAnswers(COLLECTION_CONTENT, contentOf('application/zip')),
}

const exportSchema = (file: ExportFile) => {
  const { media, operationId, summary } = EXPORTS[file]
  return {
    operationId,
    summary,
    tags: ['Results'],
    params: Type.Object({ id: JobId }),
    querystring: Type.Object(queryOfExport(file)),
    response: {
      200: {
        description: 'What the job has delivered so far, made while it is sent',
        content: contentOf(media),
      },
    },
  }
}

export function libraryFileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/library/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { id: collectionId, file } = request.params
      const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
      return sendCollectionFile(to, { of: { collectionId }, file, query: request.query })
    })
    for (const file of EXPORT_FILES) {
      const options = { schema: exportSchema(file), config: READING }
      app.get(`/jobs/:id/${file}`, options, async (request, reply) => {
        const query = request.query as FileQuery & OrderTerms
        const of = { jobId: request.params.id, texts: query.texts }
        const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
        return sendExport(to, { of, file, query })
      })
    }
  }
}
