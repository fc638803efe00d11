/** A job's events over fetch, since EventSource cannot send the bearer. */
import { type EventMessage, eventBatches } from '../../../clients/typescript/src/events.ts'
import { publicApi } from './client.ts'

/** The server sends something every 15 seconds: a connection without any is dead, however open it looks. */
const SILENCE_MS = 40_000

type Reading = {
  /** How many rows are known. */
  told: number
  signal: AbortSignal
  /** What came at once; first of all an empty list, when the connection stands. */
  onEvents: (events: EventMessage[]) => void
}

/**
 * One connection, to its end: true where the job is final and all was told, false where it has to be
 * gone on with. Throws ApiError for a refusal, ConnectionError or what the stream throws where it broke.
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
