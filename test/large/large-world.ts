/** A service whose database holds a large customer, who is its operator too, and all that can be requested of it. */
import assert from 'node:assert/strict'
import type pg from 'pg'
import { exchange, type Exchange, open, type Reply } from '../../tools/conformance/http.ts'
import { OF_PAYMENTS } from '../attack/attacks/stripe-stories.ts'
import { type Caller, operator } from '../attack/callers.ts'
import type { DeclaredRoute, Schema } from '../attack/declared-fields.ts'
import {
  bodiesOf,
  type NamedValues,
  type RightRequest,
  rightRequestsOf,
} from '../attack/right-requests.ts'
import { countTexts } from '../support/count-texts.ts'
import type { TestDatabase } from '../support/database.ts'
import { fillBuckets, liftLimits } from '../support/rate-limits.ts'
import { addLargeCustomer, type CustomerSize, LARGELY_OWNED } from './large-customer.ts'

/** A request with the name under which it is told: the route or the tool, and what distinguishes it. */
export type NamedRequest = {
  name: string
  request: RightRequest
  /** What the customer has when it is sent, in micros. */
  availableMicros: number
}

/** `answered` is the number of bytes of the body. */
export type ReadAnswer = { status: number; answered: number }

export type LargeWorld = {
  accountId: string
  requests: NamedRequest[]
  send(one: NamedRequest): Promise<ReadAnswer>
}

/** A service that runs, and its database. */
export type LargePlace = { address: string; origin: string; database: TestDatabase }

/** Settings of the service that is asked: all routes are there, and orders do not end for want of room. */
export const OF_LARGE = { ...OF_PAYMENTS, MAX_ACTIVE_JOBS: '100000' }
const NOTHING = 0
const [RICH, POOR] = [1e12, 0]
const READ_MS = 15_000

/** What lies below addresses that end so. */
const named = (accountId: string, deep: number): NamedValues => ({
  inPaths: {
    '/api/v1/jobs/:id': [LARGELY_OWNED.textJob, LARGELY_OWNED.unchangedJob, LARGELY_OWNED.wordsJob],
    '/account/files/:id': [
      LARGELY_OWNED.textJob,
      LARGELY_OWNED.unchangedJob,
      LARGELY_OWNED.wordsJob,
    ],
    '/account/texts/:id': [LARGELY_OWNED.textJob],
    '/operator/jobs/:id': [LARGELY_OWNED.unchangedJob],
    '/jobs/:id': [LARGELY_OWNED.unchangedJob],
    '/receipts/:id': [LARGELY_OWNED.unchangedJob],
    '/library/:id': [LARGELY_OWNED.channel, LARGELY_OWNED.project],
    '/projects/:id': [LARGELY_OWNED.project],
    '/batches/:id': [LARGELY_OWNED.batch],
    '/subscriptions/:id': [LARGELY_OWNED.subscription],
    '/webhooks/:id': [LARGELY_OWNED.webhook],
    '/accounts/:id': [accountId],
    ':deliveryId': [LARGELY_OWNED.delivery],
    ':videoId': ['longerTalk1'],
    ':index': ['1'],
    ':part': ['x'],
    ':group': ['jobs'],
    '/previews/:id': [LARGELY_OWNED.preview],
    // An account has few of these: their number has a limit of its own.
    '/trial/:id': [`trl_${'a'.repeat(32)}`],
    '/sessions/:id': ['x'],
    '/keys/:id': ['x'],
    '/apps/:id': ['x'],
    '/invoices/:number': ['a'.repeat(12) + '-0001'],
    '/top-up/:checkoutId': ['x'],
  },
  inFields: {
    offset: [deep],
    wait: [NOTHING],
    waitSeconds: [NOTHING],
    q: ['talk'],
    text: [
      [
        `@${LARGELY_OWNED.channel}`,
        ...Array.from({ length: 14 }, (_, at) => LARGELY_OWNED.longLine(at)),
      ].join('\n'),
    ],
    channel: [LARGELY_OWNED.channel, LARGELY_OWNED.project],
    jobs: [LARGELY_OWNED.unchangedJob, [LARGELY_OWNED.textJob]],
    job: [LARGELY_OWNED.unchangedJob, LARGELY_OWNED.textJob],
    jobId: [LARGELY_OWNED.unchangedJob, LARGELY_OWNED.textJob],
    batch: [LARGELY_OWNED.batch],
    collection: [LARGELY_OWNED.channel],
    collectionId: [LARGELY_OWNED.channel, LARGELY_OWNED.project],
    subscriptionId: [LARGELY_OWNED.subscription],
    account: [accountId],
    index: [1],
    video: ['longerTalk1'],
    videos: [
      Array.from({ length: 500 }, (_, at) => ({ jobId: LARGELY_OWNED.textJob, index: at + 1 })),
    ],
    urls: [
      [`https://www.youtube.com/channel/${LARGELY_OWNED.channel}`],
      Array.from({ length: 15 }, (_, at) => LARGELY_OWNED.longLine(at + 1)),
    ],
    url: [`https://www.youtube.com/channel/${LARGELY_OWNED.channel}`],
    maxVideos: [1],
    monthlyCap: ['5'],
    status: ['unchanged', 'success', 'none'],
    language: ['en'],
    after: ['2016-01-01'],
    before: ['2030-01-01'],
    month: ['2026-11'],
    since: ['2020-01-01'],
    amountUsd: ['5'],
    suspended: [true, false],
    exports: ['md,jsonl,words,wordsvtt'],
    formats: ['text,srt,vtt,segments'],
    cursor: [NOTHING],
  },
})

/** Makes the customer at a service whose routes are known; pages are asked for from the place `deep`, too. */
export async function openLargeWorld(
  { address, origin, database }: LargePlace,
  { routes, size, deep }: { routes: Iterable<DeclaredRoute>; size: CustomerSize; deep: number },
): Promise<LargeWorld> {
  const owner = await operator({ address, origin, fleet: { database } })
  const { accountId } = owner
  const key = await makeKey({ address, owner })
  await liftLimits(database.pool, accountId)
  await addLargeCustomer(database.pool, { accountId, size })
  await countTexts(database.pool)
  const askOf = ({ method, path, type, body }: RightRequest): Exchange => {
    const isOfKey = /^\/(?:api|mcp)\b/.test(path)
    const headers = {
      ...(isOfKey ? { authorization: `Bearer ${key}` } : owner.headers),
      ...(path === '/mcp' ? { accept: 'application/json, text/event-stream' } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    return { method, url: address, path, headers, body }
  }
  const ways = named(accountId, deep)
  const asRich = [
    ...[...routes].flatMap((route) => requestsOf(route, ways)),
    ...(await toolRequests(async (one) => exchange(askOf(one)), ways)),
  ]
  const asPoor = asRich
    .filter((one) => orderOf(one) === CHANGES)
    .map((one) => ({ ...one, name: `${one.name} for nothing`, availableMicros: POOR }))
  let available = NaN
  return {
    accountId,
    requests: [...asRich, ...asPoor].sort((a, b) => orderOf(a) - orderOf(b)),
    async send({ request, availableMicros }) {
      if (availableMicros !== available)
        await setAvailable(database.pool, accountId, availableMicros)
      available = availableMicros
      const answer = await readInTime(askOf(request))
      if (answer.status !== 429) return answer
      await fillBuckets(database.pool)
      return readInTime(askOf(request))
    },
  }
}

/** Reads an answer; a file that takes longer than READ_MS is left then, as a reader may. */
async function readInTime(asked: Exchange): Promise<ReadAnswer> {
  const response = await open(asked)
  let [answered, isLeft] = [0, false]
  const timer = setTimeout(() => {
    isLeft = true
    response.destroy()
  }, READ_MS)
  try {
    for await (const piece of response as AsyncIterable<Buffer>) answered += piece.length
  } catch (error) {
    if (!isLeft) throw error
  } finally {
    clearTimeout(timer)
  }
  return { status: response.statusCode ?? 0, answered }
}

async function setAvailable(pool: pg.Pool, accountId: string, micros: number): Promise<void> {
  await pool.query('update balance set posted_micros = held_micros + $2 where account_id = $1', [
    accountId,
    micros,
  ])
}

/** Whether the answer is a file of all that a job or a collection has; each of its choices is asked by HEAD, too. */
export function isDownload({ method, path }: RightRequest): boolean {
  return (
    method === 'GET' &&
    /\/(?:files|exports?|library|jobs)\b.*\.(?:zip|csv|md|jsonl|ris|json|txt)\b|\/zip\b|\.csv\b/.test(
      path,
    )
  )
}

/** Returns a name that is the same for customers of any size. */
function sameName(name: string): string {
  return name.replace(/(offset\W{1,2})\d+/, '$1N').replace(/acc_\w+/, 'ACCOUNT')
}

/** Documents and programs are the same for everybody. */
const FOR_EVERYBODY = /^\/(?:assets|fonts|clients)\//

function requestsOf(route: DeclaredRoute, ways: NamedValues): NamedRequest[] {
  const { method, url } = route
  if (method === 'OPTIONS' || FOR_EVERYBODY.test(url)) return []
  return rightRequestsOf(route, ways).map((request) => {
    const body = request.body === undefined ? '' : ` ${request.body.slice(0, 80)}`
    const name = sameName(`${method} ${url}: ${request.path.slice(0, 120)}${body}`)
    return { name, request, availableMicros: RICH }
  })
}

async function toolRequests(
  send: (request: RightRequest) => Promise<Reply>,
  ways: NamedValues,
): Promise<NamedRequest[]> {
  const message = (method: string, params: object): RightRequest => ({
    method: 'POST',
    path: '/mcp',
    isPlain: true,
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { body } = await send(message('tools/list', {}))
  const tools = body['result'].tools as { name: string; inputSchema: Schema }[]
  assert.ok(tools.length > 5)
  return tools.flatMap(({ name, inputSchema }) =>
    bodiesOf(inputSchema, ways).map((args) => ({
      name: sameName(`tool ${name}: ${JSON.stringify(args).slice(0, 120)}`),
      availableMicros: RICH,
      // No call waits for what it asks for: that would measure the clock.
      request: message('tools/call', {
        name,
        arguments:
          'waitSeconds' in (inputSchema.properties ?? {}) ? { waitSeconds: 0, ...args } : args,
      }),
    })),
  )
}

export function isRead({ request: { method } }: { request: { method: string } }): boolean {
  return method === 'GET' || method === 'HEAD'
}

const [READS, CHANGES, DELETES, ENDS] = [0, 1, 2, 3]

/** What reads comes first, then what changes, then what deletes, and at last what ends the session or the account. */
function orderOf({ name, request: { method, path }, availableMicros }: NamedRequest): number {
  if (/\/sign-out|\/delete\b|\/auth\/|\/suspend|\/bearer|\/sessions/.test(path)) return ENDS
  if (method === 'DELETE' || name.includes('/cancel') || /^tool (?:unfollow|cancel)/.test(name))
    return DELETES
  if (isRead({ request: { method } })) return READS
  return availableMicros === RICH ? CHANGES : CHANGES + 0.5
}

async function makeKey({ address, owner }: { address: string; owner: Caller }): Promise<string> {
  const reply = await exchange({
    method: 'POST',
    url: address,
    path: '/account/keys',
    headers: { ...owner.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'large' }),
  })
  assert.ok(reply.status < 300, reply.bytes.toString())
  const key = reply.body['apiKey'] as string | undefined
  assert.ok(key !== undefined)
  return key
}
