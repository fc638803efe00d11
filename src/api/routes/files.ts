/** GET and HEAD /jobs/{id}/files/{file}: the files of a job as attachments. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
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

const schema = {
  summary: 'Download a file: the job as a ZIP, all texts, the report, or one video in one format',
  description:
    'Files of a final job never change: they have a strong ETag and honour If-None-Match and ' +
    'Range. Files of a running job contain what it has delivered so far.',
  operationId: 'getFile',
  tags: ['Results'],
  params: Type.Object({ id: JobId, file: Type.String({ pattern: FILE_NAME }) }),
  querystring: Type.Object({
    names: Type.Optional(
      wordOf(['index', 'title'], {
        default: 'index',
        description: '`title`: readable names for the downloaded file and the files in the ZIP',
        'x-extension': true,
      }),
    ),
    bom: Type.Optional(
      wordOf(['0', '1'], {
        default: '0',
        description: '`1`: report.csv begins with a byte order mark, for old spreadsheets',
        'x-extension': true,
      }),
    ),
    formats: formatsQuery('what the job was asked for'),
    after: optionalInteger({
      minimum: 0,
      maximum: 999_999_999,
      default: 0,
      description:
        'The ZIP holds only videos that finished after so many others, delivered or not: the order of the rows of ' +
        'a running job. So its files can be fetched bit by bit',
      'x-extension': true,
    }),
    ...exportQuery,
  }),
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
  response: {
    200: { description: 'The file as an attachment', content },
    206: { description: 'The part that Range names', content },
    304: { description: 'The file is still the one that If-None-Match names' },
    416: errorAnswer(['invalid_request'], 'The file has none of the bytes that Range names.'),
  },
}

export function fileRoutes({ db, formWriter, downloads }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/jobs/:id/files/:file', { schema, config: READING }, async (request, reply) => {
      const { params, query } = request
      const zipped = { forms: formsOf(query.formats), after: query.after }
      if (isOfWholeJob(params.file)) downloads.begin(accountOf(request), reply)
      if (params.file === 'zip' && query.exports !== undefined) {
        const of = { jobId: params.id, naming: query.names ?? 'index', ...zipped } as const
        const order = { accountId: accountOf(request), of, exports: query.exports }
        return sendExportZip({ db, formWriter, request, reply }, { ...query, ...order })
      }
      const opened = await openFile(
        { db, formWriter },
        {
          accountId: accountOf(request),
          jobId: params.id,
          file: params.file,
          naming: query.names ?? 'index',
          bom: query.bom === '1',
          ...(params.file === 'zip' ? zipped : {}),
        },
      )
      await sendFile(found(opened), request, reply)
    })
  }
}

/** Returns whether a file is made of all videos of its job. */
export function isOfWholeJob(file: string): boolean {
  return !/^\d/.test(file)
}

/** Answers with an opened file, or what the request's conditions ask for; resolves when sent. */
export function sendFile(
  opened: OpenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return opened.stability === 'snapshot'
    ? sendSnapshot(opened, request, reply)
    : sendTagged(opened, request, reply)
}

/** Sends a file that is the same at the next look, or whose tag differs then: any part of it can be asked for. */
async function sendTagged(
  opened: OpenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
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
  const kept = { ETag: etag, 'Cache-Control': cache, 'Accept-Ranges': 'bytes' }
  reply.headers({ ...kept, ...varyOf(opened) })
  if (matchesEtag(headers['if-none-match'], etag)) return void (await reply.code(304).send())
  if (reading.kind === 'unsatisfiable') {
    throw new Problem('invalid_request', {
      status: 416,
      message: `The file has ${body.sizeBytes} bytes and Range is beyond its end; choose a range within it.`,
      headers: { 'Content-Range': `bytes */${body.sizeBytes}` },
    })
  }
  if (reading.kind === 'whole') return send(opened, encoding, { request, reply })
  const { firstByte, lastByte } = reading.range
  reply.code(206).header('Content-Range', `bytes ${firstByte}-${lastByte}/${body.sizeBytes}`)
  return send(opened, 'identity', { request, reply, range: reading.range })
}

/** Sends what a running job has so far: the next look may find more, so nothing is kept or resumed. */
async function sendSnapshot(
  opened: OpenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers({ 'Cache-Control': SNAPSHOT_CACHE, 'Accept-Ranges': 'none', ...varyOf(opened) })
  return send(opened, encodingOf(opened, request), { request, reply })
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

function varyOf({ kind }: OpenFile): Record<string, string> {
  return kind === 'zip' ? {} : { Vary: 'Accept-Encoding' }
}
