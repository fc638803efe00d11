/** Exchanges: a reply comes whole or broken in a known way, and an exchange leaves nothing behind. */
import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { exchange, openConnections, type WireReply } from './connections.ts'
import { loopbackRoute } from './route.ts'

const server = http.createServer((request, response) => {
  switch (request.url) {
    case '/whole':
      response.writeHead(429, {
        'retry-after': '7',
        location: '/else',
        'content-encoding': 'gzip',
        'last-modified': 'Fri, 01 May 2026 09:00:00 GMT',
        etag: '"words-1"',
      })
      return response.end('words')
    case '/torn':
      response.writeHead(200, { 'content-length': '100' })
      response.write('wor')
      return setTimeout(() => response.destroy(), 20)
    case '/endless':
      response.write('words'.repeat(100))
      return undefined
    default:
      return undefined // no reply at all
  }
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const dispatcher = openConnections(loopbackRoute(), { connectMs: 60_000 })
after(async () => {
  await dispatcher.destroy()
  server.closeAllConnections()
  server.close()
})

function ask(
  path: string,
  { signal = new AbortController().signal, requestMs = 60_000, bytesMax = 1000, at = origin } = {},
): Promise<WireReply> {
  const request = { method: 'GET', origin: at, path, headers: {}, body: null, bytesMax } as const
  return exchange(dispatcher, request, { signal, requestMs, now: () => new Date(0) })
}

async function failureOf(reply: Promise<WireReply>): Promise<string> {
  const found = await reply
  return found.kind === 'broken' ? found.failure : found.kind
}

test('a reply comes with its head, as it was received', async () => {
  const reply = await ask('/whole')
  assert.ok(reply.kind === 'reply')
  assert.deepEqual(
    { ...reply, content: { ...reply.content, raw: String(reply.content.raw) } },
    {
      kind: 'reply',
      status: 429,
      location: '/else',
      retryAfterMs: 7000,
      lastModified: 'Fri, 01 May 2026 09:00:00 GMT',
      etag: '"words-1"',
      content: { raw: 'words', encoding: 'gzip' },
      bytes: 5,
    },
  )
})

test('what breaks is told apart: silence, an end too soon, too much, nobody there', async () => {
  assert.equal(await failureOf(ask('/silent', { requestMs: 50 })), 'timed_out')
  assert.equal(await failureOf(ask('/endless', { requestMs: 50 })), 'timed_out')
  assert.equal(await failureOf(ask('/torn')), 'truncated')
  assert.equal(await failureOf(ask('/endless', { bytesMax: 499 })), 'too_large')
  const nobody = ask('/', { at: 'http://127.0.0.1:1' })
  assert.equal(await failureOf(nobody), 'unreachable')
})

test('whoever leaves is told why at once, and what is given up closes its connection', async () => {
  const leaving = new AbortController()
  const { signal } = leaving
  const reply = ask('/silent', { signal })
  const [, response] = (await once(server, 'request')) as [unknown, http.ServerResponse]
  const closed = once(response, 'close')
  leaving.abort(new Error('cancelled'))
  await assert.rejects(reply, /cancelled/)
  await assert.rejects(ask('/whole', { signal }), /cancelled/)
  await closed
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('one that still waits for a connection leaves at once, too', async () => {
  const route = { ...loopbackRoute(), isRotating: true } // one connection
  const narrow = openConnections(route, { connectMs: 60_000 })
  const request = { method: 'GET', origin, headers: {}, body: null, bytesMax: 1000 } as const
  const holding = new AbortController()
  const askNarrow = (path: string, requestMs: number, { signal } = new AbortController()) =>
    exchange(narrow, { ...request, path }, { requestMs, now: () => new Date(0), signal })
  const held = askNarrow('/silent', 60_000, holding)
  await once(server, 'request')
  assert.equal(await failureOf(askNarrow('/whole', 60)), 'timed_out')
  holding.abort(new Error('cancelled')) // the connection becomes free only now
  await assert.rejects(held, /cancelled/)
  assert.equal(await failureOf(askNarrow('/whole', 60_000)), 'reply')
  await narrow.destroy()
})
