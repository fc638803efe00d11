/** Files that a caller leaves before their end: nothing more is requested, and nothing keeps the program running. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { until } from '../support/until.ts'

const ASKED_AFTERWARDS = 20
/** Declared length, above the bytes that are sent. */
const FILE_BYTES = 1_000

const opened: http.ServerResponse[] = []
const server = http.createServer((request, response) => {
  if (!request.url?.includes('/files/')) return void response.end('{}')
  opened.push(response)
  const isRest = request.headers.range !== undefined
  response.writeHead(isRest ? 206 : 200, { ETag: '"1"', 'Content-Length': FILE_BYTES })
  response.write('the beginning')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const client = new Scriptorium({ apiKey: 'sk_test', baseUrl, backoffMs: 1 })

for (const [how, leave] of Object.entries({
  'while its next bytes are waited for': async () => {
    const stream = await client.files.zip('job')
    for await (const chunk of stream) if (chunk.length > 0) break
  },
  'before its first byte is read': async () => (await client.files.zip('job')).cancel(),
  'by a signal': async () => {
    const leaving = new AbortController()
    const reader = (await client.files.zip('job', { signal: leaving.signal })).getReader()
    await reader.read()
    leaving.abort(new Error('enough'))
    await assert.rejects(reader.read(), /enough/)
  },
  'while the rest is asked for': async () => {
    const reader = (await client.files.zip('job')).getReader()
    await reader.read()
    const [first] = opened
    first?.destroy()
    await until('the rest is asked for', () => opened.length === 2)
    await reader.cancel()
  },
})) {
  test(`a file that is left ${how} is closed, and not asked for again`, async () => {
    opened.length = 0
    await leave()
    const asked = opened.length
    await until('each answer is closed', () => opened.every((response) => response.closed))
    for (let i = 0; i < ASKED_AFTERWARDS; i += 1) await client.balance()
    assert.equal(opened.length, asked)
  })
}
