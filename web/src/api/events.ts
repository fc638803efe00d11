/** Reads a job's events over fetch, since EventSource cannot send the bearer. */
import { type EventMessage, eventBatches } from '../../../clients/typescript/src/events.ts'
import { publicApi } from './client.ts'

/**
 * Longest silence in milliseconds: the server sends something every 15 seconds, so that a silent connection is dead
 * even if it looks open.
 */
const SILENCE_MS = 40_000

type Reading = {
  /** Number of rows already known. */
  told: number
  signal: AbortSignal
  /** Called with events that arrived together; first with an empty list, when the connection is open. */
  onEvents: (events: EventMessage[]) => void
}

/**
 * Reads one connection to its end: true where the job is final and everything was sent, false where another connection
 * has to go on. Throws ApiError for a refusal, and ConnectionError or the stream's own error where it broke.
 */
export async function readEvents(
  jobId: string,
  { told, signal, onEvents }: Reading,
): Promise<boolean> {
  const headers = {
    Accept: 'text/event-stream',
    ...(told > 0 ? { 'Last-Event-ID': `${told}` } : {}),
  }
  const path = `/jobs/${jobId}/events`
  const { status, body } = await publicApi.open({
    method: 'GET',
    path,
    headers,
    signal,
    maxRetries: 0,
  })
  if (status === 204 || body === null) return true

  onEvents([])
  for await (const events of eventBatches(body, SILENCE_MS)) {
    onEvents(events)
    if (events.some(({ event }) => event === 'end')) return true
  }
  return false
}
