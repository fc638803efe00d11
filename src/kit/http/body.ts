/** Reads request bodies: JSON in UTF-8 only, at most 64 KB, counted on the stream. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { KIT_LIMITS } from '../limits.ts'
import { onceClosed } from '../once-closed.ts'
import { Problem } from '../problem.ts'
import { isStorable, unstorableIn } from '../text/outside-text.ts'
import { declaredOf } from './declared-fields.ts'
import { unstorable } from './every-answer.ts'

/**
 * The deepest nesting that is accepted. No body of the API nests deeper than 2; a deeper one attacks code that walks
 * through it.
 */
const JSON_DEPTH = 64

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON bodies; each may take `deadlineMs` to arrive. */
export function readJsonBodies(app: FastifyInstance, deadlineMs: number): void {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', async (request, reply) => {
    if (request.routeOptions.schema?.body !== undefined) refuseOtherTypes(request)
    // All refusals that need no body are decided by now, so a client that waits for permission may send its body.
    if (awaitsContinue(request) && !saysTooLarge(request)) reply.raw.writeContinue()
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
    parse(await readBody(request, payload, deadlineMs)),
  )
}

/**
 * Reads forms for the routes of one plugin, as OAuth sends them, as `URLSearchParams` within the same limits: the
 * fields that the route's schema names in `form`.
 */
export function readFormBodies(app: FastifyInstance, deadlineMs: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) =>
      readForm(
        decoded(await readBody(request, payload, deadlineMs)),
        request.routeOptions.schema?.form,
      ),
  )
}

/**
 * Returns the form of a request that is refused without looking further, to tell whose secrets came with it. It has no
 * fields where it cannot be read, or where the client waits for permission to send it.
 */
export async function readRefusedForm(
  request: FastifyRequest,
  deadlineMs: number,
): Promise<URLSearchParams> {
  if (awaitsContinue(request)) return new URLSearchParams()
  const body = await readBody(request, request.raw, deadlineMs).catch(() => Buffer.of())
  return new URLSearchParams(body.toString())
}

/** Throws the Problem of text that nothing can store, also in a field that is not declared. */
function readForm(text: string, declared: FastifySchema['form']): URLSearchParams {
  const form = new URLSearchParams(text)
  const odd = [...form].find(([name, value]) => !isStorable(name) || !isStorable(value))
  if (odd !== undefined) throw unstorable(isStorable(odd[0]) ? [odd[0]] : [])
  return declaredOf(form, declared)
}

/** Ignores the body of a route that takes none, since some clients send `{}` or a type with every POST. */
export async function ignoreUnwantedBody({ headers, routeOptions }: FastifyRequest): Promise<void> {
  if (routeOptions.schema?.body !== undefined) return
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name]
}

function awaitsContinue({ raw }: FastifyRequest): boolean {
  return raw.httpVersion === '1.1' && /\b100-continue\b/i.test(raw.headers.expect ?? '')
}

function saysTooLarge({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > KIT_LIMITS.bodyBytes
}

function refuseOtherTypes({ headers }: FastifyRequest): void {
  const type = headers['content-type']
  if (type === undefined || !isJsonInUtf8(type)) {
    throw unsupported('Content-Type must be application/json, in UTF-8.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw unsupported('Content-Encoding is not accepted; send the body as it is.')
  }
}

/** Whether the type is `application/json`, alone or with `charset=utf-8`; an empty last parameter is ignored. */
function isJsonInUtf8(type: string): boolean {
  const [name, ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (parameters.at(-1) === '') parameters.pop()
  const [parameter = 'charset=utf-8', ...more] = parameters
  const [key, value, ...rest] = parameter.split('=').map((part) => part.trim())
  const isUtf8 =
    key === 'charset' && (value === 'utf-8' || value === '"utf-8"') && rest.length === 0
  return name === 'application/json' && isUtf8 && more.length === 0
}

/** Returns the body's bytes; throws the Problem of a body that is too large, too slow or broken. */
async function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  deadlineMs: number,
): Promise<Buffer> {
  if (saysTooLarge(request)) throw tooLarge()
  if (request.fault !== null) throw request.fault
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer): void => {
    size += chunk.length
    if (size > KIT_LIMITS.bodyBytes) return reject(tooLarge())
    chunks.push(chunk)
  }
  const late = setTimeout(() => reject(tooSlow()), deadlineMs)
  request.onFault = reject
  payload.on('data', take)
  payload.once('end', () => resolve(Buffer.concat(chunks)))
  // No client is left to read the answer, but the end must not count as an internal error.
  onceClosed(payload, () => {
    if (!payload.readableEnded) reject(malformed('The body ended early'))
  })
  payload.on('error', () => reject(malformed('The body ended early')))
  try {
    return await promise
  } finally {
    clearTimeout(late)
    request.onFault = null
    payload.off('data', take)
    payload.resume() // the rest is dropped, so that the client reads the answer
  }
}

function parse(body: Buffer): unknown {
  if (body.length === 0) throw malformed('The body is empty; send a JSON object')
  return storableJson(decoded(body))
}

/** Returns the value of a body's JSON, or of JSON in a text of it. Throws a Problem where nothing could store it. */
export function storableJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON in UTF-8')
  }
  if (depthOf(value) > JSON_DEPTH)
    throw malformed(`The body nests deeper than ${JSON_DEPTH} levels`)
  // Only an escape can hold what UTF-8 and JSON do not allow unescaped.
  const path = text.includes('\\u') ? unstorableIn(value) : null
  if (path !== null) throw unstorable(path)
  return value
}

function decoded(body: Buffer): string {
  try {
    return UTF8.decode(body)
  } catch {
    throw malformed('The body is not valid JSON in UTF-8')
  }
}

/** Returns how deep a value nests, at most one above the limit. It walks level by level, without recursion. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    level = level.flatMap((part) =>
      part !== null && typeof part === 'object' ? Object.values(part) : [],
    )
    if (level.length === 0 || depth > JSON_DEPTH) return depth
  }
}

function malformed(sentence: string): Problem {
  return new Problem('invalid_request', { message: `${sentence}.` })
}

function tooLarge(): Problem {
  return new Problem('invalid_request', {
    status: 413,
    message: 'The body is larger than 64 KB; send fewer or shorter lines.',
  })
}

function tooSlow(): Problem {
  return new Problem('invalid_request', {
    status: 408,
    message: 'The body took too long to arrive.',
    headers: { Connection: 'close' },
  })
}

function unsupported(message: string): Problem {
  return new Problem('invalid_request', { status: 415, message })
}
