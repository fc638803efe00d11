/** What the HTTP parser refuses, answered as the wire's Error though there is no request yet. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../problem.ts'
import { JSON_TYPE } from './errors.ts'

/** Called with what is wrong with the rest of a request that is being read from the socket. */
const readers = new WeakMap<Socket, (problem: Problem) => void>()

/** The same, where the fault came before anybody read. */
const faults = new WeakMap<Socket, Problem>()

/** The request that a connection brought last. */
const latest = new WeakMap<Socket, IncomingMessage>()

export function watchConnections(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) =>
    latest.set(request.socket, request),
  )
}

/** While a body is read, its faults are told to `fail` and answered like any refusal. */
export function onBrokenBody(socket: Socket, fail: (problem: Problem) => void): () => void {
  const known = faults.get(socket)
  if (known !== undefined) fail(known)
  readers.set(socket, fail)
  return () => readers.delete(socket)
}

/** Answers what cannot be read; `security` goes into every answer. */
export function parserErrorAnswer(security: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void =>
    answerParserError(error, socket, security)
}

function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  security: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = ANSWERS[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not HTTP.',
  ]
  const answer = answerUnderWay(socket)
  if (answer === null) {
    // The rest of a body whose request was refused already: it has had its answer.
    const isAnswered = latest.get(socket)?.complete === false
    return void (isAnswered
      ? socket.destroySoon()
      : socket.end(rawAnswer(status, message, security)))
  }

  // A second answer written into the first one would be taken for a part of it.
  answer.once('close', () => socket.destroySoon())
  const problem = new Problem('invalid_request', {
    status: Number(status.slice(0, 3)),
    message,
    headers: { Connection: 'close' },
  })
  faults.set(socket, problem)
  readers.get(socket)?.(problem)
}

/** Node keeps the response that a connection is busy with on its socket. */
function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}

/** A whole answer as it goes over the wire. */
export function rawAnswer(
  status: string,
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
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`
}

const ANSWERS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and headers are larger than 16 KB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_INVALID_METHOD: [
    '400 Bad Request',
    'The request line does not start with a known HTTP method.',
  ],
  HPE_INVALID_URL: ['400 Bad Request', 'The request line does not contain a valid address.'],
  HPE_INVALID_VERSION: [
    '400 Bad Request',
    'The request line does not name a supported HTTP version.',
  ],
  HPE_INVALID_HEADER_TOKEN: ['400 Bad Request', 'A header is malformed.'],
  HPE_UNEXPECTED_CONTENT_LENGTH: [
    '400 Bad Request',
    'Content-Length is repeated or sent together with Transfer-Encoding.',
  ],
  HPE_INVALID_CONTENT_LENGTH: ['400 Bad Request', 'Content-Length is not a number.'],
  HPE_INVALID_TRANSFER_ENCODING: ['400 Bad Request', 'Transfer-Encoding is malformed.'],
  HPE_INVALID_CHUNK_SIZE: ['400 Bad Request', 'A chunk of the body is malformed.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'The extensions of the chunks are too large.',
  ],
}
