/** One HTTP exchange with full control of what is sent, and one over a bare socket for bytes that are not HTTP. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { Readable } from 'node:stream'
import tls from 'node:tls'

// eslint-disable-next-line typescript/no-explicit-any -- answers are what is being checked
export type Json = Record<string, any>

export type Reply = {
  status: number
  headers: Headers
  /** The JSON of a JSON reply; `{}` for any other. */
  body: Json
  bytes: Buffer
}

export type Exchange = {
  method: string
  url: string | URL
  /** Target of the request, sent as it is, where a URL would normalise it. */
  path?: string
  headers: http.OutgoingHttpHeaders
  /** Body; pieces are sent as chunks, without a length. */
  body?: string | Buffer | Buffer[] | undefined
}

const DEADLINE_MS = 90_000
const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 64 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 64 }),
}

export async function exchange(asked: Exchange): Promise<Reply> {
  const response = await open(asked, AbortSignal.timeout(DEADLINE_MS))
  const bytes = await bytesOf(response)
  const headers = new Headers(
    response.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [[name, all[at + 1] ?? '']] : [],
    ),
  )
  const isPlainJson =
    headers.get('content-type')?.split(';')[0] === 'application/json' &&
    !headers.has('content-encoding')
  const hasJson = isPlainJson && bytes.length > 0 && response.statusCode !== 206
  return {
    status: response.statusCode ?? 0,
    headers,
    body: hasJson ? (JSON.parse(bytes.toString()) as Json) : {},
    bytes,
  }
}

/** Returns the reply once its head has arrived; its body is a stream. */
export async function open(
  { method, url, path, headers, body }: Exchange,
  signal?: AbortSignal,
): Promise<http.IncomingMessage> {
  const target = new URL(url)
  const isTls = target.protocol === 'https:'
  const request = (isTls ? https : http).request(target, {
    method,
    headers,
    agent: agents[isTls ? 'https:' : 'http:'],
    ...(path === undefined ? {} : { path }),
    ...(signal === undefined ? {} : { signal }),
  })
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  if (Array.isArray(body)) for (const piece of body) request.write(piece)
  else if (body !== undefined) {
    if (headers['Content-Length'] === undefined)
      request.setHeader('Content-Length', Buffer.byteLength(body))
    request.write(body)
  }
  request.end()
  const [response] = await answered
  return response
}

/** Joins the chunks without a Blob, in which Node's `buffer` gathers them. */
async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat((await stream.toArray()) as Buffer[])
}

/** Sends these bytes and reads until the server closes. Returns the answer as text. */
export async function rawExchange(base: URL, bytes: string | Buffer): Promise<string> {
  const isTls = base.protocol === 'https:'
  const at = { host: base.hostname, port: Number(base.port || (isTls ? 443 : 80)) }
  const socket = isTls ? tls.connect({ ...at, servername: base.hostname }) : net.connect(at)
  socket.setTimeout(DEADLINE_MS, () =>
    socket.destroy(new Error('the server did not close the connection')),
  )
  socket.write(bytes)
  return (await bytesOf(socket)).toString()
}

/** Connections are kept between exchanges; a program that ends lets them go. */
export function closeConnections(): void {
  for (const agent of Object.values(agents)) agent.destroy()
}
