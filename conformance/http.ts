/** One HTTP exchange with full control of what is sent, and one over a bare socket for what is not HTTP. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { buffer } from 'node:stream/consumers'
import tls from 'node:tls'

export type Answer = {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

export type Exchange = {
  method: string
  url: URL
  headers: http.OutgoingHttpHeaders
  /** Pieces are sent as chunks, without a length. */
  body?: string | Buffer | Buffer[]
}

const DEADLINE_MS = 90_000
const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 64 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 64 }),
}

export async function exchange({ method, url, headers, body }: Exchange): Promise<Answer> {
  const isTls = url.protocol === 'https:'
  const request = (isTls ? https : http).request(url, {
    method, headers, agent: agents[isTls ? 'https:' : 'http:'], signal: AbortSignal.timeout(DEADLINE_MS),
  })
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  if (Array.isArray(body)) for (const piece of body) request.write(piece)
  else if (body !== undefined) {
    if (headers['Content-Length'] === undefined) request.setHeader('Content-Length', Buffer.byteLength(body))
    request.write(body)
  }
  request.end()
  const [response] = await answered
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}

/** Sends these bytes and reads until the server closes: the answer as text. */
export async function rawExchange(base: URL, bytes: string | Buffer): Promise<string> {
  const isTls = base.protocol === 'https:'
  const at = { host: base.hostname, port: Number(base.port || (isTls ? 443 : 80)) }
  const socket = isTls ? tls.connect({ ...at, servername: base.hostname }) : net.connect(at)
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('the server did not close the connection')))
  socket.write(bytes)
  return (await buffer(socket)).toString()
}

/** Connections are kept between exchanges; a program that ends lets them go. */
export function closeConnections(): void {
  for (const agent of Object.values(agents)) agent.destroy()
}
