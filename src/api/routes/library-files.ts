/**
 * Files over a collection, and exports of a collection or a job: /library/{id}/files/{file}, /jobs/{id}/export.…
 * (extensions).
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import {
  type CollectionFile,
  openCollectionFile,
} from '../../features/library/open-collection-file.ts'
import {
  type ExportFile,
  type ExportOrder,
  EXPORTS,
  openExport,
} from '../../features/library/export.ts'
import { found } from '../../kit/problem.ts'
import { FILE_FORMS } from '../../model/transcripts/formats.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { errorAnswer, JobId } from '../contract.ts'
import { CollectionId } from '../library-contract.ts'
import {
  exportQuery,
  formatsQuery,
  formsOf,
  type MadeParts,
  passageMsOf,
  sendExportZip,
  sendMade,
} from '../send.ts'
import { sendFile } from './files.ts'

const extension = { 'x-extension': true }
const text = { schema: Type.String() }
const exported = { 'text/markdown': text, 'application/jsonl': text }

export const fileQuery = {
  formats: formatsQuery('all that the jobs made'),
  ...exportQuery,
}
const COLLECTION_FILE = '^(zip|all\\.txt|report\\.csv|export\\.md|export\\.jsonl)$'

export const fileParams = Type.Object({
  id: CollectionId,
  file: Type.String({ pattern: COLLECTION_FILE }),
})

const schema = {
  ...extension,
  summary: 'Download all transcripts of a channel or playlist, whichever jobs delivered them',
  description:
    'zip, all.txt and report.csv have a strong ETag and honour Range; their bytes change when something ' +
    'comes to the collection or the views of its videos are read anew. export.md (Markdown with linked times) and export.jsonl (passages for programs) are ' +
    'made while they are sent.',
  operationId: 'getCollectionFile',
  tags: ['Library'],
  params: fileParams,
  querystring: Type.Object(fileQuery),
  response: {
    200: {
      description: 'The file as an attachment',
      content: {
        'application/zip': { schema: Type.String({ format: 'binary' }) },
        'text/plain': text,
        'text/csv': text,
        ...exported,
      },
    },
    206: {
      description: 'The part that Range names',
      content: { 'application/zip': { schema: Type.String({ format: 'binary' }) } },
    },
    304: { description: 'The file is still the one that If-None-Match names' },
    416: errorAnswer(['invalid_request'], 'The file has none of the bytes that Range names.'),
  },
}

const exportSchema = (file: ExportFile) => ({
  ...extension,
  summary:
    file === 'export.md'
      ? 'Download the transcripts of a job as one Markdown document'
      : 'Download the transcripts of a job as passages, one JSON object a line',
  operationId: file === 'export.md' ? 'getMarkdown' : 'getPassages',
  tags: ['Results'],
  params: Type.Object({ id: JobId }),
  ...(file === 'export.md' ? {} : { querystring: Type.Object({ seconds: exportQuery.seconds }) }),
  response: {
    200: {
      description: 'What the job has delivered so far, made while it is sent',
      content: file === 'export.md' ? { 'text/markdown': text } : { 'application/jsonl': text },
    },
  },
})

export function libraryFileRoutes({
  db,
  formWriter,
  downloads,
}: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/library/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const accountId = accountOf(request)
      const { id: collectionId, file } = request.params
      const parts = { db, formWriter, downloads, request, reply }
      return sendCollectionFile(parts, { accountId, collectionId, file, query: request.query })
    })
    for (const file of EXPORTS) {
      app.get(
        `/jobs/:id/${file}`,
        { schema: exportSchema(file), config: READING },
        async (request, reply) => {
          const { seconds } = request.query as { seconds?: number }
          const order = { accountId: accountOf(request), of: { jobId: request.params.id }, file }
          const parts = { db, formWriter, downloads, request, reply }
          return sendExport(parts, { ...order, passageMs: passageMsOf(seconds) })
        },
      )
    }
  }
}

/** Sends a file of a collection; also used by the website, behind its cookie. */
export async function sendCollectionFile(
  parts: MadeParts,
  {
    accountId,
    collectionId,
    file,
    query,
  }: {
    accountId: string
    collectionId: string
    file: string
    query: { formats?: string; seconds?: number; exports?: string }
  },
): Promise<void> {
  const exportFile = EXPORTS.find((each) => each === file)
  if (exportFile !== undefined) {
    const order = { accountId, of: { collectionId }, file: exportFile }
    return sendExport(parts, { ...order, passageMs: passageMsOf(query.seconds) })
  }
  const { downloads, request, reply } = parts
  downloads.begin(accountId, reply)
  const forms = formsOf(query.formats) ?? FILE_FORMS
  if (file === 'zip' && query.exports !== undefined) {
    const of = { collectionId, forms }
    return sendExportZip(parts, { ...query, accountId, of, exports: query.exports })
  }
  const opened = await openCollectionFile(parts, {
    accountId,
    collectionId,
    file: file as CollectionFile,
    forms,
  })
  return sendFile(found(opened), request, reply)
}

async function sendExport(parts: MadeParts, order: ExportOrder): Promise<void> {
  parts.downloads.begin(order.accountId, parts.reply)
  return sendMade(await openExport(parts.db, order), parts)
}
