/** A proxy before the service that does to requests what networks and busy servers do. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestScope } from './database.ts'
import { passing, until } from './until.ts'

export type Fault =
  | 'none'
  /** The connection ends before the service hears of the request. */
  | 'cut before'
  /** The service has carried it out, and its answer is lost. */
  | 'cut after'
  /** Head and half of the body arrive. */
  | 'cut within'
  | 'delay'
  | '429'
  | '503'

export type FaultyProxy = { address: string; counts: Map<Fault, number> }

const DELAY_MS = 30
/** Longer than any test: connections end where a fault says so. */
const KEEP_ALIVE_MS = 600_000
const RETRY_AFTER_S = '1'

/** `choose` decides the fate of each request; `before` is awaited before one is passed on. */
export async function faultyProxy(
  scope: TestScope,
  target: string,
  {
    choose,
    before,
  }: { choose: (request: http.IncomingMessage) => Fault; before?: () => Promise<void> },
): Promise<FaultyProxy> {
  const counts = new Map<Fault, number>()
  const agent = new http.Agent({ keepAlive: true })
  const server = http.createServer((request, response) => {
    const fault = choose(request)
    counts.set(fault, (counts.get(fault) ?? 0) + 1)
    pass({ request, response, fault }).catch(() => void response.destroy())
  })
  const pass = async ({ request, response, fault }: Passage): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (fault === 'cut before') return void response.destroy()
    if (fault === '429' || fault === '503') {
      const code = fault === '429' ? 'rate_limited' : 'server_busy'
      const body = JSON.stringify({ error: { code, message: 'by the proxy' } })
      const headers = { 'Content-Type': 'application/json', 'Retry-After': RETRY_AFTER_S }
      return void response.writeHead(Number(fault), headers).end(body)
    }
    if (fault === 'delay') await until('the delay is over', passing(DELAY_MS))
    await before?.()
    const { method, url = '/', headers } = request
    const onward = http.request(target + url, { method, headers, agent } as http.RequestOptions)
    onward.end(Buffer.concat(chunks))
    const [answer] = (await once(onward, 'response')) as [http.IncomingMessage]
    const body: Buffer[] = []
    for await (const chunk of answer) body.push(chunk as Buffer)
    if (fault === 'cut after') return void response.destroy()
    const whole = Buffer.concat(body)
    const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = answer.headers
    response.writeHead(answer.statusCode ?? 502, kept)
    if (fault !== 'cut within') return void response.end(whole)
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy())
  }
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, counts }
}

type Passage = { request: http.IncomingMessage; response: http.ServerResponse; fault: Fault }
