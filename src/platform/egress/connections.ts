/** The connections of one egress route, in undici's pools, and single exchanges over them. */
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher, errors, ProxyAgent } from 'undici'
import type { Content } from './content.ts'
import type { EgressRoute } from './route.ts'

export type WireRequest = {
  method: 'GET' | 'POST'
  /** The origin, such as `https://HOST`. */
  origin: string
  /** The path with its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
  /** The most bytes as received; decompressing has its own limits. */
  bytesMax: number
}

/** How an exchange fails before its reply can be read. */
type WireFailure = 'unreachable' | 'timed_out' | 'truncated' | 'too_large'

/** The headers that name a version of what was sent, as they came; null where there is none. */
export type Validators = { lastModified: string | null; etag: string | null }

type ReplyHead = Validators & {
  status: number
  location: string | null
  retryAfterMs: number | null
}

/** A reply; `bytes` are those received, compressed. */
export type WireReply = { bytes: number } & (
  ({ kind: 'reply'; content: Content } & ReplyHead) | { kind: 'broken'; failure: WireFailure }
)

/** Takes each exchange as it ends, broken ones too; `route` is null for one with the provider of tokens. */
export type OnExchange = (made: {
  route: EgressRoute | null
  request: WireRequest
  reply: WireReply
}) => void

const KEEP_ALIVE_MS = 30_000
/** The longest Retry-After that is believed: by reports, blocks last up to 72 hours. */
const RETRY_AFTER_MS_MAX = 72 * 3_600_000

/**
 * Opens the connections of one route. They use HTTP/1.1 on purpose: a proxy binds an exit to a connection, and closing
 * it must leave a block behind. A rotating route has one connection.
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

/** Makes one exchange under a hard deadline. Throws only the reason of `signal`. */
export async function exchange(
  dispatcher: Dispatcher,
  { origin, path, method, headers, body, bytesMax }: WireRequest,
  { signal, requestMs, now }: { signal: AbortSignal; requestMs: number; now: () => Date },
): Promise<WireReply> {
  signal.throwIfAborted()
  const receiver = new Receiver(bytesMax, now)
  const leave = (): void => receiver.end(null)
  const deadline = setTimeout(() => receiver.breakOff('timed_out'), requestMs).unref()
  signal.addEventListener('abort', leave, { once: true })
  try {
    // One deadline covers all, so undici needs none for head or body.
    dispatcher.dispatch(
      { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 },
      receiver,
    )
    const reply = await receiver.reply
    if (reply === null) throw signal.reason
    return reply
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', leave)
  }
}

/** Collects a reply from the wire, without the stream that undici would make of it. */
class Receiver implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = []
  private readonly bytesMax: number
  private readonly now: () => Date
  private readonly settling = Promise.withResolvers<WireReply | null>()
  private controller: Dispatcher.DispatchController | null = null
  private head: ReplyHead | null = null
  private encoding: string | null = null
  private bytes = 0
  private isOver = false

  constructor(bytesMax: number, now: () => Date) {
    this.bytesMax = bytesMax
    this.now = now
  }

  /** The reply; null where its caller left. */
  get reply(): Promise<WireReply | null> {
    return this.settling.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.isOver) controller.abort(new Error('nobody waits for it any more'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return
    this.encoding = headerOf(headers['content-encoding'])
    this.head = {
      status,
      location: headerOf(headers.location),
      retryAfterMs: readRetryAfter(headerOf(headers['retry-after']), this.now()),
      lastModified: validatorOf(headers['last-modified']),
      etag: validatorOf(headers.etag),
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.bytes > this.bytesMax) this.breakOff('too_large')
    else if (!this.isOver) this.chunks.push(chunk)
  }

  onResponseEnd(): void {
    const { chunks, head, encoding, bytes } = this
    if (head === null) return this.breakOff('unreachable')
    const [first] = chunks
    const raw = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    this.isOver = true
    this.settling.resolve({ kind: 'reply', ...head, content: { raw, encoding }, bytes })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.breakOff(failureOf(error, this.bytes > 0))
  }

  breakOff(failure: WireFailure): void {
    this.end({ kind: 'broken', failure, bytes: this.bytes })
  }

  /** Settles the reply and closes the connection, so that nothing more is received. */
  end(reply: WireReply | null): void {
    if (this.isOver) return
    this.isOver = true
    this.settling.resolve(reply)
    this.controller?.abort(new Error('nobody waits for it any more'))
  }
}

function headerOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** The most characters of a validator; a longer one is not kept. */
const VALIDATOR_CHARS_MAX = 200

function validatorOf(value: string | undefined): string | null {
  return value === undefined || value.length > VALIDATOR_CHARS_MAX ? null : value
}

/** Returns seconds or an HTTP date as milliseconds from now; null where the value is neither. */
export function readRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null
  if (/^\d+$/.test(value.trim())) return Math.min(Number(value) * 1000, RETRY_AFTER_MS_MAX)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now.getTime()), RETRY_AFTER_MS_MAX)
}

/** Returns the kind of failure without the error's text, which may hold a proxy's address. */
function failureOf(error: unknown, hasBegun: boolean): WireFailure {
  if (hasBegun) return 'truncated'
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
    ? 'timed_out'
    : 'unreachable'
}
