/** Answers that a request accepts (RFC 9110): media types and encodings, and large JSON in one of these. */
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Whether a request prefers Markdown. It must name it: browsers accept everything and never name Markdown. At equal
 * weights Markdown wins.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '')
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}

/** Whether a request names HTML, as browsers do that open an address. */
export function namesHtml(accept: string | undefined): boolean {
  return (weightsOf(accept ?? '').get('text/html') ?? 0) > 0
}

/** A weight (RFC 9110, section 12.4.2). */
const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/

/**
 * Returns the encoding that a header prefers among `ours`, or null for none. At equal weights the first of `ours` wins;
 * `identity` wins only with a greater weight.
 */
export function acceptedEncoding<Encoding extends string>(
  header: string | string[] | undefined,
  ours: readonly Encoding[],
): Encoding | null {
  const weights = weightsOf(Array.isArray(header) ? header.join(',') : (header ?? ''))
  const any = weights.get('*')
  let chosen: Encoding | null = null
  let best = 0
  for (const encoding of ours) {
    const weight = weights.get(encoding) ?? any ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return (weights.get('identity') ?? 0) > best ? null : chosen
}

/** Returns the weight of each name in a header of this kind; a weight of 0 refuses the name. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const weight = parameters.find((word) => word.startsWith('q='))?.slice(2)
    const isWeight = weight === undefined || WEIGHT.test(weight)
    if (name !== '' && isWeight) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1))
  }
  return weights
}

/** The size below which compressing costs the caller more time than its bytes save. */
const COMPRESSED_BYTES_MIN = 1_024

/** The encodings of texts that are held whole, the quickest first. */
export const TEXT_ENCODINGS = ['zstd', 'br', 'gzip'] as const
type TextEncoding = (typeof TEXT_ENCODINGS)[number]

const BROTLI_QUALITY = 4

const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }

type Done = (error: Error | null, body: Buffer) => void

const COMPRESSORS: Record<TextEncoding, (body: Buffer, done: Done) => void> = {
  zstd: (body, done) => zlib.zstdCompress(body, done),
  br: (body, done) => zlib.brotliCompress(body, BROTLI, done),
  gzip: (body, done) => zlib.gzip(body, done),
}

/** Types `application/…` that are text without naming a character set, beside those in `+json` or `+xml`. */
const TEXT_SUBTYPES = new Set(['json', 'xml', 'javascript'])

/** Whether a `Content-Type` is one of a text, which compresses to a part: one that names a character set is. */
export function isTextType(type: string): boolean {
  const [media = ''] = type.split(';', 1)
  const [kind, subtype = ''] = media.split('/')
  if (/;\s*charset=/i.test(type)) return true
  if (kind !== 'application') return kind === 'text'
  return TEXT_SUBTYPES.has(subtype) || subtype.endsWith('+json') || subtype.endsWith('+xml')
}

/** Compresses texts as the caller accepts it; small ones go out uncompressed at once. */
export function compressTexts(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done()
    const isLarge = payload.length > COMPRESSED_BYTES_MIN && reply.statusCode !== 206
    if (!isLarge || !isPlainText(reply)) return done()

    varyByEncoding(reply)
    const encoding = acceptedEncoding(request.headers['accept-encoding'], TEXT_ENCODINGS)
    if (encoding === null) return done()
    reply.header('Content-Encoding', encoding)
    weakenTag(reply)
    COMPRESSORS[encoding](Buffer.isBuffer(payload) ? payload : Buffer.from(payload), done)
  })
}

/** Whether a reply is a text that is neither compressed nor announced with a length. */
function isPlainText(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  const isText = typeof type === 'string' && isTextType(type)
  return isText && !reply.hasHeader('content-encoding') && !reply.hasHeader('content-length')
}

/** Says that the answer depends on `Accept-Encoding`, beside what it depends on already. */
export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  const others = typeof vary === 'string' ? vary.split(', ') : []
  if (!others.includes('Accept-Encoding'))
    reply.header('Vary', [...others, 'Accept-Encoding'].join(', '))
}

/** A strong entity tag is of the bytes, and these are others now (RFC 9110, section 8.8.1). */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('ETag', `W/${tag}`)
}
