/**
 * Exits: proxies with loopback addresses of their own, so that the platform sees several callers. They tunnel (CONNECT)
 * and forward (absolute form) to the emulator, whatever host is named; with TLS on, tunnels to port 443 end here with a
 * throw-away certificate.
 */
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls, { type SecureContext } from 'node:tls'
import { createThrowAwayCertificate } from './certificate.ts'

export type Exits = {
  fixed: string[]
  rotating: string | null
  tls: { proxy: string; caFile: string } | null
  close(): Promise<void>
}

/** The number of the first exit's address, after 127.0.0.1, which is the direct route. */
const FIRST_EXIT = 2
const HTTPS_PORT = '443'
const HOP_HEADERS = ['proxy-authorization', 'proxy-connection']

export async function startExits({
  port,
  count,
  endsTls,
}: {
  port: number
  count: number
  endsTls: boolean
}): Promise<Exits> {
  const certificate = endsTls ? await createThrowAwayCertificate() : null
  const secure = certificate === null ? null : tls.createSecureContext(certificate)
  const running: Proxy[] = []
  const start = async (addressOf: () => string): Promise<string> => {
    const proxy = await startProxy({ port, addressOf, secure })
    running.push(proxy)
    return proxy.origin
  }

  const fixed: string[] = []
  for (let exit = 0; exit < count; exit++)
    fixed.push(await start(() => loopback(FIRST_EXIT + exit)))
  let turns = 0
  const rotating = count === 0 ? null : await start(() => loopback(FIRST_EXIT + count + turns++))
  const direct = certificate === null ? null : await start(() => loopback(1))
  return {
    fixed,
    rotating,
    tls:
      certificate === null || direct === null
        ? null
        : { proxy: direct, caFile: certificate.caFile },
    close: async () => {
      await Promise.all(running.map((proxy) => proxy.close()))
      await certificate?.remove()
    },
  }
}

/** Returns the n-th address of 127.0.0.0/8, without those that end in 0 or 255. */
function loopback(number: number): string {
  return `127.0.${Math.floor(number / 250) % 250}.${(number % 250) + (number < 250 ? 0 : 1)}`
}

type Proxy = { origin: string; close(): Promise<void> }
type Way = { port: number; addressOf(): string; secure: SecureContext | null }

async function startProxy(way: Way): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const identities = new WeakMap<Socket, string>()
  const server = http.createServer((request, response) => {
    const localAddress = identities.get(request.socket) ?? way.addressOf()
    identities.set(request.socket, localAddress)
    forward(way.port, localAddress, request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('connect', (request, socket: Socket, head: Buffer) =>
    tunnel(way, request.url ?? '', socket, head),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(
  port: number,
  localAddress: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const asked = request.url ?? '/'
  const path = asked.startsWith('/') ? asked : asked.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/'
  const headers = { ...request.headers }
  for (const name of HOP_HEADERS) delete headers[name]
  const onward = http.request(
    { host: '127.0.0.1', port, localAddress, method: request.method, path, headers, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
  )
  onward.on('error', () =>
    response.headersSent ? response.destroy() : response.writeHead(502).end(),
  )
  request.pipe(onward)
}

/** Passes bytes through; those of https are TLS, which ends here if there is a certificate. */
function tunnel(
  { port, addressOf, secure }: Way,
  target: string,
  socket: Socket,
  head: Buffer,
): void {
  const isHttps = target.endsWith(`:${HTTPS_PORT}`)
  if (isHttps && secure === null) {
    socket.end('HTTP/1.1 502 Start the emulator with --tls-proxy to tunnel https\r\n\r\n')
    return
  }
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) socket.unshift(head)
  const inside =
    isHttps && secure !== null
      ? new tls.TLSSocket(socket, {
          isServer: true,
          secureContext: secure,
          ALPNProtocols: ['http/1.1'],
        })
      : socket
  const onward = net.connect({ host: '127.0.0.1', port, localAddress: addressOf() })
  inside.pipe(onward)
  onward.pipe(inside)
  const end = (): void => {
    inside.destroy()
    onward.destroy()
    socket.destroy()
  }
  for (const stream of [inside, onward, socket]) {
    stream.on('error', end)
    stream.on('close', end)
  }
}
