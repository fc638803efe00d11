/**
 * Tokens of proof ("PO tokens"): what the platform wants of some apps before it gives captions out. Nothing here makes
 * them: a provider that the operator runs does (`PO_TOKEN_URL`), by the protocol that public clients use (2026-08):
 *
 *     POST {PO_TOKEN_URL}/get_pot  { "content_binding": "<video id>" }  →  { "poToken": "…", "expiresAt"?: "…" }
 */
import { request } from 'undici'
import { unlessAborted } from '../../kit/concurrency.ts'
import { type Flights, openFlights } from '../../kit/flights.ts'
import { setLatest } from '../../kit/latest.ts'
import { readUpTo } from '../../kit/outbound/read-up-to.ts'
import type { OnExchange, WireReply } from '../egress/connections.ts'
import { at, textAt } from './json.ts'
import { type NamedObstacle, obstacle } from './obstacle.ts'

export type ProofTokens = {
  /**
   * Returns a token that is bound to the video: a kept one, or one of the provider. Without a provider there is none;
   * the obstacle says that the provider gave none.
   */
  tokenFor(videoId: string, signal: AbortSignal): Promise<string | NamedObstacle | null>
  /** Forgets the video's token, since the platform did not take it. */
  forget(videoId: string): void
}

export type ProofTokenOptions = {
  /** The provider's address; null for none. */
  provider: string | null
  now: () => Date
  /** Called with what each question to the provider brought. */
  onToken?: ((outcome: 'given' | 'refused') => void) | undefined
  onExchange?: OnExchange | null
}

/** How long a provider may take for a token; it may have to run the platform's own program for it. */
const PROVIDER_MS = 30_000
const ANSWER_BYTES_MAX = 64 * 1024
/** How long a token without `expiresAt` is used. */
const TOKEN_LIFE_MS = 6 * 3_600_000
const TOKENS_KEPT_MAX = 5_000
/** After a refusal the provider is left alone, twice as long each time: other apps may be answered without tokens. */
const PROVIDER_REST_MS = { first: 10_000, most: 300_000 }
/** Tokens stand in addresses and bodies; about 200 characters were seen. */
const TOKEN = /^[\w+/=%.-]{1,4000}$/

type Kept = { token: string; untilMs: number }

export function openProofTokens(options: ProofTokenOptions): ProofTokens {
  const { provider, now } = options
  const kept = new Map<string, Kept>()
  const flights: Flights = openFlights()
  let restsUntilMs = 0
  let refusals = 0

  async function make(videoId: string, address: string): Promise<string | NamedObstacle> {
    const before = refusals
    const said = await askProvider(address, videoId, options)
    options.onToken?.(typeof said === 'string' ? 'refused' : 'given')
    if (typeof said === 'string') {
      const { first, most } = PROVIDER_REST_MS
      restsUntilMs = now().getTime() + Math.min(first * 2 ** before, most)
      refusals = before + 1 // those that were asked at once are refused once
      return obstacle('no_token', { fact: said })
    }
    restsUntilMs = 0
    refusals = 0
    setLatest(kept, videoId, { value: said, max: TOKENS_KEPT_MAX })
    return said.token
  }

  return {
    async tokenFor(videoId, signal) {
      if (provider === null) return null
      const nowMs = now().getTime()
      const known = kept.get(videoId)
      if (known !== undefined && known.untilMs > nowMs) return known.token
      if (restsUntilMs > nowMs) return obstacle('no_token', { retryAfterMs: restsUntilMs - nowMs })
      // One question tries it again, so that a provider that hangs holds one visit and not all.
      if (refusals > 0) restsUntilMs = nowMs + PROVIDER_MS
      // The question goes on without a visit that is over: others may wait for the same token.
      const asked = flights.join(videoId, signal, () => make(videoId, provider))
      return (await unlessAborted(asked, signal)).value
    },
    forget: (videoId) => void kept.delete(videoId),
  }
}

/** Asks the provider; returns why it gave no token, in words without its address. */
async function askProvider(
  provider: string,
  videoId: string,
  { now, onExchange = null }: ProofTokenOptions,
): Promise<Kept | string> {
  const body = JSON.stringify({ content_binding: videoId })
  try {
    const reply = await request(`${provider.replace(/\/$/, '')}/get_pot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(PROVIDER_MS),
    })
    const text = await readUpTo(reply.body, ANSWER_BYTES_MAX)
    onExchange?.(exchangeWith(body, replyOf(reply.statusCode, text)))
    if (reply.statusCode !== 200) return `the provider answered with status ${reply.statusCode}`
    const answer: unknown = JSON.parse(text)
    const token = textAt(answer, 'poToken')
    if (token === null || !TOKEN.test(token)) return 'the provider’s answer has no "poToken"'
    return { token, untilMs: endOf(at(answer, 'expiresAt'), now()) }
  } catch (error) {
    if (error instanceof SyntaxError) return 'the provider’s answer is not JSON'
    onExchange?.(exchangeWith(body, { kind: 'broken', failure: 'unreachable', bytes: 0 }))
    return 'the provider did not answer'
  }
}

/** An exchange as it is recorded: without the provider's address, which may hold a password. */
function exchangeWith(body: string, reply: WireReply): Parameters<OnExchange>[0] {
  const request = { method: 'POST', origin: 'http://token-provider', path: '/get_pot' } as const
  return {
    route: null,
    request: { ...request, headers: {}, body, bytesMax: ANSWER_BYTES_MAX },
    reply,
  }
}

function replyOf(status: number, text: string): WireReply {
  const raw = Buffer.from(text)
  const usual = { location: null, retryAfterMs: null, lastModified: null, etag: null }
  return {
    kind: 'reply',
    status,
    ...usual,
    content: { raw, encoding: null },
    bytes: raw.length,
  }
}

/** A number of seconds since 1970 is smaller for three thousand years, and one of milliseconds larger since 1973. */
const MILLISECONDS_MIN = 1e11

/** Returns when a token ends, in milliseconds; `expiresAt` is an ISO time, or a number of (milli)seconds since 1970. */
function endOf(expiresAt: unknown, now: Date): number {
  const isText = typeof expiresAt === 'string'
  const count =
    typeof expiresAt === 'number' || (isText && /^\d+$/.test(expiresAt)) ? Number(expiresAt) : NaN
  const atMs = Number.isNaN(count)
    ? Date.parse(isText ? expiresAt : '')
    : count * (count < MILLISECONDS_MIN ? 1000 : 1)
  return Number.isFinite(atMs) ? atMs : now.getTime() + TOKEN_LIFE_MS
}
