/** Readers of event streams, made from the clients that customers use: `eventsource` and its parser. */
import { EventSource } from 'eventsource'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'

export type Told = { event: string; id: string; data: Json }

export type EventReader = {
  status: number
  headers: Headers
  /** JSON of an answer that is no stream. */
  body: Json
  /** Returns the next event; null at the end of the stream. */
  next(): Promise<Told | null>
  /** Returns everything up to the end of the stream. */
  rest(): Promise<Told[]>
  close(): Promise<void>
}

/** Opens one connection, which is read event by event. */
export async function openEvents(
  { base, apiKey }: Customer,
  { id }: Json,
  lastEventId?: string,
): Promise<EventReader> {
  const leaving = new AbortController()
  const { status, headers, body } = await fetch(`${base}/jobs/${id}/events`, {
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    signal: leaving.signal,
  })
  const isStream = headers.get('content-type') === 'text/event-stream'
  const answer = isStream || status === 204 ? {} : ((await new Response(body).json()) as Json)
  const events = (isStream ? body : null)
    ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  const reader: EventReader = {
    status,
    headers,
    body: answer,
    async next() {
      const piece = await events?.read()
      if (piece === undefined || piece.done) return null
      const { event = 'message', id = '', data } = piece.value
      return { event, id, data: JSON.parse(data) as Json }
    },
    async rest() {
      const told: Told[] = []
      for (let one = await reader.next(); one !== null; one = await reader.next()) told.push(one)
      return told
    },
    async close() {
      leaving.abort()
      await events?.cancel().catch(() => undefined)
    },
  }
  return reader
}

export type Following = {
  told: Told[]
  /** Connections of the client: the process's address, and the id after which each went on. */
  connections: { address: string; lastEventId: string | null; status: number }[]
  /** Resolves when the client will not connect again: by itself, after `end` and 204. */
  closed: Promise<void>
  stop(): void
}

/**
 * Follows with a client that reconnects by itself, each time to the address that `addressOf` names then, and that takes
 * nothing but events; 429 and 5xx are tried again as a careful client does.
 */
export function followWithEventSource(
  { apiKey }: Customer,
  { id }: Json,
  addressOf: () => string,
): Following {
  const connections: Following['connections'] = []
  const source = new EventSource('http://any.test/events', {
    async fetch(_url, init) {
      const address = addressOf()
      const headers: Record<string, string> = {
        ...init.headers,
        Authorization: `Bearer ${apiKey}`,
      }
      const answer = await fetch(`${address}/api/v1/jobs/${id}/events`, { ...init, headers })
      const { status } = answer
      connections.push({ address, lastEventId: headers['Last-Event-ID'] ?? null, status })
      if (status === 429 || status >= 500) throw new TypeError(`refused for now: ${status}`)
      return answer
    },
  })
  const told: Told[] = []
  for (const event of ['job', 'video', 'end'])
    source.addEventListener(event, ({ data, lastEventId }) => {
      told.push({ event, id: lastEventId, data: JSON.parse(data) as Json })
    })
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  source.addEventListener('error', () => {
    if (source.readyState === source.CLOSED) resolve()
  })
  return {
    told,
    connections,
    closed,
    stop() {
      source.close()
      resolve()
    },
  }
}

/** Returns the rows among the events, in the order of their arrival. */
export function videosOf(told: Told[]): Json[] {
  return told.flatMap(({ event, data }) => (event === 'video' ? [data] : []))
}
