/**
 * What every answer has: a request id, the headers of security and CORS, and a readable address. Browsers of any origin
 * may call, because keys are sent explicitly and never by a cookie.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KIT_LIMITS } from '../limits.ts'
import { Problem } from '../problem.ts'
import type { RouteWatch } from './allowed-methods.ts'
import { rawAnswer } from './parser-errors.ts'

/** Facts of an application: its addresses, and headers of its own. */
export type Openness = {
  /** Pages may call the addresses at and below these. */
  openBases: readonly OpenBase[]
  /** Answers at addresses that begin so belong to one customer, so that no cache may keep them. */
  privateBases: readonly string[]
  /** Headers that pages may read. */
  exposedHeaders: string
  /** Headers that pages may send. */
  sendableHeaders: string
}

/** An address that pages may call: those of any origin, or those that its guard lets in. */
type OpenBase = { path: string; guard?: (request: FastifyRequest) => Problem | null }

export function answerEveryRequest(
  app: FastifyInstance,
  security: Record<string, string>,
  { openBases, privateBases, exposedHeaders }: Openness,
): void {
  // The hook returns no promise: it runs before everything else, and a promise would double its cost.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).headers(security)
    if (privateBases.some((base) => request.url.startsWith(base)))
      reply.header('Cache-Control', 'no-store') // a route may override this
    const base = openBases.find(({ path }) => isBelow(path, request.url))
    const refusal = base?.guard?.(request) ?? null
    if (refusal !== null) return done(refusal)
    const isPublic = base !== undefined
    if (isPublic) reply.header('Access-Control-Allow-Origin', '*')
    const contradiction = contradictionOf(request)
    if (contradiction !== null)
      return done(new Problem('invalid_request', { message: contradiction }))
    if (isPublic && request.method !== 'OPTIONS')
      reply.header('Access-Control-Expose-Headers', exposedHeaders)
    done()
  })
}

/**
 * Returns how a request names two hosts, in a sentence; null for one that does not. A proxy in front may have decided
 * by the other one (RFC 9112, section 3.2).
 */
function contradictionOf({ raw, headers, originalUrl }: FastifyRequest): string | null {
  if (hasTwoHosts(raw.rawHeaders)) return 'The Host header is repeated.'
  if (originalUrl.startsWith('/') || originalUrl === '*') return null
  const [, scheme = '', target = ''] = ABSOLUTE.exec(originalUrl) ?? []
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  const plain = (host: string): string => {
    const name = host.toLowerCase()
    return name.endsWith(port) ? name.slice(0, -port.length) : name
  }
  // Without a Host, as HTTP/1.0 allows, the target alone names one.
  if (target !== '' && plain(target) === plain(headers.host ?? target)) return null
  return 'The target of the request is not at the host that Host names.'
}

/** An absolute target: its scheme, and its host, which has no account before it (RFC 9110, section 4.2.4). */
const ABSOLUTE = /^(https?):\/\/([^/?#@]+)(?:[/?#]|$)/i

/** Whether a request has two Host headers, of which Node passes on only the first. */
function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Answers preflights. They need no key and cost no token: browsers send them by themselves, before the key. */
export function answerPreflights(
  app: FastifyInstance,
  routes: RouteWatch,
  { openBases, sendableHeaders }: Openness,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = request.method === 'OPTIONS'
    if (!isPreflight || !openBases.some(({ path }) => isBelow(path, request.url))) return done()
    const methods = routes.methodsAt(request.url)
    const allowed = (methods.length > 0 ? methods : ['GET', 'HEAD', 'POST', 'OPTIONS']).join(', ')
    void reply
      .code(204)
      .headers({
        Allow: allowed,
        'Access-Control-Allow-Methods': allowed,
        'Access-Control-Allow-Headers': sendableHeaders,
        'Access-Control-Max-Age': String(KIT_LIMITS.preflightSeconds),
      })
      .send()
  })
}

function isBelow(base: string, url: string): boolean {
  return (
    url.startsWith(base) && (url.length === base.length || '/?'.includes(url.charAt(base.length)))
  )
}

/** Refuses an HTTP/1.1 request without a Host (RFC 9112, section 3.2). */
export function requireHost(
  { raw }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Problem) => void,
): void {
  if (raw.httpVersion !== '1.1' || raw.headers.host !== undefined) return done()
  done(new Problem('invalid_request', { message: 'The Host header is missing.' }))
}

/**
 * Returns the request's target in the form in which routes are written. An absolute target loses scheme and host. What
 * the path escapes without need is unescaped, since guards compare the same text as routes do. A path that cannot be
 * decoded gets its percent signs escaped, so that it matches no route and is refused like any unknown address.
 */
export function readableUrl(request: IncomingMessage): string {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')
  const url = target.startsWith('/') ? target : `/${target}`
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  const rest = end < 0 ? '' : url.slice(end)
  try {
    decodeURIComponent(path)
    return path.replaceAll(UNRESERVED, decodeURIComponent) + rest
  } catch {
    return path.replaceAll('%', '%25') + rest
  }
}

/** A percent-encoded letter, digit, `-`, `.`, `_` or `~`, which is the same escaped (RFC 3986, section 2.3). */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi

/** Answers requests that Node would answer itself without the form of Error: expectations and CONNECT. */
export function answerBareRequests(app: FastifyInstance, security: Record<string, string>): void {
  const { server } = app
  // body.ts sends 100-continue; other expectations may be ignored (RFC 9110, section 10.1.1).
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response)
    })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    const headers = { ...security, Allow: 'GET, HEAD, POST, OPTIONS' }
    socket.end(rawAnswer(405, 'This is no proxy: CONNECT is not answered.', headers))
  })
}

// These headers keep browsers from guessing types, from plain http and from keeping private answers.

/** How long a browser that came by https stays with https: a year. */
const HTTPS_ONLY_SECONDS = 31_536_000

/** Returns the security headers of every answer. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  const always = { 'X-Content-Type-Options': 'nosniff' }
  if (!publicUrl.startsWith('https:')) return always
  return { ...always, 'Strict-Transport-Security': `max-age=${HTTPS_ONLY_SECONDS}` }
}

// Text that nothing can store (a zero character or half of a surrogate pair) is refused wherever it is sent.

/** U+0000, or half of a surrogate pair, as percent-encoded in a URL. */
const UNSTORABLE = /%00|%ed%[ab]/i
const NAME_CHARS_MAX = 60

/** Refuses such text in query parameters, known or not. In a path it matches no route, which is 404. */
export function refuseUnstorableQueries(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const place = request.url.indexOf('?')
    const query = place < 0 ? '' : request.url.slice(place + 1)
    if (request.is404 || !UNSTORABLE.test(query)) return done()
    const pair = query.split('&').find((each) => UNSTORABLE.test(each)) ?? ''
    done(unstorable([(pair.split('=', 1)[0] ?? '').slice(0, NAME_CHARS_MAX)]))
  })
}

/**
 * Returns the refusal of such text. `path` holds the names that lead to it, such as `urls`, `3`; an empty one means the
 * body itself or the name of a property.
 */
export function unstorable([field = 'The body', ...steps]: string[]): Problem {
  const place = field + steps.map((step) => `[${step.slice(0, NAME_CHARS_MAX)}]`).join('')
  const message = `${place} contains a zero character (U+0000) or an unpaired surrogate; remove it.`
  return new Problem('invalid_request', { message })
}
