/** GET and HEAD /jobs/{id}/files/{file}: the files of a job as attachments. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { JOB_FILE } from '../../model/files/addresses.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { optionalInteger } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { SegmentSchema } from '../results/schema.ts'
import {
  exportQuery,
  formatsQuery,
  namesQuery,
  tableQuery,
  textsQuery,
  WHOLE_CONTENT,
} from './schema.ts'
import { fileRequest } from '../send.ts'
import { fileAnswers, sendOrderFile } from './send-files.ts'

const content = {
  ...WHOLE_CONTENT,
  'application/json': { schema: Type.Array(SegmentSchema) },
}

const fileQuery = Type.Object({
  names: namesQuery,
  ...textsQuery,
  ...tableQuery,
  formats: formatsQuery('what the job was asked for'),
  after: optionalInteger({
    minimum: 0,
    maximum: 999_999_999,
    default: 0,
    description:
      'The ZIP holds only videos that finished after this many others, delivered or not, in ' +
      'the order of a running job’s rows. Use it to fetch the files bit by bit',
  }),
  ...exportQuery,
})

const schema = {
  summary: 'Download a file: the job as a ZIP, all texts, the report, or one video in one format',
  description:
    'Files of a final job change only when you delete texts: they have a strong ETag and honour If-None-Match and ' +
    'Range. Files of a running job contain what it has delivered so far. With `texts=all`, a file also holds ' +
    'the texts that other orders of the account brought for videos that this one left out as `unchanged`, and ' +
    'its ETag changes when one of those is deleted.',
  operationId: 'getFile',
  tags: ['Results'],
  params: Type.Object({ id: JobId, file: Type.String({ pattern: JOB_FILE }) }),
  querystring: fileQuery,
  documentedHeaders: {
    Range: Type.String({
      description: 'The bytes to send, to resume a download; only for a final job',
      examples: ['bytes=1000-'],
    }),
    'If-None-Match': Type.String({
      description: 'The ETag of the file that you have',
    }),
  },
  response: fileAnswers(content, content),
}

export function fileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/jobs/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { id: jobId, file } = request.params
      const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
      return sendOrderFile(to, { of: { jobId }, file, query: request.query })
    })
  }
}
