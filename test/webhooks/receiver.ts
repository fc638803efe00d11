/** A receiver of webhooks: keeps what it is sent, and answers as a test decides. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Json } from '../../tools/conformance/http.ts'
import type { TestScope } from '../support/database.ts'

export type Received = {
  path: string
  headers: Record<string, string>
  body: string
  event: Json
  /** Id of the delivery, the same in every attempt. */
  id: string
}

/** A status, with a body or headers; or a function that writes the answer. */
export type Answer =
  | number
  | { status: number; body?: string; headers?: Record<string, string> }
  | ((request: http.IncomingMessage, response: http.ServerResponse) => void)

export type Receiver = {
  url: string
  received: Received[]
  /** Decides each answer from now on. */
  answers: (one: Received) => Answer | Promise<Answer>
  /** Number of requests that wait for an answer. */
  open: number
  /** Number of connections that were ever made. */
  connections: number
  close(): Promise<void>
}

export async function startReceiver(scope?: TestScope, host = '127.0.0.1'): Promise<Receiver> {
  const server = http.createServer((request, response) => {
    void answer(receiver, request, response).catch(() => response.destroy())
  })
  server.on('connection', () => (receiver.connections += 1))
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    received: [],
    answers: () => 204,
    open: 0,
    connections: 0,
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
  scope?.after(() => receiver.close())
  return receiver
}

async function answer(
  receiver: Receiver,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const body = (await buffer(request)).toString()
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const id = headers['webhook-id'] ?? ''
  const one = { path: request.url ?? '', headers, body, event: JSON.parse(body) as Json, id }
  receiver.received.push(one)
  receiver.open += 1
  const said = await receiver.answers(one)
  receiver.open -= 1
  if (typeof said === 'function') return said(request, response)
  const reply = typeof said === 'number' ? { status: said } : said
  response.writeHead(reply.status, reply.headers)
  response.end(reply.body)
}
