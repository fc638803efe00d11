/**
 * GET /account/files/{id}/{file}, /account/library/{id}/{file}, /account/selection/{file} and /account/mentions.csv:
 * files by plain links, behind the session cookie.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANY_JOB_FILE } from '../../model/files/addresses.ts'
import type { ApiContext } from '../api-context.ts'
import { JobId } from '../jobs/schema.ts'
import { exportQuery, notebookQuery, tableQuery, textsQuery } from '../files/schema.ts'
import { batchFileParams } from '../batches/files.ts'
import { fileParams, fileQuery } from '../library/files.ts'
import { selectionFrom, selectionParams, selectionQuery } from '../library/selection.ts'
import { sendMentionsCsv } from '../search/mentions.ts'
import { AllMentionsFields } from '../search/schema.ts'
import { fileRequest } from '../send.ts'
import { sendCollectionFile, sendOrderFile } from '../files/send-files.ts'
import { answering, BYTES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const collectionSchema = {
  ...answering(BYTES),
  params: fileParams,
  querystring: Type.Object(fileQuery),
}

const selectionSchema = {
  ...answering(BYTES),
  params: selectionParams,
  querystring: Type.Object({ ...selectionQuery, ...fileQuery }),
}

const mentionsSchema = { ...answering(BYTES), querystring: AllMentionsFields }

const schema = {
  ...answering(BYTES),
  params: Type.Object({
    id: JobId,
    file: Type.String({ pattern: ANY_JOB_FILE }),
  }),
  querystring: Type.Object({
    names: Type.Optional(Type.Enum(['index', 'title'])),
    ...textsQuery,
    ...tableQuery,
    ...exportQuery,
    ...notebookQuery,
  }),
}

const batchSchema = { ...schema, params: batchFileParams }

export function accountFileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const to = (request: FastifyRequest, reply: FastifyReply) =>
    fileRequest(ctx, { accountId: visitorOf(request).accountId, request, reply })
  return async (app) => {
    const jobOptions = { schema, exposeHeadRoute: false }
    app.get('/account/files/:id/:file', jobOptions, async (request, reply) => {
      const { id: jobId, file } = request.params
      return sendOrderFile(to(request, reply), { of: { jobId }, file, query: request.query })
    })
    const batchOptions = { schema: batchSchema, exposeHeadRoute: false }
    app.get('/account/batches/:id/files/:file', batchOptions, async (request, reply) => {
      const { id: batchId, file } = request.params
      return sendOrderFile(to(request, reply), { of: { batchId }, file, query: request.query })
    })
    const libraryOptions = { schema: collectionSchema, exposeHeadRoute: false }
    app.get('/account/library/:id/:file', libraryOptions, async (request, reply) => {
      const { id: collectionId, file } = request.params
      return sendCollectionFile(to(request, reply), {
        of: { collectionId },
        file,
        query: request.query,
      })
    })
    const selectionOptions = { schema: selectionSchema, exposeHeadRoute: false }
    app.get('/account/selection/:file', selectionOptions, async (request, reply) => {
      const { query, params } = request
      const of = { selection: selectionFrom(query) }
      return sendCollectionFile(to(request, reply), { of, file: params.file, query })
    })
    const mentionsOptions = { schema: mentionsSchema, exposeHeadRoute: false }
    app.get('/account/mentions.csv', mentionsOptions, async (request, reply) =>
      sendMentionsCsv(to(request, reply), request.query),
    )
  }
}
