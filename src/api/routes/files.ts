/** GET and HEAD /jobs/{id}/files/{file}: the files of a job as attachments. */
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import {
  contentDisposition,
  type Encoding,
  etagOf,
  matchesEtag,
  readRange,
} from '../../kit/http/content.ts'
import { openFile, type OpenFile } from '../../features/transcripts/open-file.ts'
import { found, Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { errorAnswer, JobId, optionalInteger, SegmentSchema, wordOf } from '../contract.ts'
import {
  encodingFor,
  exportQuery,
  fileRequest,
  type FileRequest,
  formatsQuery,
  formsOf,
  oneOf,
  sendBody,
  sendExportZip,
} from '../send.ts'

export const FILE_NAME = '^(zip|all\\.txt|report\\.csv|\\d+\\.(txt|srt|vtt|json))$'
/** Only the key's account may keep it; a final job's file is the same for ever. */
const FINAL_CACHE = 'private, max-age=31536000, immutable'
const SNAPSHOT_CACHE = 'no-store'
const GROWING_CACHE = 'private, no-cache'

const binary = { schema: Type.String({ format: 'binary' }) }
const text = { schema: Type.String() }

const content = {
  'application/zip': binary,
  'text/plain': text,
  'text/csv': text,
  'application/json': { schema: Type.Array(SegmentSchema) },
}

/** What report.csv begins with, of a job and of a collection. */
export const bomQuery = Type.Optional(
  wordOf(['0', '1'], {
    default: '0',
    description: '`1`: report.csv begins with a byte order mark, for spreadsheets',
    'x-extension': true,
  }),
)

/** How files are called. */
export const namesQuery = Type.Optional(
  wordOf(['index', 'title'], {
    default: 'index',
    description: '`title`: readable names for the downloaded file and the files in the ZIP',
    'x-extension': true,
  }),
)

const fileQuery = Type.Object({
  names: namesQuery,
  bom: bomQuery,
  formats: formatsQuery('what the job was asked for'),
  after: optionalInteger({
    minimum: 0,
    maximum: 999_999_999,
    default: 0,
    description:
      'The ZIP holds only videos that finished after this many others, delivered or not, in ' +
      'the order of a running job’s rows. Use it to fetch the files bit by bit',
    'x-extension': true,
  }),
  ...exportQuery,
})

const schema = {
  summary: 'Download a file: the job as a ZIP, all texts, the report, or one video in one format',
  description:
    'Files of a final job never change: they have a strong ETag and honour If-None-Match and ' +
    'Range. Files of a running job contain what it has delivered so far.',
  operationId: 'getFile',
  tags: ['Results'],
  params: Type.Object({ id: JobId, file: Type.String({ pattern: FILE_NAME }) }),
  querystring: fileQuery,
  documentedHeaders: {
    Range: Type.String({
      description: 'The bytes to send, to resume a download; only for a final job',
      examples: ['bytes=1000-'],
      'x-extension': true,
    }),
    'If-None-Match': Type.String({
      description: 'The ETag of the file that you have',
      'x-extension': true,
    }),
  },
  response: fileAnswers(content, content),
}

/** Returns the answers of a route that sends files, by the types of a whole file and of its parts. */
export function fileAnswers(content: object, partContent: object) {
  return {
    200: { description: 'The file as an attachment', content },
    206: { description: 'The part that Range names', content: partContent },
    304: { description: 'The file is still the one that If-None-Match names' },
    416: errorAnswer(['invalid_request'], 'The file has none of the bytes that Range names.'),
  }
}

export function fileRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/jobs/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { id: jobId, file } = request.params
      const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
      return sendJobFile(to, { jobId, file, query: request.query })
    })
  }
}

/** A file of a job as it is asked for. */
type JobFile = {
  jobId: string
  file: string
  query: Partial<Static<typeof fileQuery>>
}

/** Sends a file of a job; also used by the website, behind its cookie. */
export async function sendJobFile(to: FileRequest, { jobId, file, query }: JobFile): Promise<void> {
  const { accountId } = to
  const { names: naming = 'index', bom, exports } = query
  const zipped = { forms: formsOf(query.formats), after: query.after }
  if (!/^\d/.test(file)) to.downloads.begin(accountId, to.reply) // made of all videos of the job
  if (file === 'zip' && exports !== undefined) {
    const of = { jobId, naming, ...zipped }
    return sendExportZip(to, { ...query, of, exports })
  }
  const wanted = { accountId, jobId, file, naming, bom: bom === '1' }
  const opened = await openFile(to, { ...wanted, ...(file === 'zip' ? zipped : {}) })
  return sendFile(found(opened), to)
}

/** Answers with an opened file, or what the request's conditions ask for; resolves when sent. */
export async function sendFile(opened: OpenFile, to: FileRequest): Promise<void> {
  to.reply.headers(opened.kind === 'zip' ? {} : { Vary: 'Accept-Encoding' })
  if (opened.stability !== 'snapshot') return sendTagged(opened, to)
  // The next look may find more, so nothing is kept or resumed.
  to.reply.headers({ 'Cache-Control': SNAPSHOT_CACHE, 'Accept-Ranges': 'none' })
  return send(opened, encodingOf(opened, to.request), to)
}

/** Sends a file that is the same at the next look, or whose tag differs then: any part of it can be asked for. */
async function sendTagged(opened: OpenFile, to: FileRequest): Promise<void> {
  const { request, reply } = to
  const { headers, method } = request
  const { body, sha256 } = opened
  const range = method === 'GET' ? headers.range : undefined // means nothing to HEAD
  const asked = { range, ifRange: oneOf(headers['if-range']) }
  const identityTag = etagOf(sha256, 'identity')
  const reading = readRange(asked, { sizeBytes: body.sizeBytes, etag: identityTag })
  // A range is one of the content itself; only a whole file may be compressed.
  const encoding = reading.kind === 'whole' ? encodingOf(opened, request) : 'identity'
  const etag = etagOf(sha256, encoding)

  const cache = opened.stability === 'final' ? FINAL_CACHE : GROWING_CACHE
  reply.headers({ ETag: etag, 'Cache-Control': cache, 'Accept-Ranges': 'bytes' })
  if (matchesEtag(headers['if-none-match'], etag)) return void (await reply.code(304).send())
  if (reading.kind === 'unsatisfiable') {
    throw new Problem('invalid_request', {
      status: 416,
      message: `The file has ${body.sizeBytes} bytes and Range is beyond its end; choose a range within it.`,
      headers: { 'Content-Range': `bytes */${body.sizeBytes}` },
    })
  }
  if (reading.kind === 'whole') return send(opened, encoding, to)
  const { firstByte, lastByte } = reading.range
  reply.code(206).header('Content-Range', `bytes ${firstByte}-${lastByte}/${body.sizeBytes}`)
  return send(opened, 'identity', { ...to, range: reading.range })
}

function send(
  opened: OpenFile,
  encoding: Encoding,
  to: Parameters<typeof sendBody>[2],
): Promise<void> {
  to.reply.headers({
    'Content-Type': opened.contentType,
    'Content-Disposition': contentDisposition(opened.name),
  })
  return sendBody(opened.body, encoding, to)
}

function encodingOf({ kind }: OpenFile, request: FastifyRequest): Encoding {
  return encodingFor({ isText: kind !== 'zip' }, request)
}
