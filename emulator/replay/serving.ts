/**
 * Serves a recording on loopback: `npm run emulator -- --replay DIR`. It is also a proxy to itself, since a proxy's
 * user name says on which route of the recording a request is made.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { bodyOf, jsonOf } from '../reading.ts'
import { matchingOf } from './matching.ts'
import { olderMatching } from './older.ts'
import { askedOf, type Asked, type Broken, readRecording, type Replied } from './recording.ts'
import { unrecorded } from './unrecorded.ts'

export type Replaying = {
  origin: string
  /** The value of EGRESS_ROUTES with which each route is answered as it was; null where there was one, direct. */
  routes: string | null
  close(): Promise<void>
}

export type ReplayOptions = {
  folder: string
  port?: number | undefined
  host?: string | undefined
  /** Called with a line for each request that was not recorded. */
  onUnrecorded: (line: string) => void
}

/** What a reply that is too large has at most; whoever reads it gives up before. */
const TOO_LARGE_BYTES = 64 * 1024 * 1024
const PIECE = Buffer.alloc(1024 * 1024, ' ')

export async function serveRecording({
  folder,
  port = 0,
  host = '127.0.0.1',
  onUnrecorded,
}: ReplayOptions): Promise<Replaying> {
  const { exchanges, isOlder } = await readRecording(folder)
  const find = isOlder ? olderMatching(exchanges) : matchingOf(exchanges)
  const routeOf = new WeakMap<object, string>()
  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const tunnels = new Set<Socket>()
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    routeOf.set(socket, userOf(request.headers['proxy-authorization'] ?? ''))
    tunnels.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => tunnels.delete(socket))
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    server.emit('connection', socket)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await bodyOf(request)
    const { method = 'GET', url = '/', headers } = request
    const body = jsonOf(raw, headers['content-encoding'])
    const asked = {
      ...askedOf({ method, url, headers, body }),
      route: routeOf.get(request.socket) ?? null,
    }
    const found = find(asked)
    // An older recording has no identities at all.
    const isUsual = isOlder && asked.path.endsWith('/visitor_id')
    if (found === null && !isUsual) onUnrecorded(`not recorded: ${inWords(asked)}`)
    const reply = found ?? unrecorded(asked)
    if ('failure' in reply) breakOff(response, reply)
    else send(response, reply, /\bgzip\b/.test(String(headers['accept-encoding'] ?? '')))
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  const names = new Set(exchanges.flatMap(({ asked }) => asked.route ?? []))
  return {
    origin,
    routes: routesFor([...names].sort(), origin),
    close: async () => {
      server.closeAllConnections()
      for (const socket of tunnels) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function userOf(authorization: string): string {
  const [, encoded = ''] = authorization.split(' ')
  return Buffer.from(encoded, 'base64').toString().split(':')[0] ?? ''
}

function routesFor(names: readonly string[], origin: string): string | null {
  if (names.length === 0 || names.join() === 'direct1') return null
  const entry = (name: string): string => {
    const address = name.startsWith('direct') ? 'direct' : origin.replace('//', `//${name}:@`)
    return `${address}#name=${name}&ratePerMinute=60000`
  }
  return names.map(entry).join(' ')
}

function inWords({ method, path, client, body, query }: Asked): string {
  const { context: _, ...said } = body
  const about = { ...Object.fromEntries(query), ...said }
  return `${method} ${path} ${client.name} ${client.version} ${JSON.stringify(about)}`.slice(0, 500)
}

function send(response: ServerResponse, { status, headers, body }: Replied, gzips: boolean): void {
  const type = body.startsWith('{')
    ? 'application/json'
    : body.startsWith('<?xml')
      ? 'text/xml'
      : 'text/html'
  const bytes = gzips ? gzipSync(body, { level: 1 }) : Buffer.from(body)
  response.writeHead(status, {
    'content-type': `${type}; charset=UTF-8`,
    ...headers,
    ...(gzips ? { 'content-encoding': 'gzip' } : {}),
    'content-length': bytes.length,
  })
  response.end(bytes)
}

/** Breaks the exchange as it broke when it was recorded; a request that timed out is never answered. */
function breakOff(response: ServerResponse, { failure }: Broken): void {
  if (failure === 'timed_out') return
  if (failure === 'truncated') {
    response.writeHead(200, { 'transfer-encoding': 'chunked' })
    response.write('{', () => response.socket?.destroy())
  } else if (failure === 'too_large') {
    response.writeHead(200, { 'content-length': TOO_LARGE_BYTES })
    let left = TOO_LARGE_BYTES
    const pump = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= PIECE.length
        if (!response.write(PIECE)) return void response.once('drain', pump)
      }
      response.end()
    }
    pump()
  } else response.socket?.resetAndDestroy()
}
