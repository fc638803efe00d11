/**
 * A balancer before processes that are replaced one by one: passes each request on to a process that is ready, as its
 * /readyz says, and to another where a connection is refused. For each request without an answer it knows whether that
 * was under way when its process began to stop.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 50
/** Longest wait of a request while no process is ready, in milliseconds. */
const PATIENCE_MS = 30_000

export type Backend = {
  port: number
  isReady: boolean
  /** True once the process was asked to stop. */
  isStopping: boolean
  /** Time of performance.now() when the process had said that it stops, or null. */
  stoppedAt: number | null
}

export type Balancer = {
  address: string
  backends: Backend[]
  /** Requests that a process took and did not answer to the end. */
  lost: { request: string; why: string; wasUnderWay: boolean }[]
  /** Number of requests that another process got, since the first one refused the connection. */
  passedOn: number
  close(): Promise<void>
}

export async function startBalancer(ports: number[]): Promise<Balancer> {
  const backends = ports.map((port): Backend => ({
    port,
    isReady: false,
    isStopping: false,
    stoppedAt: null,
  }))
  const server = http.createServer((request, response) => {
    pass(request, response).catch(() => void response.destroy())
  })
  let turn = 0
  async function choose(): Promise<Backend> {
    const giveUpAt = performance.now() + PATIENCE_MS
    for (;;) {
      turn += 1
      const one = backends[turn % backends.length]
      if (one?.isReady === true) return one
      if (performance.now() > giveUpAt) throw new Error('nobody is ready')
      if (!backends.some(({ isReady }) => isReady)) await sleep(LOOK_MS)
    }
  }
  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await buffer(request)
    for (;;) {
      const one = await choose()
      const startedAt = performance.now()
      try {
        return await forward({ request, response, body, port: one.port })
      } catch (error) {
        if (isRefused(error)) {
          one.isReady = false
          balancer.passedOn += 1
          continue
        }
        const isBefore = one.stoppedAt === null || startedAt <= one.stoppedAt
        const wasUnderWay = one.isStopping && isBefore
        balancer.lost.push({
          request: `${request.method} ${request.url}`,
          why: `${String(error)}, ${sinceStop(one, startedAt)}`,
          wasUnderWay,
        })
        throw error
      }
    }
  }

  let isClosed = false
  const looking = Promise.all(
    backends.map(async (one) => {
      while (!isClosed) {
        one.isReady = await isReady(one.port)
        await sleep(LOOK_MS)
      }
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const balancer: Balancer = {
    address: `http://127.0.0.1:${port}`,
    backends,
    lost: [],
    passedOn: 0,
    async close() {
      isClosed = true
      server.closeAllConnections()
      server.close()
      await looking
    },
  }
  return balancer
}

function sinceStop({ stoppedAt }: Backend, at: number): string {
  if (stoppedAt === null) return 'while its process served'
  return `${Math.round(at - stoppedAt)} ms after its process began to stop`
}

type Passage = {
  request: http.IncomingMessage
  response: http.ServerResponse
  body: Buffer
  port: number
}

/** Opens a connection for each request: one that is kept may be closed at the moment of its next use. */
async function forward({ request, response, body, port }: Passage): Promise<void> {
  const { method, url: path, headers } = request
  const onward = http.request({
    host: '127.0.0.1',
    port,
    agent: false,
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    headers: { ...headers, connection: 'close' },
  })
  onward.end(body)
  const [answer] = (await once(onward, 'response')) as [http.IncomingMessage]
  const whole = await buffer(answer)
  const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = answer.headers
  response.writeHead(answer.statusCode ?? 502, kept).end(whole)
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200
  } catch {
    return false
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}
