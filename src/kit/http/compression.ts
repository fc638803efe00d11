/** Compresses large JSON as the caller accepts it; small answers go out uncompressed at once. */
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptedEncoding } from './accept.ts'

/** The size below which compressing costs the caller more time than its bytes save. */
const COMPRESSED_BYTES_MIN = 4_096

/** The encodings of JSON, the quickest first. */
export const JSON_ENCODINGS = ['zstd', 'br', 'gzip'] as const
type JsonEncoding = (typeof JSON_ENCODINGS)[number]

const BROTLI_QUALITY = 4

const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }

type Done = (error: Error | null, body: Buffer) => void

const COMPRESSORS: Record<JsonEncoding, (body: Buffer, done: Done) => void> = {
  zstd: (body, done) => zlib.zstdCompress(body, done),
  br: (body, done) => zlib.brotliCompress(body, BROTLI, done),
  gzip: (body, done) => zlib.gzip(body, done),
}

export function compressLargeJson(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done()
    const isLarge = payload.length >= COMPRESSED_BYTES_MIN && reply.statusCode !== 206
    if (!isLarge || !isPlainJson(reply)) return done()

    reply.header('Vary', 'Accept-Encoding')
    const encoding = acceptedEncoding(request.headers['accept-encoding'], JSON_ENCODINGS)
    if (encoding === null) return done()
    reply.header('Content-Encoding', encoding)
    COMPRESSORS[encoding](Buffer.isBuffer(payload) ? payload : Buffer.from(payload), done)
  })
}

/** Whether a reply is JSON that is neither compressed nor announced with a length. */
function isPlainJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  const isJson = typeof type === 'string' && type.startsWith('application/json')
  return isJson && !reply.hasHeader('content-encoding') && !reply.hasHeader('content-length')
}
