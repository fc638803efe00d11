/**
 * Files over a collection, and exports of a collection or a job: /library/{id}/files/{file}, /jobs/{id}/export.…
 * (extensions).
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import {
  type CollectionFile,
  openCollectionFile,
} from '../../features/library/open-collection-file.ts'
import { type ExportOrder, openExport } from '../../features/library/export.ts'
import { found } from '../../kit/problem.ts'
import { type ExportFile, EXPORTS } from '../../model/library/exports.ts'
import { FILE_FORMS } from '../../model/transcripts/formats.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { JobId } from '../contract.ts'
import { CollectionId } from '../library-contract.ts'
import {
  exportQuery,
  formatsQuery,
  formsOf,
  type FileRequest,
  passageMsOf,
  sendExportZip,
  sendMade,
} from '../send.ts'
import { bomQuery, fileAnswers, sendFile } from './files.ts'

const extension = { 'x-extension': true }
const text = { schema: Type.String() }
const binary = { schema: Type.String({ format: 'binary' }) }
const exported = { 'text/markdown': text, 'application/jsonl': text }

export const fileQuery = {
  formats: formatsQuery('all that the jobs made'),
  bom: bomQuery,
  ...exportQuery,
}
export const fileParams = Type.Object({
  id: CollectionId,
  file: Type.String({
    pattern: '^(zip|all\\.txt|report\\.csv|export\\.(md|jsonl|videos\\.jsonl))$',
  }),
})

const schema = {
  ...extension,
  summary: 'Download all transcripts of a channel or playlist, whichever jobs delivered them',
  description:
    'zip, all.txt and report.csv have a strong ETag and honour Range; their bytes change when something ' +
    'comes to the collection or the views of its videos are read again. export.md (Markdown with linked times), export.jsonl (a line for each passage) and ' +
    'export.videos.jsonl (a line for each video) are made while they are sent.',
  operationId: 'getCollectionFile',
  tags: ['Library'],
  params: fileParams,
  querystring: Type.Object(fileQuery),
  response: fileAnswers(
    { 'application/zip': binary, 'text/plain': text, 'text/csv': text, ...exported },
    { 'application/zip': binary },
  ),
}

const EXPORT_OPERATIONS: Record<ExportFile, { operationId: string; summary: string }> = {
  'export.md': {
    operationId: 'getMarkdown',
    summary: 'Download the transcripts of a job as one Markdown document',
  },
  'export.jsonl': {
    operationId: 'getPassages',
    summary: 'Download the transcripts of a job as passages, one JSON object a line',
  },
  'export.videos.jsonl': {
    operationId: 'getVideoLines',
    summary: 'Download the transcripts of a job as JSON, one video a line',
  },
}

const exportSchema = (file: ExportFile) => ({
  ...extension,
  ...EXPORT_OPERATIONS[file],
  tags: ['Results'],
  params: Type.Object({ id: JobId }),
  ...(file === 'export.jsonl'
    ? { querystring: Type.Object({ seconds: exportQuery.seconds }) }
    : {}),
  response: {
    200: {
      description: 'What the job has delivered so far, made while it is sent',
      content: file === 'export.md' ? { 'text/markdown': text } : { 'application/jsonl': text },
    },
  },
})

export function libraryFileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/library/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { id: collectionId, file } = request.params
      const to = { ...ctx, accountId: accountOf(request), request, reply }
      return sendCollectionFile(to, { collectionId, file, query: request.query })
    })
    for (const file of EXPORTS) {
      const options = { schema: exportSchema(file), config: READING }
      app.get(`/jobs/:id/${file}`, options, async (request, reply) => {
        const { seconds } = request.query as { seconds?: number }
        const of = { jobId: request.params.id }
        const to = { ...ctx, accountId: accountOf(request), request, reply }
        return sendExport(to, { of, file, passageMs: passageMsOf(seconds) })
      })
    }
  }
}

/** A file of a collection as it is asked for. */
type CollectionFileOrder = {
  collectionId: string
  file: string
  query: { formats?: string; bom?: string; seconds?: number; exports?: string }
}

/** Sends a file of a collection; also used by the website, behind its cookie. */
export async function sendCollectionFile(
  to: FileRequest,
  { collectionId, file, query }: CollectionFileOrder,
): Promise<void> {
  const { accountId } = to
  const exportFile = EXPORTS.find((each) => each === file)
  if (exportFile !== undefined) {
    const passageMs = passageMsOf(query.seconds)
    return sendExport(to, { of: { collectionId }, file: exportFile, passageMs })
  }
  to.downloads.begin(accountId, to.reply)
  const forms = formsOf(query.formats) ?? FILE_FORMS
  if (file === 'zip' && query.exports !== undefined) {
    const of = { collectionId, forms }
    return sendExportZip(to, { ...query, of, exports: query.exports })
  }
  const bom = query.bom === '1'
  const wanted = { accountId, collectionId, file: file as CollectionFile, forms, bom }
  return sendFile(found(await openCollectionFile(to, wanted)), to)
}

/** Sends an export; also used by the website, behind its cookie. */
export async function sendExport(
  to: FileRequest,
  order: Omit<ExportOrder, 'accountId'>,
): Promise<void> {
  const { accountId } = to
  to.downloads.begin(accountId, to.reply)
  return sendMade(await openExport(to, { ...order, accountId }), to)
}
