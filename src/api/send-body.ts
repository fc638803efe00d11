/** Sends a body whose length is known: small ones at once, large ones as the client takes them. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FileBody, type ByteRange, CHUNK_BYTES, streamBody } from '../kit/file-body.ts'
import { acceptedEncoding } from '../kit/http/accept-encoding.ts'
import type { Encoding } from '../kit/http/content.ts'

/** The content as it is, and as one gzip stream where it is sent as one. */
export type Encodings = { identity: FileBody; gzip: (() => Promise<FileBody>) | null }

/** What the client takes of what there is. */
export function encodingFor({ gzip }: Pick<Encodings, 'gzip'>, request: FastifyRequest): Encoding {
  if (gzip === null) return 'identity'
  return acceptedEncoding(request.headers['accept-encoding'], ['gzip']) ?? 'identity'
}

/** Resolves once all is sent. Of a range `Content-Range` and status are the caller's. */
export async function sendBody(
  content: Encodings,
  encoding: Encoding,
  { request, reply, range }: { request: FastifyRequest; reply: FastifyReply; range?: ByteRange },
): Promise<void> {
  const body =
    encoding === 'gzip' && content.gzip !== null ? await content.gzip() : content.identity
  const sizeBytes = range === undefined ? body.sizeBytes : range.lastByte - range.firstByte + 1
  reply.header('Content-Length', sizeBytes)
  if (content.gzip !== null) reply.header('Vary', 'Accept-Encoding')
  if (encoding === 'gzip') reply.header('Content-Encoding', 'gzip')
  // For HEAD the framework drops a stream and keeps the length; nothing of the body is read.
  if (request.method === 'HEAD') return void (await reply.send(Readable.from([])))
  const bytes = streamBody(body, range)
  await reply.send(sizeBytes <= CHUNK_BYTES ? await buffer(bytes) : Readable.from(bytes))
}

/** A header that may come repeated, as the list that it then is. */
export function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
