/**
 * Files over a collection, and exports of a collection or a job: /library/{id}/files/{file}, /jobs/{id}/export.…
 * (extensions).
 */
import {
  type FastifyPluginAsyncTypebox,
  type TProperties,
  Type,
} from '@fastify/type-provider-typebox'
import {
  type CollectionFile,
  openCollectionFile,
} from '../../features/library/open-collection-file.ts'
import { type ExportOrder, openExport } from '../../features/library/export.ts'
import { found } from '../../kit/problem.ts'
import { type ExportFile, EXPORTS } from '../../model/library/exports.ts'
import { NOTEBOOK_PARTS, NOTEBOOK_WORDS } from '../../model/library/notebook.ts'
import { FILE_FORMS } from '../../model/transcripts/formats.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { JobId } from '../contract.ts'
import { CollectionId } from '../library-contract.ts'
import { departureOf } from '../order-job.ts'
import {
  exportQuery,
  formatsQuery,
  formsOf,
  fileRequest,
  type FileRequest,
  notebookQuery,
  passageMsOf,
  sendExportZip,
  sendMade,
} from '../send.ts'
import { bomQuery, fileAnswers, sendFile } from './files.ts'

const extension = { 'x-extension': true }
const text = { schema: Type.String() }
const binary = { schema: Type.String({ format: 'binary' }) }
const citationEntries = {
  schema: Type.Array(Type.Object({}, { additionalProperties: true })),
}
const exported = {
  'text/markdown': text,
  'application/jsonl': text,
  'application/x-research-info-systems': text,
  'application/vnd.citationstyles.csl+json': citationEntries,
}

export const fileQuery = {
  formats: formatsQuery('all that the jobs made'),
  bom: bomQuery,
  ...exportQuery,
  ...notebookQuery,
}
export const fileParams = Type.Object({
  id: CollectionId,
  file: Type.String({
    pattern:
      '^(zip|all\\.txt|report\\.csv|(notebook|vault)\\.zip|export\\.(md|jsonl|videos\\.jsonl|ris|csl\\.json|4cat\\.csv))$',
  }),
})

const schema = {
  ...extension,
  summary: 'Download all transcripts of a channel or playlist, whichever jobs delivered them',
  description:
    'zip, all.txt and report.csv have a strong ETag and honour Range; their bytes change when something ' +
    'comes to the collection or the views of its videos are read again. The others are made while they are sent: ' +
    'export.md (Markdown with linked times), export.jsonl (one line for each passage), export.videos.jsonl (one line ' +
    'for each video), notebook.zip (sources for NotebookLM), vault.zip (a note with properties for each text), ' +
    'export.ris and export.csl.json (an entry for each video, for reference managers) and export.4cat.csv (the ' +
    'columns that 4CAT takes in).',
  operationId: 'getCollectionFile',
  tags: ['Library'],
  params: fileParams,
  querystring: Type.Object(fileQuery),
  response: fileAnswers(
    { 'application/zip': binary, 'text/plain': text, 'text/csv': text, ...exported },
    { 'application/zip': binary },
  ),
}

type ExportOperation = {
  operationId: string
  summary: string
  content: object
  query?: TProperties
}

const EXPORT_OPERATIONS: Record<ExportFile, ExportOperation> = {
  'export.md': {
    operationId: 'getMarkdown',
    summary: 'Download the transcripts of a job as one Markdown document',
    content: { 'text/markdown': text },
  },
  'export.jsonl': {
    operationId: 'getPassages',
    summary: 'Download the transcripts of a job as JSON lines, one line for each passage',
    content: { 'application/jsonl': text },
    query: { seconds: exportQuery.seconds },
  },
  'export.videos.jsonl': {
    operationId: 'getVideoLines',
    summary: 'Download the transcripts of a job as JSON lines, one line for each video',
    content: { 'application/jsonl': text },
  },
  'export.4cat.csv': {
    operationId: 'getFourCatTable',
    summary: 'Download the transcripts of a job as a table for 4CAT',
    content: { 'text/csv': text },
  },
  'export.ris': {
    operationId: 'getRisEntries',
    summary: 'Download the videos of a job as RIS, for reference managers',
    content: { 'application/x-research-info-systems': text },
  },
  'export.csl.json': {
    operationId: 'getCslEntries',
    summary: 'Download the videos of a job as CSL-JSON, for reference managers',
    content: { 'application/vnd.citationstyles.csl+json': citationEntries },
  },
  'notebook.zip': {
    operationId: 'getNotebookSources',
    summary: 'Download the transcripts of a job as sources for NotebookLM',
    content: { 'application/zip': binary },
    query: notebookQuery,
  },
  'vault.zip': {
    operationId: 'getVault',
    summary: 'Download the transcripts of a job as notes with properties, for a vault',
    content: { 'application/zip': binary },
  },
}

const exportSchema = (file: ExportFile) => {
  const { content, query, ...operation } = EXPORT_OPERATIONS[file]
  return {
    ...extension,
    ...operation,
    tags: ['Results'],
    params: Type.Object({ id: JobId }),
    ...(query === undefined ? {} : { querystring: Type.Object(query) }),
    response: {
      200: { description: 'What the job has delivered so far, made while it is sent', content },
    },
  }
}

export function libraryFileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/library/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { id: collectionId, file } = request.params
      const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
      return sendCollectionFile(to, { collectionId, file, query: request.query })
    })
    for (const file of EXPORTS) {
      const options = { schema: exportSchema(file), config: READING }
      app.get(`/jobs/:id/${file}`, options, async (request, reply) => {
        const of = { jobId: request.params.id }
        const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
        return sendExport(to, { of, file, query: request.query as ExportQuery })
      })
    }
  }
}

/** A file of a collection as it is asked for. */
type CollectionFileOrder = {
  collectionId: string
  file: string
  query: { formats?: string; bom?: string; exports?: string } & ExportQuery
}

/** Sends a file of a collection; also used by the website, behind its cookie. */
export async function sendCollectionFile(
  to: FileRequest,
  { collectionId, file, query }: CollectionFileOrder,
): Promise<void> {
  const { accountId } = to
  const exportFile = EXPORTS.find((each) => each === file)
  if (exportFile !== undefined)
    return sendExport(to, { of: { collectionId }, file: exportFile, query })
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

/** Fields of a query that say how an export is made. */
type ExportQuery = { seconds?: number; parts?: number; words?: number }

/** Sends an export; also used by the website, behind its cookie. */
export async function sendExport(
  to: FileRequest,
  { query, ...order }: Pick<ExportOrder, 'of' | 'file'> & { query: ExportQuery },
): Promise<void> {
  const { accountId, reply } = to
  const { parts = NOTEBOOK_PARTS.byDefault, words = NOTEBOOK_WORDS.byDefault } = query
  to.downloads.begin(accountId, reply)
  const opened = await openExport(to, {
    ...order,
    accountId,
    passageMs: passageMsOf(query.seconds),
    bounds: { partsMax: parts, wordsMax: words },
    departure: departureOf(reply),
  })
  return sendMade(opened, to)
}
