/** Sends hostile requests to the real service and checks every answer against the contract. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { Description } from '../../tools/conformance/description.ts'
import { exchange, type Reply } from '../../tools/conformance/http.ts'
import { assertError } from '../../tools/conformance/shapes.ts'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import { testService } from '../support/service.ts'
import type { TestScope } from '../support/database.ts'
import { HOLES, hostileBytes, hostileRequest, type HostileRequest } from './hostile-requests.ts'
import { fillBuckets } from '../support/rate-limits.ts'

const REFILL_EVERY = 30

/** Counts of each status: a storm that reaches nothing proves nothing. */
export type Reached = Map<number, number>

/** Throws at the first answer that breaks the contract, with the seed and the smallest such request. */
export async function storm(
  scope: TestScope,
  { requests, bytes }: { requests: number; bytes: number },
): Promise<Reached> {
  const { service, database, address, customer } = await testService(scope, {
    env: { ROLES: 'api' },
    leavesOpenJobs: true,
  })
  const [buyer, other] = [await customer('1000'), await customer('10')]
  const base = `${address}/api/v1`
  const description = new Description(
    (await (await fetch(`${base}/openapi.json`)).json()) as never,
    base,
  )
  const known = await buyer.startsJob({ urls: 'jNQXAC9IVRw' }, { 'Idempotency-Key': HOLES.usedKey })
  const foreign = await other.startsJob({ urls: 'jNQXAC9IVRw' })
  const filled = (one: string): string =>
    one
      .replaceAll(HOLES.jobId, known.id)
      .replaceAll(HOLES.foreignId, foreign.id)
      .replaceAll(HOLES.apiKey, buyer.apiKey)
  const reached: Reached = new Map()
  let sent = 0

  const stateOf = async (): Promise<string> => {
    const { rows } = await database.pool
      .query(`select (select count(*) from job) jobs, (select count(*) from ledger_entry) entries,
      (select string_agg(posted_micros || '/' || held_micros, ',' order by account_id) from balance) money,
      (select string_agg(state, ',' order by id) from job) states, (select count(*) from api_key) keys`)
    return Object.values(rows[0] as object).join(' ')
  }

  let before = await stateOf()
  await fc.assert(
    fc.asyncProperty(hostileRequest, async (request) => {
      if ((sent += 1) % REFILL_EVERY === 0) await fillBuckets(database.pool)
      const reply = await send(base, request, filled)
      reached.set(reply.status, (reached.get(reply.status) ?? 0) + 1)
      holds(description, request, reply, filled)
      const now = await stateOf()
      if (reply.status >= 400 || ['GET', 'HEAD', 'OPTIONS'].includes(request.method))
        assert.equal(now, before, 'a refused request changed something')
      before = now
      if (reply.status === 201) {
        await cancelJob(service.context.db, { accountId: buyer.accountId, jobId: reply.body['id'] })
        before = await stateOf()
      }
    }),
    { numRuns: requests, endOnFailure: false },
  )

  await fc.assert(
    fc.asyncProperty(hostileBytes, async (content) => {
      for (const { status, body } of answersIn(await sendBytes(address, content))) {
        assert.ok(status < 500, `${status}: ${body}`)
        if (status >= 400) assert.deepEqual(Object.keys(JSON.parse(body)), ['error'])
      }
      assert.equal(await stateOf(), before)
    }),
    { numRuns: bytes },
  )
  return reached
}

function holds(
  description: Description,
  { method, path, headers }: HostileRequest,
  reply: Reply,
  filled: (one: string) => string,
): void {
  assert.ok(
    reply.status < 500 || reply.status === 503,
    `${reply.status}: ${reply.bytes.toString()}`,
  )
  assert.match(reply.headers.get('x-request-id') ?? '', /\S/)
  const isMetered = reply.headers.has('x-ratelimit-limit')
  const hasKey = headers['Authorization'] === `Bearer ${HOLES.apiKey}`
  const isOpen = method === 'OPTIONS' || /^\/openapi\.json($|[?#])/.test(path)
  if (hasKey && !isOpen) assert.ok(isMetered, `${reply.status} without the rate-limit headers`)
  if (reply.status >= 400 && method !== 'HEAD') assertError(reply)
  description.holds(method, filled(path), reply)
}

/** Sends a request whose path goes out as it is. */
function send(
  base: string,
  { method, path, headers, body }: HostileRequest,
  filled: (one: string) => string,
): Promise<Reply> {
  const all = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : filled(value),
    ]),
  )
  return exchange({
    method,
    url: base,
    path: new URL(base).pathname + filled(path),
    headers: all,
    body: body ?? undefined,
  })
}

async function sendBytes(address: string, content: Buffer): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = net.connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.setEncoding('latin1')
  const answer = text(socket).catch(() => '')
  socket.end(content)
  return answer
}

/** Returns the answers that came over one connection; each gives its length. */
function answersIn(received: string): { status: number; body: string }[] {
  const answers: { status: number; body: string }[] = []
  for (let rest = received; rest !== '';) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    assert.ok(Number.isInteger(status), `no answer: ${rest.slice(0, 200)}`)
    const end = head.length + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    answers.push({ status, body: rest.slice(head.length + 4, end) })
    rest = rest.slice(end)
  }
  return answers
}
