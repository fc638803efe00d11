/**
 * Asking the platform: one call through one hold, with its permit, its retries and its bookkeeping.
 * This is the only layer that tries again by itself; above it a question only changes client or route.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type WireRequest } from '../egress/connections.ts'
import type { Hold } from '../egress/lanes.ts'
import { ownTurn } from '../../own-turn.ts'
import type { Share } from '../fair-line.ts'
import type { PlatformLimits } from '../limits.ts'
import type { ReadingGuard } from '../platform.ts'
import { textAt } from './json.ts'
import type { ClientProfile } from './clients.ts'
import { type Hurdle, hurdle, ruleOf } from './hurdle.ts'
import { type Call, type CallName, writeCall } from './innertube.ts'
import type { LongReader } from './long-captions.ts'
import { type Answer, type Body, type LongBody, readBody, readJson } from './reply.ts'

/** One request as it went, for metrics and logs; never an address or a secret. */
export type RequestReport = {
  call: CallName
  client: string
  route: string
  /** `ok` or the name of the hurdle. */
  outcome: string
  ms: number
  /** Received, compressed. */
  bytes: number
}

export type Asking = {
  /** On whose behalf is asked: permits to ask are shared fairly. */
  share: Share
  limits: PlatformLimits
  /** Where every request goes instead, whatever host it names; null is the platform itself. */
  origin: string | null
  now: () => Date
  /** Milliseconds, never going back. */
  clock: () => number
  onRequest: (report: RequestReport) => void
  /** Reads captions that are too long for the main thread. */
  longReader: LongReader
  /** Stands by while a reply is read; null: nobody does. */
  guard: ReadingGuard | null
}

/** `judge` names the hurdle that a well-formed reply still is, so that it is tried again like others. */
export type JsonCall = Call & {
  name: Exclude<CallName, 'timedtext'>
  judge?: (value: unknown) => Hurdle | null
}

/** Asks and parses. */
export async function askJson(
  asking: Asking,
  hold: Hold,
  call: JsonCall,
  signal: AbortSignal,
): Promise<Answer> {
  const visitorData = call.name === 'visitor_id' ? null : hold.visitorData
  const request = writeCall(call, { visitorData, bytesMax: asking.limits.replyBytesMax })
  const tag = { call: call.name, client: call.client.name }
  const read = (body: Body | LongBody): Answer => {
    const answer = readJson(body)
    const found = answer.kind === 'json' ? (call.judge?.(answer.value) ?? null) : null
    return found === null ? answer : { kind: 'hurdle', hurdle: found }
  }
  const textBytesMax = asking.limits.replyBytesMax
  return send(asking, hold, { request, tag, textBytesMax, read }, signal)
}

/** Asks for captions: any text that is no web page, or one that is too long to be read at once. */
export async function askText(
  asking: Asking,
  hold: Hold,
  { url, client }: { url: URL; client: ClientProfile },
  signal: AbortSignal,
): Promise<Body | LongBody> {
  const headers = {
    'accept-encoding': 'gzip, br',
    'accept-language': 'en',
    'user-agent': client.userAgent,
  }
  const { captionsBytesMax: bytesMax, captionsHereBytesMax } = asking.limits
  const request: WireRequest = { method: 'GET', url, headers, body: null, bytesMax }
  const tag = { call: 'timedtext' as const, client: client.name }
  const textBytesMax = Math.min(bytesMax, captionsHereBytesMax)
  return send(asking, hold, { request, tag, textBytesMax, read: readCaptions }, signal)
}

/** A 404 here is an address that is over (`expire`), which asking again does not mend. */
function readCaptions(body: Body | LongBody): Body | LongBody {
  const isGone = body.kind === 'hurdle' && body.hurdle.name === 'not_found'
  return isGone ? { kind: 'hurdle', hurdle: hurdle('track_gone') } : body
}

/** A guest of the route's present epoch; made once and shared, on a rotating route per hold. */
export async function becomeGuest(
  asking: Asking,
  hold: Hold,
  client: ClientProfile,
  signal: AbortSignal,
): Promise<Hurdle | null> {
  if (hold.visitorData !== null) return null
  const minted = await (mintingOf(hold) ?? startMinting(asking, hold, client))
  signal.throwIfAborted()
  if (typeof minted !== 'string') return minted
  hold.visitorData = minted
  return null
}

const mintings = new WeakMap<Hold['gate'], { epoch: number; made: Promise<string | Hurdle> }>()

function mintingOf(hold: Hold): Promise<string | Hurdle> | null {
  const running = hold.route.isRotating ? undefined : mintings.get(hold.gate)
  return running?.epoch === hold.epoch ? running.made : null
}

function startMinting(asking: Asking, hold: Hold, client: ClientProfile): Promise<string | Hurdle> {
  // Shared by all who wait for it, so no single question's cancellation may end it.
  const deadline = AbortSignal.timeout(asking.limits.visitMs)
  const made = mintGuest(asking, hold, client, deadline).catch((error: unknown) => {
    if (deadline.aborted) return hurdle('timed_out')
    throw error
  })
  if (hold.route.isRotating) return made
  const entry = { epoch: hold.epoch, made }
  mintings.set(hold.gate, entry)
  const forget = (): void => {
    if (mintings.get(hold.gate) === entry) mintings.delete(hold.gate)
  }
  void made.then(forget, forget)
  return made
}

async function mintGuest(
  asking: Asking,
  hold: Hold,
  client: ClientProfile,
  signal: AbortSignal,
): Promise<string | Hurdle> {
  const call = { name: 'visitor_id', client, body: {}, fields: null } as const
  const answer = await askJson(asking, hold, call, signal)
  if (answer.kind === 'hurdle') return answer.hurdle
  const made = textAt(answer.value, 'responseContext', 'visitorData')
  if (made === null) return hurdle('unreadable')
  if (hold.route.isRotating) return made
  const kept = await hold.gate.saveIdentity({ epoch: hold.epoch, visitorData: made })
  return kept ?? made
}

/** Above this a reply, as received, takes a millisecond and more to read. */
const TURN_BYTES = 16 * 1024

type Sending<T> = {
  request: WireRequest
  tag: { call: CallName; client: string }
  /** What is longer is not turned into text here. */
  textBytesMax: number
  read: (body: Body | LongBody) => T
}

async function send<T extends Answer | Body | LongBody>(
  asking: Asking,
  hold: Hold,
  sending: Sending<T>,
  signal: AbortSignal,
): Promise<T | { kind: 'hurdle'; hurdle: Hurdle }> {
  for (let tries = 1; ; tries += 1) {
    const passage = await hold.gate.pass(asking.share, signal)
    if (passage.kind === 'resting') {
      return {
        kind: 'hurdle',
        hurdle: hurdle('no_route', { retryAfterMs: Math.ceil(passage.forMs) }),
      }
    }
    const answer = await once(asking, hold, sending, signal)
    if (answer.kind !== 'hurdle') {
      hold.gate.answered()
      return answer
    }
    const pauseMs = retryPause(answer.hurdle, tries, asking.limits)
    if (pauseMs === null) return answer
    await sleep(pauseMs, undefined, { signal })
  }
}

async function once<T extends Answer | Body | LongBody>(
  { limits, origin, now, clock, onRequest, guard }: Asking,
  hold: Hold,
  { request, tag, textBytesMax, read }: Sending<T>,
  signal: AbortSignal,
): Promise<T> {
  const startedAt = clock()
  const { pathname, search } = request.url
  const url = origin === null ? request.url : new URL(pathname + search, origin)
  const reply = await exchange(
    hold.dispatcher,
    { ...request, url },
    { signal, requestMs: limits.requestMs, now },
  )
  // A few kilobytes of JSON are read by the engine alone, in no time.
  const isGuarded = guard !== null && (tag.call === 'timedtext' || reply.bytes > TURN_BYTES)
  const leave = isGuarded ? await guard({ isLong: false }) : null
  // Replies that came in the same moment are read in turns of their own.
  if (reply.bytes > TURN_BYTES) await ownTurn()
  const answer = read(readBody(reply, { isRotating: hold.route.isRotating, textBytesMax }))
  if (leave !== null) await leave()
  onRequest({
    ...tag,
    route: hold.route.name,
    outcome: answer.kind === 'hurdle' ? answer.hurdle.name : 'ok',
    ms: clock() - startedAt,
    bytes: reply.bytes,
  })
  return answer
}

/**
 * How long to wait before the same request goes out again, in milliseconds: full jitter below a
 * doubling bound; what the platform asked for wins. Null: not again.
 */
export function retryPause(
  found: Hurdle,
  tries: number,
  { retriesMax, retryPauseMs, retryAfterMsMax }: PlatformLimits,
  random: () => number = Math.random,
): number | null {
  const mayPass = ruleOf(found).blame === 'once' && found.name !== 'track_gone'
  // NOT_FOUND in InnerTube's own words is an answer; a bare 404 comes and goes.
  const triesMax = found.name === 'nothing' ? 1 : retriesMax
  if (!mayPass || found.said === 'NOT_FOUND' || tries > triesMax) return null
  if (found.retryAfterMs !== null)
    return found.retryAfterMs <= retryAfterMsMax ? found.retryAfterMs : null
  return Math.round(random() * retryPauseMs * 2 ** (tries - 1))
}
