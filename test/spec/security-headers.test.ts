/** Every route, asked with and without rights: what its answer tells browsers and caches. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import net from 'node:net'
import { after, test } from 'node:test'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { closeConnections, exchange } from '../../tools/conformance/http.ts'
import { startMailBox } from '../account/mail-box.ts'
import { Visitor } from '../account/visitor.ts'
import { testService } from '../support/service.ts'
import { fillBuckets } from '../support/rate-limits.ts'

const PUBLIC_URL = 'https://texts.example'

/** Every registered route, whichever plugin registers it. */
const routes: { method: string; url: string }[] = []
diagnostics.subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook(
    'onRoute',
    ({ method, url }: RouteOptions) =>
      void routes.push(...[method].flat().map((one) => ({ method: one, url }))),
  )
})

after(closeConnections)
const mailBox = await startMailBox({ after })
const service = await testService({ after }, { env: { ...mailBox.env, PUBLIC_URL } })
const { address, database } = service
const customer = await service.customer()
const { job } = await customer.orders({ urls: 'jNQXAC9IVRw' })
const visitor = new Visitor({ address, origin: PUBLIC_URL })
await visitor.signsUp('reader@example.org')
assert.equal(
  (await visitor.opens((await mailBox.newestTo('reader@example.org')).link ?? '')).status,
  200,
)
const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const CALLERS: Record<string, Record<string, string>> = {
  nobody: {},
  'a key': { authorization: `Bearer ${customer.apiKey}` },
  'a session': { cookie },
}
const VALUES: Record<string, string> = { ':id': job['id'], ':file': 'zip', ':index': '1' }
/** Public routes, each with a rule of its own. */
const PUBLIC = new Set(['/api/v1/openapi.json'])

const addressOf = (url: string): string => url.replaceAll(/:\w+/g, (name) => VALUES[name] ?? 'x')
const isPrivate = (url: string): boolean => /^\/(?:api|account)\//.test(url) && !PUBLIC.has(url)

test('every route says nosniff and https-only, and nothing private may be kept by anybody between', async () => {
  const known = [
    ...new Map(routes.map((route) => [`${route.method} ${route.url}`, route])).values(),
  ]
  assert.ok(known.length > 50, `${known.length} routes were seen`)
  let [found, kept] = [0, 0]
  for (const { method, url } of known) {
    await fillBuckets(database.pool)
    for (const [caller, headers] of Object.entries(CALLERS)) {
      const isLast = url === '/account/sign-out'
      const response = await exchange({
        method,
        url: address + addressOf(url),
        headers: {
          ...headers,
          origin: PUBLIC_URL,
          ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        },
        body: method === 'POST' ? (isLast ? '[]' : '{}') : undefined,
      })
      const where = `${method} ${url} by ${caller}: ${response.status}`
      assert.ok(response.status < 500, where)
      if (response.status < 400) found += 1
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff', where)
      assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000', where)
      if (!isPrivate(url)) continue
      const isFile = url.endsWith('/files/:file') && response.status === 200
      if (isFile) kept += 1
      // A compressing proxy would hold a stream's events back.
      const isStream = url.endsWith('/events') && response.status === 200
      assert.equal(
        response.headers.get('cache-control'),
        isFile ? 'private, no-cache' : isStream ? 'no-store, no-transform' : 'no-store',
        where,
      )
    }
  }
  assert.ok(found > 40 && kept > 0, `${found} answers were no refusals, ${kept} were files`)
})

test('what has no route, no method or no HTTP is answered with the same headers', async () => {
  const asked = [
    '/api/v1/nothing',
    '/account/nothing',
    '/nothing',
    '/%zz',
    '/api/v1/jobs/%00',
    '/account/auth/nothing',
    '/.well-known/oauth-authorization-server?x=%00',
    '/oauth/authorize?x=%00',
  ]
  for (const path of asked) {
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const { headers, status } = await fetch(address + path, {
        method,
        headers: { accept: 'text/html' },
      })
      assert.deepEqual(
        [headers.get('x-content-type-options'), headers.get('strict-transport-security')],
        ['nosniff', 'max-age=31536000'],
        `${method} ${path}: ${status}`,
      )
      if (status >= 400)
        assert.equal(headers.get('cache-control'), 'no-store', `${method} ${path}: ${status}`)
    }
  }
  for (const bytes of [
    'nonsense\r\n\r\n',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
  ]) {
    const answer = await raw(bytes)
    assert.match(
      answer,
      /^HTTP\/1\.1 4\d\d [\s\S]*\r\nX-Content-Type-Options: nosniff\r\n/,
      bytes.slice(0, 40),
    )
    assert.match(answer, /\r\nStrict-Transport-Security: max-age=31536000\r\n/, bytes.slice(0, 40))
  }
})

test('without https in PUBLIC_URL nobody is told to use it', async () => {
  const { address: plain } = await service.another({
    ROLES: 'api',
    PUBLIC_URL: 'http://texts.example',
  })
  const { headers } = await fetch(`${plain}/healthz`)
  assert.deepEqual(
    [headers.get('strict-transport-security'), headers.get('x-content-type-options')],
    [null, 'nosniff'],
  )
})

async function raw(bytes: string): Promise<string> {
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(address).port) })
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}
