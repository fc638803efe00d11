/**
 * One request on one route, with its permit, its retries and its report. This is the only layer that retries by itself;
 * the layers above only change the client or the route.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import {
  exchange,
  type Validators,
  type WireReply,
  type WireRequest,
} from '../egress/connections.ts'
import type { PlatformLimits } from '../limits.ts'
import type { CallName } from './innertube.ts'
import { isPassing, type NamedObstacle, type Obstructed, obstructed } from './obstacle.ts'
import { type Body, type LongBody, readBody } from './reply.ts'
import type { Session } from './session.ts'

/** A parsed reply; with an `obstacle` it is no answer, however well-formed. */
export type Understood = { kind: string; obstacle?: NamedObstacle }

type Sending<T extends Understood> = {
  request: WireRequest
  tag: { call: CallName; client: string }
  /** A longer reply is not turned into text here. */
  textBytesMax: number
  /** Whether a web page is the answer, not something that came in its place. */
  isPage?: boolean
  /** How many times the request is repeated; the default is that of the limits. */
  retriesMax?: number
  /** Parses the reply fully, so that a bot check in well-formed JSON is counted as one and earns no higher rate. */
  read: (body: Body | LongBody, validators: Validators) => T
}

/** The size of a received reply above which reading takes a millisecond or more. */
const BUSY_BYTES = 16 * 1024

export async function sendRequest<T extends Understood>(
  session: Session,
  sending: Sending<T>,
): Promise<T | Obstructed> {
  const { context, lease, signal, reach } = session
  for (let tries = 1; ; tries += 1) {
    const passage = await lease.limiter.pass(context.share, signal)
    if (passage.kind === 'resting')
      return obstructed('no_route', { retryAfterMs: Math.ceil(passage.forMs) })
    const answer = await sendOnce(session, sending)
    if (answer.obstacle === undefined) {
      lease.limiter.answered()
      if (sending.tag.call === 'timedtext') lease.limiter.captionsCame()
      reach.isDoubted = false
      return answer
    }
    const { retriesMax = reach.isDoubted ? 0 : context.limits.retriesMax } = sending
    const pauseMs =
      pauseAfterLimit(session, sending, answer.obstacle) ??
      retryPause(answer.obstacle, tries, { ...context.limits, retriesMax })
    if (pauseMs === null) {
      reach.isDoubted = isPassing(answer.obstacle)
      return answer
    }
    await sleep(pauseMs, undefined, { signal })
  }
}

async function sendOnce<T extends Understood>(
  { context, lease, signal }: Session,
  { request, tag, textBytesMax, isPage = false, read }: Sending<T>,
): Promise<T> {
  const { limits, origin, now, clock, onRequest, onExchange, guard } = context
  const startedAt = clock()
  const reply = await exchange(
    lease.dispatcher,
    origin === null ? request : { ...request, origin },
    { signal, requestMs: limits.requestMs, now },
  )
  onExchange?.({ route: lease.route, request, reply })
  // A few kilobytes of JSON are parsed by the engine alone, in no time.
  const isGuarded = guard !== null && (tag.call === 'timedtext' || reply.bytes > BUSY_BYTES)
  const leave = isGuarded ? await guard({ isLong: false }) : null
  // Replies that arrived together are read in separate turns of the event loop.
  if (reply.bytes > BUSY_BYTES) await yieldToEventLoop()
  const body = readBody(reply, { isRotating: lease.route.isRotating, isPage, textBytesMax })
  const answer = read(body, validatorsOf(reply))
  if (leave !== null) await leave()
  onRequest({
    ...tag,
    route: lease.route.name,
    outcome: answer.obstacle?.name ?? 'ok',
    ms: clock() - startedAt,
    bytes: reply.bytes,
  })
  return answer
}

function validatorsOf(reply: WireReply): Validators {
  if (reply.kind === 'broken') return { lastModified: null, etag: null }
  const { lastModified, etag } = reply
  return { lastModified, etag }
}

/**
 * Returns the pause before captions are asked for once more after a 429, which mostly is momentary (2026-10); null
 * where the answer is none, where the platform asks for more patience, or where the session asked again before.
 */
function pauseAfterLimit<T extends Understood>(
  { context, reach }: Session,
  { tag }: Sending<T>,
  found: NamedObstacle,
): number | null {
  const { least, most } = context.limits.captionsAgainMs
  const isLimit = tag.call === 'timedtext' && found.name === 'rate_limited'
  const wantedMs = found.retryAfterMs ?? 0
  if (!isLimit || reach.hasAskedAgain || wantedMs > most) return null
  reach.hasAskedAgain = true
  return Math.round(Math.max(wantedMs, least + Math.random() * (most - least)))
}

/**
 * Returns how long to wait before the request is repeated, in milliseconds: a random part of a doubling bound, or what
 * the platform asked for. Null means that it is not repeated.
 */
export function retryPause(
  found: NamedObstacle,
  tries: number,
  { retriesMax, retryPauseMs, retryAfterMsMax }: PlatformLimits,
  random: () => number = Math.random,
): number | null {
  const mayPass = isPassing(found) && found.name !== 'track_gone'
  const triesMax = found.name === 'nothing' ? Math.min(1, retriesMax) : retriesMax
  if (!mayPass || tries > triesMax) return null
  if (found.retryAfterMs !== null)
    return found.retryAfterMs <= retryAfterMsMax ? found.retryAfterMs : null
  return Math.round(random() * retryPauseMs * 2 ** (tries - 1))
}
