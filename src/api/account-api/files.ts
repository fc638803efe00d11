/** GET /account/files/{id}/{file} and /account/library/{id}/{file}: files by plain links, behind the session cookie. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { JobId } from '../contract.ts'
import { FILE_NAME, isOfWholeJob, sendFile } from '../routes/files.ts'
import { fileParams, fileQuery, sendCollectionFile } from '../routes/library-files.ts'
import { exportQuery, sendExportZip } from '../send.ts'
import { openFile } from '../../features/transcripts/open-file.ts'
import { Problem } from '../../kit/problem.ts'
import { BYTES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const collectionSchema = {
  hide: true,
  response: { 200: BYTES },
  params: fileParams,
  querystring: Type.Object(fileQuery),
}

const schema = {
  hide: true,
  response: { 200: BYTES },
  params: Type.Object({ id: JobId, file: Type.String({ pattern: FILE_NAME }) }),
  querystring: Type.Object({
    names: Type.Optional(Type.Enum(['index', 'title'])),
    bom: Type.Optional(Type.Enum(['0', '1'])),
    ...exportQuery,
  }),
}

export function accountFileRoutes({
  db,
  formWriter,
  downloads,
}: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/account/files/:id/:file',
      { schema, exposeHeadRoute: false },
      async (request, reply) => {
        const { accountId } = visitorOf(request)
        if (isOfWholeJob(request.params.file)) downloads.begin(accountId, reply)
        const { exports, names = 'index' } = request.query
        if (request.params.file === 'zip' && exports !== undefined) {
          const of = { jobId: request.params.id, naming: names }
          return sendExportZip(
            { db, formWriter, request, reply },
            { ...request.query, accountId, of, exports },
          )
        }
        const opened = await openFile(
          { db, formWriter },
          {
            accountId,
            jobId: request.params.id,
            file: request.params.file,
            naming: names,
            bom: request.query.bom === '1',
          },
        )
        if (opened === null) throw new Problem('not_found')
        return sendFile(opened, request, reply)
      },
    )
    app.get(
      '/account/library/:id/:file',
      { schema: collectionSchema, exposeHeadRoute: false },
      async (request, reply) => {
        const { accountId } = visitorOf(request)
        const { id: collectionId, file } = request.params
        const parts = { db, formWriter, downloads, request, reply }
        return sendCollectionFile(parts, { accountId, collectionId, file, query: request.query })
      },
    )
  }
}
