/** The edges of HTTP that need a service of their own: slow clients, a stop, a database that is away. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createAccount } from '../../src/features/accounts/account.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { buildApp } from '../../src/app.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { openContext } from '../../src/open-context.ts'
import { startJob } from '../../src/features/jobs/start-job.ts'
import { readOrder } from '../../src/model/jobs/read-order.ts'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openGate } from '../machines/gate.ts'
import { testDatabase } from '../support/database.ts'
import { fillBuckets } from '../support/rate-limits.ts'
import { testConfig } from '../support/settings.ts'
import { recordStatements } from '../support/statements.ts'
import { passing, until, within } from '../support/until.ts'

/** Times of the tests: a caller that is not let go, not woken or not told waits for longer than `within` does. */
const ARRIVAL = { headersMs: 300, bodyMs: 300, drainMs: 120_000, lookMs: 120_000 }
const TRICKLE_MS = 50
/** Name of the only statement of a request that waits for a job; it reads the job, too. */
const AUTHENTICATES = 'authenticate-for-job'

const database = await testDatabase({ after })
const config = testConfig({
  DATABASE_URL: database.url,
  ROLES: 'api',
  DATABASE_POOL: '3',
})
const ctx = await openContext(config, new AbortController().signal)
const apps: FastifyInstance[] = []
after(async () => {
  await Promise.all(apps.map((app) => app.close()))
  await ctx.close()
})

async function open(): Promise<{ app: FastifyInstance; port: number; url: string }> {
  const app = await buildApp(ctx, 'http://edges.test', ARRIVAL)
  apps.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as net.AddressInfo
  return { app, port, url: `http://127.0.0.1:${port}/api/v1` }
}

const { accountId, apiKey } = await transact(ctx.db, async (tx) => {
  const id = await createAccount(tx, { email: 'edges@example.org' })
  await addCredit(tx, {
    accountId: id,
    micros: 10_000_000n,
    reference: 'grant:edges',
    reason: null,
  })
  return { accountId: id, apiKey: (await issueKey(tx, { accountId: id, name: 'test' })).apiKey }
})
const authorization = { Authorization: `Bearer ${apiKey}` }
const refill = () => fillBuckets(database.pool)
let made = 0

/** Orders a job that stays queued: there is no worker. */
async function queued(): Promise<string> {
  const order = readOrder({
    urls: `https://www.youtube.com/watch?v=jNQXAC9IVRw&edge=${(made += 1)}`,
    maxVideos: 1,
  })
  const { job } = await startJob(
    { db: ctx.db, maxActiveJobs: 100 },
    { accountId, order, idempotency: null, startedBy: null, connectionId: null, ownKey: null },
  )
  return job.id
}

/** Sends `request`, then `drop` again and again, and reads until the server closes. */
async function ask(port: number, request: string, drop = ''): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request)
  const trickling = drop === '' ? undefined : setInterval(() => socket.write(drop), TRICKLE_MS)
  socket.once('close', () => clearInterval(trickling))
  return text(socket)
}

/** Does `start`, and resolves once `count` requests were authenticated and the database has nothing to answer. */
async function untilAsked<T>(url: string, count: number, start: () => T): Promise<T> {
  await fetch(`${url}/balance`, { headers: authorization }) // this request makes the rate buckets
  const log = recordStatements()
  try {
    const started = start()
    await until(
      'all wait',
      () => log.countOf(AUTHENTICATES) >= count && ctx.pool.idleCount === ctx.pool.totalCount,
    )
    return started
  } finally {
    log.stop()
  }
}

const head = (length: number): string =>
  `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

test('a body that takes too long to arrive answers 408 with the rate-limit headers, and the connection ends', async () => {
  const { port } = await open()
  const answer = await ask(port, `${head(1000)}{"urls":"`, 'x')
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /x-ratelimit-remaining: \d+/i)
  assert.match(answer, /connection: close/i)
  assert.deepEqual(Object.keys(JSON.parse(answer.split('\r\n\r\n')[1]!)), ['error'])
})

test('headers that take too long to arrive answer 408 in the Error shape', async () => {
  const { port } = await open()
  const answer = await ask(port, 'GET /api/v1/balance HTTP/1.1\r\nHost: x\r\n')
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).error.code, 'invalid_request')
})

test('a body whose chunks are broken is refused by its request, with the rate-limit headers, and the connection ends', async () => {
  const { port } = await open()
  const chunked = head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')
  const whole = await ask(port, `${chunked}5\r\n{"url\r\nzz\r\n`)
  const late = await ask(port, `${chunked}5\r\n{"url\r\n`, 'zz\r\n')
  for (const answer of [whole, late]) {
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /x-ratelimit-remaining: \d+/i)
    assert.match(answer, /connection: close/i)
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1)
  }
})

test('what follows a request and cannot be read takes nothing from its answer, and the connection ends after it', async () => {
  const { port } = await open()
  const body = '{"urls":"https://youtu.be/abcdefghijk"}'
  const answer = await ask(port, `${head(body.length)}${body}garbage\r\n\r\n`)
  assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 201'])
})

test('a client that leaves in the middle of its body leaves nothing behind', async () => {
  const { app, port, url } = await open()
  const arrived = once(app.server, 'request')
  const socket = net.connect(port, '127.0.0.1')
  socket.write(`${head(1000)}{"urls":`)
  await arrived
  socket.destroy()
  await once(socket, 'close')
  assert.equal((await fetch(`${url}/balance`, { headers: authorization })).status, 200)
})

test('several requests on one connection are answered in their order, and what is none ends it', async () => {
  const { port } = await open()
  const get = (path: string): string =>
    `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece))
  socket.write(`${get('/balance')}${get('/jobs/none')}`)
  await until('both are answered', () => answer.includes('HTTP/1.1 404'))
  socket.write('garbage\r\n\r\n')
  await once(socket, 'close')
  assert.deepEqual(
    [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) => found[1]),
    ['200', '404'],
  )
})

test('a request that names two hosts is refused, at every address', async () => {
  const { port } = await open()
  for (const path of ['/api/v1/balance', '/account/session', '/', '/healthz']) {
    const answer = await ask(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 400 /, path)
    assert.deepEqual(JSON.parse(answer.split('\r\n\r\n')[1]!), {
      error: { code: 'invalid_request', message: 'The Host header is repeated.' },
    })
  }
})

test('waiting requests hold no connection of the database, and the end of the job wakes them all', async () => {
  await refill()
  const { url } = await open()
  const id = await queued()
  const waitsForEnd = async (): Promise<string> => {
    const answer = await fetch(`${url}/jobs/${id}?wait=60`, { headers: authorization })
    return ((await answer.json()) as { state: string }).state
  }
  const waiting = await untilAsked(url, 40, () => Array.from({ length: 40 }, waitsForEnd))
  for (let count = 0; count < 5; count++)
    assert.equal((await fetch(`${url}/balance`, { headers: authorization })).status, 200)
  assert.ok(
    ctx.pool.waitingCount === 0 && ctx.pool.idleCount > 0,
    'the pool of 3 is free while 40 wait',
  )
  await cancelJob(ctx.db, { accountId, jobId: id })
  const states = await within('they are woken, not timed out', Promise.all(waiting))
  assert.deepEqual(new Set(states), new Set(['cancelled']))
})

test('a wait ends with the job as it is when its seconds are over', async () => {
  await refill()
  const { url } = await open()
  const id = await queued()
  const isSecondOver = passing(950)
  const asked = fetch(`${url}/jobs/${id}?wait=1`, { headers: authorization })
  const answer = await within('the wait of a second ends', asked)
  assert.equal(((await answer.json()) as { state: string }).state, 'queued')
  assert.ok(isSecondOver(), 'it waited')
  await cancelJob(ctx.db, { accountId, jobId: id })
})

test('a stop answers who waits, ends what is under way, says so on the connection and takes no more', async () => {
  await refill()
  const { app, port, url } = await open()
  const id = await queued()
  const agent = new http.Agent({ keepAlive: true })
  const waiting = await untilAsked(url, 1, () => {
    const asked = http.get(`${url}/jobs/${id}?wait=60`, { headers: authorization, agent })
    return { answered: once(asked, 'response') as Promise<[http.IncomingMessage]> }
  })
  const closed = app.close()
  const [answer] = await within('who waits is answered', waiting.answered)
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers.connection, 'close')
  assert.equal(JSON.parse(await text(answer)).state, 'queued')
  await within('nothing holds the stop up', closed)
  await assert.rejects(once(net.connect(port, '127.0.0.1'), 'connect'))
  await cancelJob(ctx.db, { accountId, jobId: id })
})

test('while the database is away every answer is 503 with Retry-After, and then all goes on', async () => {
  await refill()
  const gate = await openGate(database.url)
  const away = await openContext(
    testConfig({ DATABASE_URL: gate.url, ROLES: 'api' }),
    new AbortController().signal,
  )
  const app = await buildApp(away, 'http://edges.test', ARRIVAL)
  after(async () => {
    await app.close()
    await away.close()
    await gate.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as net.AddressInfo
  const ask = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers: authorization })
  assert.equal((await ask('/balance')).status, 200)

  gate.cut()
  for (const path of [
    '/balance',
    '/jobs',
    '/jobs/none',
    '/jobs/none/results',
    '/jobs/none/files/zip',
  ]) {
    const answer = await ask(path)
    assert.equal(answer.status, 503, path)
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'server_busy')
  }
  gate.open()
  assert.equal((await ask('/balance')).status, 200)
})

test('a fault of ours answers 500 with the request id and nothing of its cause', async () => {
  await refill()
  const { url } = await open()
  const id = await queued()
  await database.pool.query('alter table video_row rename to video_row_elsewhere')
  const answer = await fetch(`${url}/jobs/${id}/results`, { headers: authorization })
  await database.pool.query('alter table video_row_elsewhere rename to video_row')
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  assert.deepEqual([answer.status, error.code], [500, 'internal_error'])
  assert.ok(error.message.includes(answer.headers.get('x-request-id')!))
  assert.doesNotMatch(error.message, /relation|video_row/)
  assert.match(answer.headers.get('x-ratelimit-remaining')!, /^\d+$/)
  await cancelJob(ctx.db, { accountId, jobId: id })
})
