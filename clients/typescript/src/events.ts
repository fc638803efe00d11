/** Follows a job by server-sent events; after a lost connection it goes on where it broke off. */
import { ConnectionError } from './errors.ts'
import { inTime, retryDelayMs, sleep } from './retry.ts'
import type { Job, Video } from './schema.ts'
import type { Call, Transport } from './transport.ts'

export type JobEvent =
  /** Comes first, and whenever the state or the number of videos found has changed. */
  | { type: 'job'; job: Job }
  /** A finished row, without text and segments. Pass its `id` as `lastEventId` to go on from here. */
  | { type: 'video'; id: string; video: Video }
  /** The job is final, and every row was sent. */
  | { type: 'end' }

/** Pause before a new connection, in milliseconds, as in the service's `retry`. */
const RECONNECT_MS = 2_000

/** One event of the stream, as it arrived. */
export type EventMessage = { event: string; data: string; id: string }

/** Ends after `end`, or at once where `lastEventId` was the last row of a final job. */
export async function* eachEvent(
  transport: Transport,
  call: Call,
  lastEventId: string | undefined,
): AsyncGenerator<JobEvent, void, undefined> {
  let last = lastEventId ?? ''
  for (let failures = 0; ; failures += 1) {
    const headers = last === '' ? {} : { 'Last-Event-ID': last }
    const accept = { Accept: 'text/event-stream', ...headers }
    const { status, body } = await transport.open({ ...call, headers: accept })
    if (status === 204 || body === null) return
    let cause: unknown
    try {
      for await (const { event, data, id } of messagesOf(body, transport.timeoutMs)) {
        last = id === '' ? last : id
        if (event === 'job') yield { type: 'job', job: JSON.parse(data) as Job }
        if (event === 'video') yield { type: 'video', id, video: JSON.parse(data) as Video }
        if (event === 'end') return yield { type: 'end' }
        failures = 0
      }
    } catch (error) {
      if (call.signal?.aborted === true) throw call.signal.reason
      cause = error
    }
    await patience(transport, failures, cause, call.signal)
  }
}

/** Waits before a new connection; throws after several connections in a row without an event. */
async function patience(
  transport: Transport,
  failures: number,
  cause: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const lost = new ConnectionError({
    code: 'connection_lost',
    message: 'The connection was lost while a job was followed.',
    cause,
  })
  const delayMs = retryDelayMs(lost, { retries: failures })
  if (delayMs === null || failures >= transport.maxRetries) throw lost
  await sleep(Math.max(delayMs, RECONNECT_MS), signal)
}

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
): AsyncGenerator<EventMessage, void, undefined> {
  for await (const messages of eventBatches(body, timeoutMs)) yield* messages
}

/**
 * Yields the events of one connection; events that arrived at once come together. Throws after `silenceMs` without
 * data.
 */
export async function* eventBatches(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<EventMessage[], void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), silenceMs)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      const messages = blocks.map(messageOf).filter((message) => message !== null)
      if (messages.length > 0) yield messages
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Returns null for a block of comments, or of `retry` alone. */
function messageOf(block: string): EventMessage | null {
  const message: EventMessage = { event: 'message', data: '', id: '' }
  let isMessage = false
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (name !== 'event' && name !== 'data' && name !== 'id') continue
    isMessage = true
    message[name] = name === 'data' && message.data !== '' ? `${message.data}\n${value}` : value
  }
  return isMessage ? message : null
}
