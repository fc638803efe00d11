/** The log of the requests that the emulator received: counters since the last reset, and the latest ones. */
import type { Call } from './call.ts'

const TAIL_MAX = 2000

export type LoggedRequest = {
  number: number
  atMs: number
  kind: string
  client: string
  identity: string
  visitor: string
  videoId: string
  listId: string
  status: number
  /** The fault that hit; null where none did. */
  fault: string | null
  bytesIn: number
  bytesOut: number
}

type Counter = Record<string, number>

export type RequestCounts = {
  total: number
  bytesIn: number
  bytesOut: number
  /** The most calls that were under way at one time. */
  inFlightMax: number
  byKind: Counter
  byClient: Counter
  byIdentity: Counter
  byStatus: Counter
  byFault: Counter
  /** Counts by kind and client, such as `player VISIONOS`. */
  byKindAndClient: Counter
}

export type RequestLog = {
  begin(): void
  end(
    call: Call,
    outcome: { status: number; fault: string | null; bytesIn: number; bytesOut: number },
  ): void
  counts(): RequestCounts
  /** The newest `limit` requests, oldest first. */
  recent(limit: number): LoggedRequest[]
  reset(): void
}

const nothing = (): RequestCounts => ({
  total: 0,
  bytesIn: 0,
  bytesOut: 0,
  inFlightMax: 0,
  byKind: {},
  byClient: {},
  byIdentity: {},
  byStatus: {},
  byFault: {},
  byKindAndClient: {},
})

export function createRequestLog(): RequestLog {
  let counts = nothing()
  let tail: LoggedRequest[] = []
  let inFlight = 0
  const add = (counter: Counter, key: string): void => {
    counter[key] = (counter[key] ?? 0) + 1
  }
  return {
    begin: () => {
      inFlight += 1
      counts.inFlightMax = Math.max(counts.inFlightMax, inFlight)
    },
    end: (call, outcome) => {
      inFlight -= 1
      counts.total += 1
      counts.bytesIn += outcome.bytesIn
      counts.bytesOut += outcome.bytesOut
      add(counts.byKind, call.kind)
      add(counts.byIdentity, call.identity)
      add(counts.byStatus, String(outcome.status))
      if (call.client.name !== '') {
        add(counts.byClient, call.client.name)
        add(counts.byKindAndClient, `${call.kind} ${call.client.name}`)
      }
      if (outcome.fault !== null) add(counts.byFault, outcome.fault)
      const { kind, identity, visitor, videoId, listId } = call
      tail.push({
        number: counts.total,
        atMs: call.nowMs,
        kind,
        client: call.client.name,
        identity,
        visitor,
        videoId,
        listId,
        ...outcome,
      })
      if (tail.length >= TAIL_MAX * 2) tail = tail.slice(-TAIL_MAX)
    },
    counts: () => structuredClone(counts),
    recent: (limit) => tail.slice(-Math.min(limit, TAIL_MAX)),
    reset: () => {
      counts = { ...nothing(), inFlightMax: inFlight }
      tail = []
    },
  }
}
