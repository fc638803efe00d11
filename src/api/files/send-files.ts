/** Sends files of jobs and collections, whichever route asks for them: the API by a key, the website by its cookie. */
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type ExportAsked, openExport } from '../../features/files/export.ts'
import type { Export } from '../../features/files/export-texts.ts'
import { type ExportZipOrder, openExportZip } from '../../features/files/export-zip.ts'
import { type CollectedKey, openCollectionFile } from '../../features/files/open-collection-file.ts'
import type { OrderKey, OrderTerms } from '../../features/files/filed-order.ts'
import { openFile, type OpenFile } from '../../features/files/open-file.ts'
import { openWordFile } from '../../features/files/open-word-file.ts'
import { findRowWithText } from '../../features/library/read-library.ts'
import { isTextType, varyByEncoding } from '../../kit/http/accept.ts'
import {
  contentDisposition,
  type Encoding,
  etagOf,
  matchesEtag,
  readRange,
} from '../../kit/http/content.ts'
import { found, Problem } from '../../kit/problem.ts'
import type { Separator, TableStyle } from '../../kit/text/csv.ts'
import { readFileName } from '../../model/files/addresses.ts'
import {
  FILE_FORMS,
  type FileForm,
  FORMATS,
  type WordFile,
  ZIP_EXPORTS,
} from '../../model/files/catalogue.ts'
import type { Naming } from '../../model/files/file-names.ts'
import { requestedForms } from '../../model/files/formats.ts'
import { NOTEBOOK_PARTS, NOTEBOOK_WORDS } from '../../model/files/notebook.ts'
import { errorAnswer } from '../contract.ts'
import { departureOf } from '../jobs/order-job.ts'
import {
  encodingFor,
  type FileRequest,
  holdUntilSent,
  oneOf,
  sendBody,
  sendPieces,
} from '../send.ts'

/** Only the key's account may keep it; a final job's file is the same for ever. */
const SNAPSHOT_CACHE = 'no-store'
/** Asked for again each time, by its tag: its owner may delete its texts. */
const TAGGED_CACHE = 'private, no-cache'

/** Returns the answers of a route that sends files, by the types of a whole file and of its parts. */
export function fileAnswers(content: object, partContent: object) {
  return {
    200: { description: 'The file as an attachment', content },
    206: { description: 'The part that Range names', content: partContent },
    304: { description: 'The file is still the one that If-None-Match names' },
    416: errorAnswer(['invalid_request'], 'The file has none of the bytes that Range names.'),
  }
}

/** Fields of a query that say how a file is made. */
export type FileQuery = {
  formats?: string
  bom?: string
  separator?: Separator
  exports?: string
  seconds?: number
  parts?: number
  words?: number
}

/** A file of a job or a batch as it is asked for. */
type OrderFile = {
  of: OrderKey
  file: string
  query: FileQuery & OrderTerms & { names?: Naming }
}

/** Sends a file of a job or a batch: of all texts or of one, an export, or the words of a text. */
export async function sendOrderFile(
  to: FileRequest,
  { of, file, query }: OrderFile,
): Promise<void> {
  const { accountId } = to
  const { names: naming = 'index', exports, after, texts } = query
  const ref = found(readFileName(file))
  if (ref.kind === 'export') return sendExport(to, { of: { ...of, texts }, file: ref.file, query })
  if (ref.kind === 'words') {
    if ('batchId' in of) throw new Problem('not_found')
    return sendWordFile(to, { ...of, ...ref, naming })
  }
  if (ref.kind === 'whole') to.downloads.begin(accountId, to.reply)
  const zipped = { forms: formsOf(query.formats), after }
  const isZip = ref.file === 'zip'
  if (isZip && exports !== undefined)
    return sendExportZip(to, { ...query, of: { ...of, texts, naming, ...zipped }, exports })
  const wanted = { ...of, texts, accountId, ref, naming, ...tableStyleOf(query) }
  return sendFile(found(await openFile(to, { ...wanted, ...(isZip ? zipped : {}) })), to)
}

/** A file of a collection or a selection as it is asked for. */
type CollectionFile = { of: CollectedKey; file: string; query: FileQuery }

/** Sends a file of a collection or a selection. */
export async function sendCollectionFile(
  to: FileRequest,
  { of, file, query }: CollectionFile,
): Promise<void> {
  const { accountId } = to
  const ref = found(readFileName(file))
  if (ref.kind === 'export') return sendExport(to, { of, file: ref.file, query })
  if (ref.kind !== 'whole') throw new Problem('not_found')
  to.downloads.begin(accountId, to.reply)
  const forms = formsOf(query.formats) ?? FILE_FORMS
  if (ref.file === 'zip' && query.exports !== undefined)
    return sendExportZip(to, { ...query, of: { ...of, forms }, exports: query.exports })
  const style = tableStyleOf(query)
  const wanted = { accountId, of, file: ref.file, forms, ...style }
  return sendFile(found(await openCollectionFile(to, wanted)), to)
}

function tableStyleOf({ bom, separator }: FileQuery): TableStyle {
  return { bom: bom === '1', separator }
}

/** Returns the forms of a `formats` query; undefined where there is none. */
function formsOf(list: string | undefined): FileForm[] | undefined {
  const names = list?.split(',')
  return names && requestedForms(FORMATS.filter((format) => names.includes(format)))
}

/** Sends an export. */
export async function sendExport(
  to: FileRequest,
  { query, ...order }: ExportAsked & { query: FileQuery },
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

type ExportZip = { of: ExportZipOrder['of']; exports: string; seconds?: number }

/** Sends a ZIP with exports, named by their words with commas between. The caller counts the download. */
async function sendExportZip(to: FileRequest, { exports, seconds, of }: ExportZip): Promise<void> {
  const names = exports.split(',')
  const files = [...ZIP_EXPORTS].flatMap(([name, file]) => (names.includes(name) ? [file] : []))
  const { accountId } = to
  const order = { accountId, of, exports: files, passageMs: passageMsOf(seconds) }
  return sendMade(await openExportZip(to, order), to)
}

/** Sends what is made on the way: its length is not known, nor whether it is the same the next time. */
async function sendMade(opened: Export | null, to: FileRequest): Promise<void> {
  const { request, reply } = to
  if (opened === null) throw new Problem('not_found')
  const isHead = request.method === 'HEAD' // for which nothing is made
  if (!isHead) holdUntilSent(to, opened.heldBytes)
  const bytes = isHead ? [] : await opened.begin()
  if (bytes === null) throw new Problem('not_found')
  reply.headers({
    'Content-Type': opened.contentType,
    'Content-Disposition': contentDisposition(opened.name),
    'Cache-Control': 'no-store',
  })
  await sendPieces(Readable.from(withHeading(bytes)), to)
}

/** Yields a heading with the piece behind it: alone it would be a success before any text was read. */
async function* withHeading(pieces: AsyncIterable<Buffer> | Buffer[]) {
  let held: Buffer[] | null = []
  for await (const piece of pieces)
    if (held === null) yield piece
    else if (held.push(piece) > 1) {
      yield Buffer.concat(held)
      held = null
    }
  yield* held ?? []
}

/** A file of a row's words as it is asked for. */
type WordFileAsked = {
  jobId: string
  index: number
  file: WordFile
  naming?: Naming | undefined
}

/** Sends a file of a row's words. */
export async function sendWordFile(
  to: FileRequest,
  { jobId, index, file, naming = 'index' }: WordFileAsked,
): Promise<void> {
  const { text } = found(await findRowWithText(to.db, { accountId: to.accountId, jobId, index }))
  if (text === null) throw new Problem('not_found', { message: WITHOUT_TEXT })
  const opened = await openWordFile(to, { ...text, file, naming })
  if (opened === null) throw new Problem('not_found', { message: WITHOUT_TIMES })
  return sendFile(opened, to)
}

const WITHOUT_TEXT =
  'This row has no text, so it has no words either; its label or errorMessage says why.'
const WITHOUT_TIMES =
  'No times of words are kept of this video: the platform published none, or its text is of an earlier release or was deleted.'

/** Answers with an opened file, or what the request's conditions ask for; resolves when sent. */
export async function sendFile(opened: OpenFile, to: FileRequest): Promise<void> {
  if (isTextType(opened.contentType)) varyByEncoding(to.reply)
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

  reply.headers({ ETag: etag, 'Cache-Control': TAGGED_CACHE, 'Accept-Ranges': 'bytes' })
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

function encodingOf({ contentType }: OpenFile, request: FastifyRequest): Encoding {
  return encodingFor({ isText: isTextType(contentType) }, request)
}

function passageMsOf(seconds = 120): number {
  return seconds * 1000
}
