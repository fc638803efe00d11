/**
 * GET /account/files/{id}/{file}, /account/library/{id}/{file} and /account/mentions.csv: files by plain links, behind
 * the session cookie.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { EXPORTS } from '../../model/library/exports.ts'
import { WORD_FILES } from '../../model/transcripts/word-files.ts'
import type { ApiContext } from '../api-context.ts'
import { JobId } from '../contract.ts'
import { sendJobFile } from '../routes/files.ts'
import { fileParams, fileQuery, sendCollectionFile, sendExport } from '../routes/library-files.ts'
import { sendMentionsCsv } from '../routes/mentions.ts'
import { sendWordFile } from '../routes/video-rows.ts'
import { AllMentionsFields } from '../search-question.ts'
import { exportQuery, fileRequest, notebookQuery } from '../send.ts'
import { answering, BYTES } from './replies.ts'
import { visitorOf } from './visitor.ts'

/** The files of a job, the times of the words of its texts, and its exports. */
const JOB_FILE =
  '^(zip|all\\.txt|report\\.csv|(notebook|vault)\\.zip|export\\.(md|jsonl|videos\\.jsonl|ris|csl\\.json|4cat\\.csv)|\\d{1,9}\\.(txt|srt|(words\\.)?(vtt|json)))$'

const collectionSchema = {
  ...answering(BYTES),
  params: fileParams,
  querystring: Type.Object(fileQuery),
}

const mentionsSchema = { ...answering(BYTES), querystring: AllMentionsFields }

const schema = {
  ...answering(BYTES),
  params: Type.Object({
    id: JobId,
    file: Type.String({ pattern: JOB_FILE }),
  }),
  querystring: Type.Object({
    names: Type.Optional(Type.Enum(['index', 'title'])),
    bom: Type.Optional(Type.Enum(['0', '1'])),
    ...exportQuery,
    ...notebookQuery,
  }),
}

export function accountFileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    const jobOptions = { schema, exposeHeadRoute: false }
    app.get('/account/files/:id/:file', jobOptions, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { id: jobId, file } = request.params
      const to = fileRequest(ctx, { accountId, request, reply })
      const exported = EXPORTS.find((each) => each === file)
      if (exported !== undefined)
        return sendExport(to, { of: { jobId }, file: exported, query: request.query })
      const words = WORD_FILES.find((each) => file.endsWith(`.${each}`))
      if (words !== undefined)
        return sendWordFile(to, {
          jobId,
          index: Number.parseInt(file),
          file: words,
          naming: request.query.names,
        })
      return sendJobFile(to, { jobId, file, query: request.query })
    })
    const libraryOptions = { schema: collectionSchema, exposeHeadRoute: false }
    app.get('/account/library/:id/:file', libraryOptions, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { id: collectionId, file } = request.params
      const to = fileRequest(ctx, { accountId, request, reply })
      return sendCollectionFile(to, { collectionId, file, query: request.query })
    })
    const mentionsOptions = { schema: mentionsSchema, exposeHeadRoute: false }
    app.get('/account/mentions.csv', mentionsOptions, async (request, reply) => {
      const { accountId } = visitorOf(request)
      return sendMentionsCsv(fileRequest(ctx, { accountId, request, reply }), request.query)
    })
  }
}
