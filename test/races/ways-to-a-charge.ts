/**
 * The ways that end in a charge, as data: what a customer does, the file of `src` that takes it, and the ways in which
 * a job ends. `ways-to-a-charge.test.ts` lets each meet each other one; `test/house/ways-to-a-charge.test.ts` fails
 * where one is missing (docs/decisions/0008-what-money-follows.md).
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { suspendAccount } from '../../src/features/accounts/account.ts'
import { deleteAccount } from '../../src/features/accounts/delete-account.ts'
import { issueSessionBearer } from '../../src/features/accounts/keys.ts'
import { stopJob } from '../../src/features/jobs/attempt.ts'
import type { Db } from '../../src/store/database.ts'
import type { TestService } from '../support/service.ts'

/** What is ordered, and by whom: both ways of a meeting have the same customer. */
export type Ordering = {
  service: Omit<TestService, 'another'>
  customer: Customer
  urls: string[]
  /** Whether another way orders the same lines, so that only one job of both may be open. */
  isShared: boolean
}

export type Way = {
  name: string
  /** The file of `src` that takes the order. */
  entry: string
  /** What it can order: a list of lines, a video by its id, or a list of the platform's. */
  takes: 'lines' | 'id' | 'list'
  /** False where it buys again what the account owns by other lines. */
  skipsOwned: boolean
  /** What becomes of the lines before the meeting; undefined where they are new. */
  earlier?: 'one is delivered' | 'one has no text'
  /** True where its worker is lost in the moment in which it records. */
  isLost?: true
  /** Begins, and returns the job's id where it is told; resolves before anything is delivered. */
  begins(order: Ordering): Promise<string | null>
}

const START_JOB = 'src/api/jobs/start-job.ts'
/** A list gives one video of its many: the next that is not delivered. */
const MAX_VIDEOS = 1
const AGENT = { Accept: 'application/json, text/event-stream' }

/** Sends an order; null where it is refused since the same lines are under way, or followed: by the other way alone. */
async function sends(
  { customer, isShared }: Ordering,
  path: string,
  body: Json,
  headers: Record<string, string> = {},
): Promise<string | null> {
  const { status, body: answer, bytes } = await customer.asks('POST', path, { body, headers })
  const isKnown = /job_in_progress|You already follow this/.test(bytes.toString())
  if (isKnown && isShared) return null
  assert.ok(status === 200 || status === 201, `POST ${path}: ${status} ${bytes.toString()}`)
  return answer['id']
}

function orders(order: Ordering, query: string, maxVideos = MAX_VIDEOS): Promise<string | null> {
  return sends(order, `/jobs${query}`, { urls: order.urls, maxVideos })
}

/** Calls a tool without waiting for what it orders. */
async function calls(order: Ordering, name: string, args: Json): Promise<null> {
  const { customer, service } = order
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const reply = await customer.asks('POST', `${service.address}/mcp`, {
    body: call,
    headers: AGENT,
  })
  assert.match(reply.bytes.toString(), /jobId/)
  return null
}

export const WAYS: readonly Way[] = [
  {
    name: 'an order',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: true,
    begins: (order) => orders(order, '?owned=skip'),
  },
  {
    name: 'an order without the wish',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: false,
    begins: (order) => orders(order, ''),
  },
  {
    name: 'an order that is sent twice',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: true,
    async begins(order) {
      const body = { urls: order.urls, maxVideos: MAX_VIDEOS }
      const key = { 'Idempotency-Key': randomUUID() }
      const send = (): Promise<string | null> => sends(order, '/jobs?owned=skip', body, key)
      const [one, two] = await Promise.all([send(), send()])
      assert.equal(one, two)
      return one
    },
  },
  {
    name: 'an order of the website',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: true,
    async begins(order) {
      const { address, database } = order.service
      const { accountId } = order.customer
      const { bearer: apiKey } = await issueSessionBearer(database.db, accountId)
      return orders(
        { ...order, customer: new Customer({ address, accountId, apiKey }) },
        '?owned=skip',
      )
    },
  },
  {
    name: 'a continuation',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: true,
    earlier: 'one is delivered',
    begins: (order) => orders(order, '?owned=skip'),
  },
  {
    name: 'a video that is asked for again',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: true,
    earlier: 'one has no text',
    begins: (order) => orders(order, '?owned=skip', 2),
  },
  {
    name: 'an order whose worker is lost',
    entry: START_JOB,
    takes: 'lines',
    skipsOwned: true,
    isLost: true,
    begins: (order) => orders(order, '?owned=skip'),
  },
  {
    name: 'a batch',
    entry: 'src/worker/run-batches.ts',
    takes: 'lines',
    skipsOwned: true,
    async begins(order) {
      await sends(order, '/batches?owned=skip', { urls: order.urls, maxVideos: MAX_VIDEOS })
      return null
    },
  },
  {
    name: 'a followed channel',
    entry: 'src/worker/look-at-subscriptions.ts',
    takes: 'list',
    skipsOwned: true,
    async begins(order) {
      const [url] = order.urls
      await sends(order, '/subscriptions', { url, backlog: MAX_VIDEOS, monthlyCap: '1' })
      return null
    },
  },
  {
    name: 'start_job',
    entry: 'src/mcp/tools/start-job.ts',
    takes: 'lines',
    skipsOwned: true,
    begins: (order) => calls(order, 'start_job', { urls: order.urls, maxVideos: MAX_VIDEOS }),
  },
  {
    name: 'get_transcript',
    entry: 'src/mcp/tools/get-transcript.ts',
    takes: 'id',
    skipsOwned: true,
    begins: (order) => calls(order, 'get_transcript', { video: order.urls[0], waitSeconds: 0 }),
  },
]

/** A job with a text on its way, which is ended. */
export type Ending = {
  customer: Customer
  address: string
  /** What operators' commands act on, with a connection for each. */
  db: Db
  jobId: string
  batchId: string | null
}

export type End = {
  name: string
  /** The files of `src` that begin it. */
  entries: string[]
  /** True where only a batch's job ends so. */
  isOfBatch?: true
  begins(ending: Ending): Promise<unknown>
}

const WORD = { actor: 'tests', reason: 'two ends meet' }
/** What a customer is told whose account is suspended or deleted meanwhile, or whose job is over. */
const ANSWERS = [200, 202, 401, 404, 409]

async function asks({ customer }: Ending, method: string, path: string, body: Json): Promise<void> {
  const { status, bytes } = await customer.asks(method, path, { body, headers: AGENT })
  assert.ok(ANSWERS.includes(status), `${method} ${path}: ${status} ${bytes.toString()}`)
}

/** Every job ends by its worker, too, where nothing else ended it before. */
export const ENDS_OF_WORKERS = ['src/worker/run-job.ts', 'src/worker/run-batches.ts']

export const ENDS: readonly End[] = [
  {
    name: 'a cancellation',
    entries: ['src/api/jobs/routes.ts'],
    begins: (ending) => asks(ending, 'POST', `/jobs/${ending.jobId}/cancel`, {}),
  },
  {
    name: 'cancel_job',
    entries: ['src/mcp/tools/cancel-job.ts'],
    begins: (ending) =>
      asks(ending, 'POST', `${ending.address}/mcp`, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'cancel_job', arguments: { jobId: ending.jobId } },
      }),
  },
  {
    name: 'a batch that is stopped',
    entries: ['src/api/batches/routes.ts'],
    isOfBatch: true,
    begins: (ending) => asks(ending, 'PATCH', `/batches/${ending.batchId}`, { state: 'stopped' }),
  },
  {
    name: "an operator's stop",
    entries: ['src/api/account-api/operator/jobs.ts', 'src/admin/job-commands.ts'],
    begins: ({ db, customer: { accountId }, jobId }) => stopJob(db, { accountId, jobId, ...WORD }),
  },
  {
    name: 'a suspension',
    entries: ['src/api/account-api/operator/accounts.ts', 'src/admin/account-commands.ts'],
    begins: ({ db, customer: { accountId } }) => suspendAccount(db, { accountId, ...WORD }),
  },
  {
    name: 'a deletion',
    entries: ['src/api/account-api/leaving.ts', 'src/admin/account-commands.ts'],
    begins: ({ db, customer: { accountId } }) =>
      deleteAccount(db, { accountId, leftMoney: 'given-up', ...WORD }),
  },
]
