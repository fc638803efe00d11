/** Connections of one egress route: undici's pools, and what goes over them, one request at a time. */
import { Agent, type Dispatcher, errors, ProxyAgent, request } from 'undici'
import type { Content } from './content.ts'
import type { EgressRoute } from './route.ts'

export type WireRequest = {
  method: 'GET' | 'POST'
  url: URL
  headers: Readonly<Record<string, string>>
  body: string | null
  /** As received; decompressing has limits of its own. */
  bytesMax: number
}

/** How an exchange fails before its reply can be read. */
export type WireFailure = 'unreachable' | 'timed_out' | 'truncated' | 'too_large'

export type WireReply =
  | {
      kind: 'reply'
      status: number
      content: Content
      location: string | null
      retryAfterMs: number | null
      /** As received, compressed. */
      bytes: number
    }
  | { kind: 'broken'; failure: WireFailure; bytes: number }

const KEEP_ALIVE_MS = 30_000
/** Blocks last up to 72 hours by report; nobody is told to stay away longer and still meant. */
const RETRY_AFTER_MS_MAX = 72 * 3_600_000

/**
 * A pool of its own for a route. HTTP/1.1 on purpose: a connection is what a proxy binds an exit
 * to, and a block must be left behind by closing it. A rotating route has one connection.
 */
export function openConnections(
  route: EgressRoute,
  { connectMs }: { connectMs: number },
): Dispatcher {
  const pool = {
    allowH2: false,
    pipelining: 1,
    connections: route.isRotating ? 1 : route.concurrency * 2,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: connectMs,
  }
  if (route.proxyOrigin === null) return new Agent({ ...pool, connect: { timeout: connectMs } })
  const token = route.proxyAuthorization === null ? {} : { token: route.proxyAuthorization }
  return new ProxyAgent({ ...pool, ...token, uri: route.proxyOrigin, proxyTunnel: true })
}

/** One exchange under a hard deadline. Throws only the reason of `signal`. */
export async function exchange(
  dispatcher: Dispatcher,
  { method, url, headers, body, bytesMax }: WireRequest,
  { signal, requestMs, now }: { signal: AbortSignal; requestMs: number; now: () => Date },
): Promise<WireReply> {
  const deadline = AbortSignal.timeout(requestMs)
  let received = 0
  try {
    const reply = await request(url, {
      dispatcher,
      method,
      headers,
      body,
      signal: AbortSignal.any([signal, deadline]),
      headersTimeout: requestMs,
      bodyTimeout: requestMs,
    })
    const chunks: Buffer[] = []
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > bytesMax) return { kind: 'broken', failure: 'too_large', bytes: received }
      chunks.push(chunk)
    }
    const raw = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    return {
      kind: 'reply',
      status: reply.statusCode,
      content: { raw, encoding: headerOf(reply.headers['content-encoding']) },
      location: headerOf(reply.headers.location),
      retryAfterMs: readRetryAfter(headerOf(reply.headers['retry-after']), now()),
      bytes: received,
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return { kind: 'broken', failure: failureOf(error, deadline, received > 0), bytes: received }
  }
}

function headerOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** Seconds or an HTTP date, as milliseconds from now; null where it is neither. */
export function readRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null
  if (/^\d+$/.test(value.trim())) return Math.min(Number(value) * 1000, RETRY_AFTER_MS_MAX)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now.getTime()), RETRY_AFTER_MS_MAX)
}

/** No text of the error goes on: it may hold a proxy's address. */
function failureOf(error: unknown, deadline: AbortSignal, hasBegun: boolean): WireFailure {
  if (deadline.aborted) return 'timed_out'
  if (hasBegun) return 'truncated'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return 'timed_out'
  }
  return 'unreachable'
}
