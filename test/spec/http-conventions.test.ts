/** What HTTP has conventions for, beside the contract: compression, rate limits and traces. */
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import pino from 'pino'
import { parseList } from 'structured-headers'
import { readConfig } from '../../src/config/config.ts'
import { bareApp } from '../../src/kit/http/bare-app.ts'
import { exchange } from '../../tools/conformance/http.ts'
import { sendRaw } from '../attack/raw.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { makesWebhook } from '../webhooks/hooked-jobs.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { address, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' }, leavesOpenJobs: true },
)

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

test('RateLimit and RateLimit-Policy say of both buckets what the own headers say of one', async () => {
  const buyer = await customer('1', { isLimited: true })
  const { headers } = await buyer.asks('GET', '/balance')
  const policies = parseList(String(headers.get('ratelimit-policy')))
  assert.deepEqual(
    policies.map(([name, fields]) => [name, Object.fromEntries(fields)]),
    [
      ['key', { q: 60, w: 60 }],
      ['account', { q: 1200, w: 60 }],
    ],
  )
  const levels = parseList(String(headers.get('ratelimit')))
  const [key, account] = levels.map(([, fields]) => Object.fromEntries(fields))
  assert.deepEqual(
    levels.map(([name]) => name),
    ['key', 'account'],
  )
  assert.equal(key!['r'], Number(headers.get('x-ratelimit-remaining')))
  assert.deepEqual([account!['r'], key!['t'], account!['t']], [1199, 1, 1])
  const refused = await exchange({ method: 'GET', url: `${address}/api/v1/balance`, headers: {} })
  assert.deepEqual([refused.status, refused.headers.has('ratelimit')], [401, false])
})

test('an absolute target is served where it names the host that Host names, or alone names one', async () => {
  const { apiKey } = await customer()
  const served = [
    ['http://texts.example/api/v1/balance HTTP/1.1', 'texts.example'],
    ['HTTP://Texts.Example:80/api/v1/balance HTTP/1.1', 'texts.example'],
    ['https://texts.example/api/v1/balance HTTP/1.1', 'texts.example:443'],
    ['http://[::1]:8080/%61pi/v1/balance HTTP/1.1', '[::1]:8080'],
    ['http://texts.example/api/v1/balance HTTP/1.0'],
  ]
  for (const [target, host] of served) {
    const named = host === undefined ? '' : `Host: ${host}\r\n`
    const request = `GET ${target}\r\n${named}Authorization: Bearer ${apiKey}\r\n\r\n`
    const { answers } = await sendRaw(address, request)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200],
      target,
    )
    const told = /^cache-control: no-store$/im
    assert.match(answers[0]?.head ?? '', told, `${target} is private, however it is written`)
  }
})

test('an empty bucket has nothing left, and the seconds are those of Retry-After', async () => {
  const buyer = await customer('1', { isLimited: true })
  let last = await buyer.asks('GET', '/balance')
  for (let sent = 0; sent < 200 && last.status !== 429; sent += 1)
    last = await buyer.asks('GET', '/balance')
  assert.equal(last.status, 429)
  const [[, key] = []] = parseList(String(last.headers.get('ratelimit')))
  assert.deepEqual([key!.get('r'), key!.get('t')], [0, Number(last.headers.get('retry-after'))])
})

/** Texts that everybody may read, of any kind and size: at most 1 KB stays as it is. */
const TEXTS = [
  '/',
  '/welcome',
  '/llms.txt',
  '/docs.md',
  '/SKILL.md',
  '/docs/agents.md',
  '/sitemap.xml',
]
  .concat(['/robots.txt', '/clients/', '/clients/scriptorium-client.js', '/api/v1/openapi.json'])
  .concat(['/.well-known/oauth-authorization-server', '/metrics', '/docs', '/sign-in'])

test('every text of more than 1 KB travels compressed where that is accepted, as the same text', async () => {
  let large = 0
  for (const path of TEXTS) {
    const plain = await exchange({ method: 'GET', url: address + path, headers: {} })
    if (plain.status === 404) continue // no clients were packed, or no website was built
    assert.equal(plain.headers.get('content-encoding'), null, path)
    const headers = { 'Accept-Encoding': 'gzip' }
    const packed = await exchange({ method: 'GET', url: address + path, headers })
    const isLarge = plain.bytes.length > 1024
    assert.equal(packed.headers.get('content-encoding'), isLarge ? 'gzip' : null, path)
    if (!isLarge) continue
    large += 1
    assert.match(String(packed.headers.get('vary')), /accept-encoding/i, path)
    assert.ok(packed.bytes.length < plain.bytes.length, path)
    if (path !== '/metrics') assert.deepEqual(zlib.gunzipSync(packed.bytes), plain.bytes, path)
    const tag = packed.headers.get('etag')
    assert.ok(tag === null || tag.startsWith('W/') || tag !== plain.headers.get('etag'), path)
  }
  assert.ok(large >= 6, `${large} of them were large`)
})

test('a trace goes with its job to the webhook, under a span of ours; a malformed one is passed over', async (t) => {
  const receiver = await startReceiver(t)
  const buyer = await customer()
  await makesWebhook(buyer, receiver.url)
  await another({ ROLES: 'worker' })
  for (const [line, traceparent] of [
    ['@dailynotes', TRACEPARENT],
    ['@plaintalks', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ] as const) {
    const body = { urls: line, maxVideos: 1 }
    const { status } = await buyer.asks('POST', '/jobs', { body, headers: { traceparent } })
    assert.equal(status, 201)
  }
  await until('both are told', () => receiver.received.length === 2)
  const sent = receiver.received.map(({ headers }) => headers['traceparent'])
  const [traced] = sent.filter((one) => one !== undefined)
  assert.equal(sent.filter((one) => one !== undefined).length, 1)
  assert.match(String(traced), new RegExp(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`))
})

test('lines of the log about a request name its trace', async () => {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const app = bareApp(
    { log: pino(sink), config: readConfig({ LOG_LEVEL: 'info' }) },
    { arrival: { headersMs: 1_000, bodyMs: 1_000, drainMs: 1_000 }, security: {} },
  )
  app.get('/fault', () => {
    throw new Error('a fault of ours')
  })
  await app.inject({ url: '/fault', headers: { traceparent: TRACEPARENT } })
  await app.inject({ url: '/fault', headers: { traceparent: 'ff-x' } })
  assert.deepEqual(
    lines.map((line) => line['traceId']),
    [TRACE_ID, undefined],
  )
  await app.close()
})
