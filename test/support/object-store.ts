/**
 * An S3-compatible object store that keeps objects in memory: PUT, GET with Range, DELETE and lists, for signed
 * requests only; it can be slow, away, or give other bytes than it was given.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestScope } from './database.ts'

/** `cut` ends an answer early, `wrong` changes a byte of it; `missing` knows no object. */
export type StoreFault = 'away' | 'busy' | 'slow' | 'cut' | 'wrong' | 'missing' | 'forbidden'

export type ObjectStoreStandIn = {
  /** Settings of a service that uses it. */
  env: Record<string, string>
  /** What it holds, by bucket and key. */
  objects: Map<string, { content: Buffer; modifiedAt: Date }>
  /** Requests so far: `GET /bucket/key bytes=0-9`. */
  asked: string[]
  /** What it does wrong with every request, or with the next ones. */
  fault: StoreFault | null
  faultyRequests: number
}

const ACCESS_KEY = 'stand-in-key'
const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=stand-in-key\/\d{8}\/[\w-]+\/s3\/aws4_request, SignedHeaders=[\w;-]+, Signature=[\da-f]{64}$/
const PAGE = 3

export async function objectStoreStandIn(scope: TestScope): Promise<ObjectStoreStandIn> {
  const held = new Set<http.ServerResponse>()
  const server = http.createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  const store: ObjectStoreStandIn = {
    env: {
      TEXT_STORE: `s3://texts/some/prefix?endpoint=http://127.0.0.1:${port}&region=test-1`,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: 'stand-in-secret',
    },
    objects: new Map(),
    asked: [],
    fault: null,
    faultyRequests: Infinity,
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const { method = '', headers } = request
    const url = new URL(request.url ?? '', 'http://store')
    const body = await buffer(request)
    store.asked.push([method, request.url, headers.range].filter(Boolean).join(' '))
    const fault = store.faultyRequests > 0 ? store.fault : null
    if (fault !== null) store.faultyRequests -= 1
    if (fault === 'away') return void request.socket.destroy()
    if (fault === 'busy') return refuse(response, 503, 'SlowDown')
    if (fault === 'slow') return void held.add(response)
    const isRight =
      SIGNATURE.test(headers.authorization ?? '') &&
      headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex')
    if (fault === 'forbidden' || !isRight) return refuse(response, 403, 'SignatureDoesNotMatch')
    if (url.searchParams.has('list-type')) return void response.end(list(url))
    const key = url.pathname
    if (method === 'PUT') {
      store.objects.set(key, { content: body, modifiedAt: new Date() })
      return void response.end()
    }
    if (method === 'DELETE') {
      store.objects.delete(key)
      return void response.writeHead(204).end()
    }
    const found = store.objects.get(key)
    if (found === undefined || fault === 'missing') return refuse(response, 404, 'NoSuchKey')
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const part = Buffer.from(found.content.subarray(Number(first), Number(last || 'NaN') + 1))
    if (fault === 'wrong') part[0] = (part[0] ?? 0) ^ 1
    response.writeHead(206, { 'content-length': part.length })
    if (fault === 'cut') response.write(part.subarray(0, -1), () => request.socket.destroy())
    else response.end(part)
  }

  function list(url: URL): string {
    const [bucket, prefix = '', after = ''] = [
      url.pathname,
      url.searchParams.get('prefix') ?? '',
      url.searchParams.get('start-after') ?? '',
    ]
    const keys = [...store.objects].map(([path, object]) => {
      return { key: path.slice(bucket.length + 1), ...object }
    })
    const page = keys
      .filter(({ key }) => key.startsWith(prefix) && key > after)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, PAGE)
    const contents = page.map(
      ({ key, content, modifiedAt }) =>
        `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`,
    )
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}</ListBucketResult>`
  }
  return store
}

function refuse(response: http.ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
