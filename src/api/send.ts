/** Answers with bytes: a file with its ranges, what is made piece by piece, and what is written as it comes. */
import { pipeline, Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ByteRange,
  CHUNK_BYTES,
  type FileBody,
  heldBytesOf,
  streamBody,
} from '../kit/file-body.ts'
import type { Search } from '../features/search/search.ts'
import { type TextSource, textsOf } from '../features/transcripts/read-stored.ts'
import { acceptedEncoding, isTextType, varyByEncoding } from '../kit/http/accept.ts'
import type { Encoding } from '../kit/http/content.ts'
import { onceClosed } from '../kit/once-closed.ts'
import type { Downloads } from './files/downloads.ts'
import type { ApiContext } from './api-context.ts'
import { type PageParts, renderPage } from './landing/page.ts'

/** Encodings of texts that are sent piece by piece, the preferred first among those that a client accepts alike. */
const STREAM_ENCODINGS = ['zstd', 'gzip'] as const
/** Compressors with quick levels, and large pieces: they are faster than the network. */
const COMPRESSORS: Record<(typeof STREAM_ENCODINGS)[number], () => Transform> = {
  zstd: () =>
    zlib.createZstdCompress({
      chunkSize: COMPRESSED_PIECE_BYTES,
      params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 },
    }),
  gzip: () => zlib.createGzip({ chunkSize: COMPRESSED_PIECE_BYTES, level: 1 }),
}
const COMPRESSED_PIECE_BYTES = 65_536

/** Returns the encoding that the client accepts; `isText` says whether compressing is worth it. */
export function encodingFor({ isText }: { isText: boolean }, request: FastifyRequest): Encoding {
  if (!isText) return 'identity'
  return acceptedEncoding(request.headers['accept-encoding'], STREAM_ENCODINGS) ?? 'identity'
}

/**
 * Sends a body whose length is known, small ones at once and large ones as the client takes them; resolves once all is
 * sent. A body that is compressed on the way is sent without its length. Before a range is sent, the caller sets status
 * and `Content-Range`.
 */
export async function sendBody(
  body: FileBody,
  encoding: Encoding,
  to: FileRequest & { range?: ByteRange },
): Promise<void> {
  const { request, reply, range } = to
  const sizeBytes = range === undefined ? body.sizeBytes : range.lastByte - range.firstByte + 1
  if (encoding === 'identity') reply.header('Content-Length', sizeBytes)
  else reply.header('Content-Encoding', encoding)
  // For HEAD the framework drops a stream and keeps the length; nothing of the body is read.
  if (request.method === 'HEAD') return void (await reply.send(Readable.from([])))
  holdUntilSent(to, heldBytesOf(body))
  const bytes = streamBody(body, range)
  if (encoding !== 'identity')
    return void (await reply.send(compressed(Readable.from(bytes), encoding)))
  await reply.send(sizeBytes <= CHUNK_BYTES ? await buffer(bytes) : Readable.from(bytes))
}

/** Compresses bytes as they come. A failure destroys the stream, and so the reply. */
function compressed(pieces: Readable, encoding: (typeof STREAM_ENCODINGS)[number]): Transform {
  const compressor = COMPRESSORS[encoding]()
  pipeline(pieces, compressor, () => undefined)
  return compressor
}

/** Counts the memory of the answer until it is sent or its client has left. */
export function holdUntilSent(
  { downloads, accountId, reply: { raw } }: FileRequest,
  bytes: number,
): void {
  const giveBack = downloads.hold(accountId, bytes)
  onceClosed(raw, giveBack)
}

/** Returns a header that may come repeated as one list. */
export function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

/** A request of an account that is answered with a file, and what is needed for that. */
export type FileRequest = Caller & TextSource & { downloads: Downloads; search: Search }

type Caller = { accountId: string; request: FastifyRequest; reply: FastifyReply }

/** Returns the request with readers that are the account's. */
export function fileRequest(ctx: ApiContext, caller: Caller): FileRequest {
  const { downloads, search } = ctx
  return { ...textsOf(ctx, caller.accountId), downloads, search, ...caller }
}

/** Sends pieces as they come, with the type that the reply has; texts as the client accepts them compressed. */
export async function sendPieces(pieces: Readable, { request, reply }: Caller): Promise<void> {
  const isText = isTextType(String(reply.getHeader('content-type')))
  if (isText) varyByEncoding(reply)
  const encoding = encodingFor({ isText }, request)
  if (encoding === 'identity') return void (await reply.send(pieces))
  reply.header('Content-Encoding', encoding)
  await reply.send(request.method === 'HEAD' ? pieces : compressed(pieces, encoding))
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sends a page that the server writes itself: without a script, and with a policy that allows none. */
export function sendWritten(reply: FastifyReply, page: PageParts): FastifyReply {
  return reply
    .headers({
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      // A page without a canonical address is of one visitor.
      'Cache-Control': page.canonical === null ? 'no-store' : 'no-cache',
      Vary: 'Accept, Accept-Encoding, Cookie',
    })
    .type('text/html; charset=utf-8')
    .send(renderPage(page))
}
