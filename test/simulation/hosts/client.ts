/**
 * The client outside: orders single videos under Idempotency-Keys, follows three large jobs, and keeps everything that
 * it was told. It is as patient as a careful program: what got no answer is sent again under the same key.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Json } from '../../../tools/conformance/http.ts'
import { until } from '../../support/until.ts'

type Order = {
  key: string
  body: { urls: string[]; maxVideos: number; formats: string[] }
  firstAtMs: number
  /** When it was acknowledged, and with which jobs: more than one is a fault. */
  acknowledgedAtMs: number | null
  jobIds: Set<string>
}

type Followed = {
  jobId: string
  /** Rows in the order in which they were told, each with its event's id. */
  rows: { id: string; videoId: string }[]
  /** Count of connections. */
  connections: number
  /** Null while it follows; `end` by its event, `told` by 204, `gone` by 404. */
  over: 'end' | 'told' | 'gone' | null
}

type Refusal = { atMs: number; why: string }

export type Client = {
  orders: Order[]
  followed: Followed[]
  /** Everything but an acknowledgement, with when it came. */
  refusals: Refusal[]
  asks(method: string, path: string, body?: unknown, key?: string): Promise<Asked>
  acknowledged(): Order[]
  /** Waits until so many more orders are acknowledged. */
  untilMore(count: number, maxMs?: number): Promise<void>
  /** Returns the longest time in ms without an acknowledgement after `sinceMs`. */
  withoutServiceMs(sinceMs: number): number
  /** Returns how long 95 of 100 orders waited at most, in ms after `sinceMs`, of those that waited then. */
  p95WaitMs(sinceMs: number): number
  /** Stops ordering; the large jobs are still followed. */
  stopsOrdering(): Promise<void>
  close(): Promise<void>
}

type Asked = { status: number; body: Json }

const LOOPS = 10
const PAUSE_MS = 1_000
const RETRY_MS = 300
const PATIENCE_MS = 10_000
/** Longest silence of a stream; the service sends a comment more often. */
const SILENCE_MS = 30_000
const WAIT_MS_MAX = 120_000

export async function openClient(given: {
  origin: string
  apiKey: string
  /** URLs of single videos, of which none is ordered twice. */
  singles: string[]
  large: { urls: string[]; maxVideos: number }[]
}): Promise<Client> {
  const base = `${given.origin}/api/v1`
  const leaving = new AbortController()
  let isOrdering = true
  let count = 0

  async function asks(method: string, path: string, body?: unknown, key?: string): Promise<Asked> {
    const answer = await fetch(base + path, {
      method,
      headers: {
        Authorization: `Bearer ${given.apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Json) : {} }
  }

  async function order(body: { urls: string[]; maxVideos: number }): Promise<Order> {
    const key = `order-${(count += 1)}`
    const one: Order = {
      key,
      body: { ...body, formats: ['text'] },
      firstAtMs: performance.now(),
      acknowledgedAtMs: null,
      jobIds: new Set(),
    }
    client.orders.push(one)
    while (one.acknowledgedAtMs === null && !leaving.signal.aborted) {
      const [answer, why] = await asks('POST', '/jobs', one.body, key).then(
        (asked) => [asked, `${asked.status} ${asked.body['error']?.code ?? ''}`] as const,
        (error: Error) => [null, whyOf(error)] as const,
      )
      if (answer?.status === 201 || answer?.status === 200) {
        one.acknowledgedAtMs = performance.now()
        one.jobIds.add(answer.body['id'])
      } else {
        client.refusals.push({ atMs: performance.now(), why })
        await sleep(RETRY_MS)
      }
    }
    return one
  }

  const client: Client = {
    orders: [],
    followed: [],
    refusals: [],
    asks,
    acknowledged: () => client.orders.filter((one) => one.acknowledgedAtMs !== null),
    async untilMore(more, maxMs = WAIT_MS_MAX) {
      const enough = client.acknowledged().length + more
      const isEnough = (): boolean => client.acknowledged().length >= enough
      await until(`${more} more orders are acknowledged`, isEnough, maxMs)
    },
    withoutServiceMs(sinceMs) {
      const times = client.acknowledged().map((one) => one.acknowledgedAtMs ?? 0)
      const after = times.filter((atMs) => atMs > sinceMs).toSorted((a, b) => a - b)
      const gaps = after.map((atMs, at) => atMs - (after[at - 1] ?? sinceMs))
      return after.length === 0 ? Infinity : Math.max(...gaps)
    },
    p95WaitMs(sinceMs) {
      const waits = client.orders
        .filter(
          ({ firstAtMs, acknowledgedAtMs }) =>
            firstAtMs < sinceMs && (acknowledgedAtMs ?? Infinity) > sinceMs,
        )
        .map((one) => (one.acknowledgedAtMs ?? Infinity) - sinceMs)
        .toSorted((a, b) => a - b)
      return waits[Math.ceil(waits.length * 0.95) - 1] ?? Infinity
    },
    async stopsOrdering() {
      isOrdering = false
      await ordering
    },
    async close() {
      isOrdering = false
      leaving.abort()
      await Promise.allSettled([ordering, following])
    },
  }

  for (const body of given.large) {
    const { jobIds } = await order(body)
    const [jobId = ''] = jobIds
    client.followed.push({ jobId, rows: [], connections: 0, over: null })
  }
  const reach = { base, apiKey: given.apiKey, leaving: leaving.signal }
  const following = Promise.all(client.followed.map((one) => follow(one, reach)))
  const singles = given.singles.values()
  const ordering = Promise.all(
    Array.from({ length: LOOPS }, async (_, at) => {
      await sleep((at * PAUSE_MS) / LOOPS)
      while (isOrdering) {
        const url = singles.next().value
        if (url === undefined) throw new Error('the client has no video left to order')
        await order({ urls: [url], maxVideos: 1 })
        await sleep(PAUSE_MS)
      }
    }),
  )
  ordering.catch(() => undefined) // awaited by stopsOrdering
  return client
}

type Reach = { base: string; apiKey: string; leaving: AbortSignal }

/** Follows one job to its end, over as many connections as it takes. */
async function follow(one: Followed, { base, apiKey, leaving }: Reach): Promise<void> {
  while (one.over === null && !leaving.aborted) {
    const silent = new AbortController()
    let patience = setTimeout(() => silent.abort(), SILENCE_MS)
    try {
      const last = one.rows.at(-1)?.id
      const answer = await fetch(`${base}/jobs/${one.jobId}/events`, {
        headers: {
          Authorization: `Bearer ${apiKey}`,
          ...(last === undefined ? {} : { 'Last-Event-ID': last }),
        },
        signal: AbortSignal.any([leaving, silent.signal]),
      })
      if (answer.status === 204) one.over = 'told'
      if (answer.status === 404) one.over = 'gone'
      if (answer.status !== 200 || answer.body === null) continue
      one.connections += 1
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, stream) {
          clearTimeout(patience)
          patience = setTimeout(() => silent.abort(), SILENCE_MS)
          stream.enqueue(chunk)
        },
      })
      const events = answer.body
        .pipeThrough(heard)
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream())
      for await (const { event, id = '', data } of events) {
        if (event === 'video') one.rows.push({ id, videoId: (JSON.parse(data) as Json)['videoId'] })
        if (event === 'end') one.over = 'end'
      }
    } catch {
      // The connection broke, or nothing was heard: it connects again.
    } finally {
      clearTimeout(patience)
      if (one.over === null) await sleep(RETRY_MS)
    }
  }
}

function whyOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
