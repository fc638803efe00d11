/** Compresses large JSON as the caller accepts it; what is small goes out as it is, at once. */
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LIMITS } from '../config.ts'

const ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type JsonEncoding = (typeof ENCODINGS)[number]

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
    const isLarge = payload.length >= LIMITS.compressedBytesMin && reply.statusCode !== 206
    if (!isLarge || !isPlainJson(reply)) return done()

    reply.header('Vary', 'Accept-Encoding')
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (encoding === null) return done()
    reply.header('Content-Encoding', encoding)
    COMPRESSORS[encoding](Buffer.isBuffer(payload) ? payload : Buffer.from(payload), done)
  })
}

/** Neither compressed already nor announced with a length. */
function isPlainJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  const isJson = typeof type === 'string' && type.startsWith('application/json')
  return isJson && !reply.hasHeader('content-encoding') && !reply.hasHeader('content-length')
}

/**
 * The encoding an Accept-Encoding header prefers among ours, or null for none (RFC 9110, section
 * 12.5.3). At equal weights the quickest; `identity` wins only with a greater weight.
 */
export function chooseEncoding(header: string | string[] | undefined): JsonEncoding | null {
  const weights = weightsOf(Array.isArray(header) ? header.join(',') : (header ?? ''))
  const any = weights.get('*')
  let chosen: JsonEncoding | null = null
  let best = 0
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding) ?? any ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return (weights.get('identity') ?? 0) > best ? null : chosen
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const weight = parameters.find((word) => word.startsWith('q='))?.slice(2)
    const isWeight = weight === undefined || /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)
    if (name !== '' && isWeight) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1))
  }
  return weights
}
