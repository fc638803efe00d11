/**
 * The trace of a caller (W3C Trace Context, level 1): `traceparent` names the trace that a request is a part of, so
 * that its lines in our log, and what we send on because of it, can be found beside the caller's own.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A version, the trace's id, the caller's span and the flags; a later version may say more behind them. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Ids that name nothing, and the version that does not exist. */
const INVALID = /^(?:f{2}|0{16}|0{32})$/
const SPAN_BYTES = 8
/** The longest header that is looked at; 55 characters are those of the first version. */
const HEADER_CHARS_MAX = 256

/**
 * Returns the request's `traceparent` in the form of the first version; null where there is none, or none that follows
 * the recommendation, which says to act as if it were not there.
 */
export function traceparentOf({ traceparent: sent }: IncomingHttpHeaders): string | null {
  if (typeof sent !== 'string' || sent.length > HEADER_CHARS_MAX) return null
  const [, version = '', traceId = '', span = '', flags, more] = TRACEPARENT.exec(sent) ?? []
  if (flags === undefined || (version === '00' && more !== undefined)) return null
  if ([version, traceId, span].some((part) => INVALID.test(part))) return null
  return `00-${traceId}-${span}-${flags}`
}

/** Returns the 32 hexadecimal digits that all parts of a trace share. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}

/** Returns what goes out with a request of ours: the same trace, and a span of our own. */
export function nextTraceparent(traceparent: string): string {
  const span = randomBytes(SPAN_BYTES).toString('hex')
  return `00-${traceIdOf(traceparent)}-${span}-${traceparent.slice(-2)}`
}
