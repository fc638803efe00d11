/** Answers what the HTTP parser refuses with the API's Error, whether or not it belongs to a request. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { JSON_TYPE } from './errors.ts'

/** The most unanswered requests of one connection. */
const PIPELINED_MAX = 32

/** The statuses with which Node itself answers; everything else is 400. */
const STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the rest of the request cannot be read; null while it can. */
    fault: Problem | null
    /** Called when `fault` is found; set by the code that reads the body. */
    onFault: ((fault: Problem) => void) | null
  }
}

/** A connection's unanswered requests; `isBroken` means that nothing more can be read from it. */
type Connection = { unanswered: Set<FastifyRequest>; isBroken: boolean }
const CONNECTIONS = new WeakMap<Socket, Connection>()

/**
 * Tracks the unanswered requests of each connection and allows PIPELINED_MAX of them, more than any client needs. Node
 * takes up all requests of one packet at once, and does not count those of HTTP/1.0 in `maxRequestsPerSocket`: a
 * hundred connections could block the process for seconds.
 */
export function watchConnections(app: FastifyInstance): void {
  app.decorateRequest('fault', null)
  app.decorateRequest('onFault', null)
  app.addHook('onRequest', (request, { raw: response }, done) => {
    const { socket } = request.raw
    const connection = CONNECTIONS.get(socket) ?? { unanswered: new Set(), isBroken: false }
    CONNECTIONS.set(socket, connection)
    const { unanswered } = connection
    if (unanswered.size >= PIPELINED_MAX) return void socket.destroy() // the rest of the packet gets no answer
    unanswered.add(request)
    response.once('close', () => {
      unanswered.delete(request)
      if (connection.isBroken && unanswered.size === 0) socket.destroySoon()
    })
    done()
  })
}

/**
 * Answers what cannot be read; `security` goes into answers that belong to no request. Where a request waits for its
 * answer, the fault concerns its body or what follows it, and is left to that answer, after which the connection ends.
 * A connection that has carried answers and owes none is only closed, since the client would take another answer for a
 * part of them.
 */
export function parserErrorAnswer(security: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable) return void socket.destroy()
    const status = STATUSES[error.code ?? ''] ?? 400
    const message = `The request cannot be read: ${STATUS_CODES[status]}.`
    const connection = CONNECTIONS.get(socket)
    if (connection !== undefined && connection.unanswered.size > 0) {
      connection.isBroken = true
      const headers = { Connection: 'close' }
      const fault = new Problem('invalid_request', { status, message, headers })
      return failUnfinished(connection.unanswered, fault)
    }
    if (socket.bytesWritten > 0) return socket.destroySoon()
    socket.end(rawAnswer(status, message, security))
  }
}

function failUnfinished(requests: Iterable<FastifyRequest>, fault: Problem): void {
  for (const request of requests) {
    if (request.raw.complete) continue
    request.fault = fault
    request.onFault?.(fault)
  }
}

/** Returns a whole HTTP answer as it is sent. */
export function rawAnswer(
  status: number,
  message: string,
  headers: Record<string, string>,
): string {
  const body = JSON.stringify(new Problem('invalid_request', { message }).toJSON())
  const all = {
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': randomUUID(),
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    ...headers,
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
