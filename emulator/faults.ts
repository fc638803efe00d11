/** Faults as a script: rules that match calls, and what happens to those calls. */
import type { Call, CallKind } from './call.ts'
import { hashText, mix } from './random.ts'
import { minterOf } from './wire/context.ts'
import { pageOf } from './wire/tokens.ts'
import { type Cause, CAUSES } from './wire/verdicts.ts'

/** The faults. The first six concern the transport; the others change the reply, or what it is about. */
export const ACTIONS = [
  'latency', // `ms` and up to `jitterMs` more
  'drip', // `bytesPerSecond`
  'reset', // the connection breaks before a byte
  'truncated', // a chunked body that stops after `bytes`
  'hang', // no answer until the caller gives up
  'hold', // no answer until the rules are changed or cleared
  'bot_check',
  'new_bot_check', // the bot check in words that were never seen before
  'please_sign_in', // LOGIN_REQUIRED, and no other reason
  'captcha',
  'try_again_later',
  'page_reload',
  'retired', // 400 FAILED_PRECONDITION
  'bad_request', // 400 INVALID_ARGUMENT
  'outdated', // every video unavailable, to be watched on the latest version
  'unavailable', // every video unavailable, and no cause named
  'cause', // every video refused for `cause`
  'visitor', // the bot check for a session identity that another client was given
  'token', // captions and players want a token of proof for the video
  'decoy', // another video's answer
  'hide_captions', // OK, but without captions
  'unknown_status', // an unknown playability status
  'too_many', // 429, with `retryAfterS` if given
  'forbidden', // 403
  'sorry_page', // the "automated queries" page with 200 or `status`
  'sorry_redirect', // 302 to google.com/sorry
  'consent', // an HTML consent page
  'html', // some HTML where JSON belongs
  'server_error', // `status`, 503 by default
  'not_found', // 404
  'empty', // 200 and an empty body, as for guarded captions
  'unknown_alert', // 200 with "An unknown error occurred"
  'missing_keys', // 200 without the usual keys
  'empty_page', // a list page without items
  'repeated_page', // the previous page again, with this one's token
  'made_up', // 200 with `head`, then `pump` repeated up to `bytes` (`%n` is its number), then `tail`
  'new_upload', // a video is uploaded first, then the call is answered as usual
] as const

export type ActionKind = (typeof ACTIONS)[number]

type Names = string | readonly string[]

/** A rule hits where all of its conditions hold; without conditions it hits every call to the platform. */
export type FaultRule = {
  do: ActionKind
  name?: string
  on?: CallKind | readonly CallKind[]
  client?: Names
  identity?: Names
  visitor?: Names
  video?: Names
  /** A browse id (`UC…` or `VL…`), which also matches its continuations. */
  list?: Names
  /** Whether only calls with a field mask match, or only those without one. */
  masked?: boolean
  /** The key by which calls are counted; the caller's address by default. */
  per?: 'identity' | 'visitor' | 'video' | 'all'
  /** How many matching calls pass first. */
  after?: number
  /** The most calls that are hit, per counter. */
  times?: number
  /** Hits only every n-th matching call. */
  every?: number
  /** The time after which counters start anew, in milliseconds. */
  windowMs?: number
  /** The probability of a hit, from 0 to 1, drawn from the seed. */
  probability?: number
  /** Whether every later matching call of a counter is hit once one was. */
  sticky?: boolean
  ms?: number
  jitterMs?: number
  bytesPerSecond?: number
  bytes?: number
  status?: number
  retryAfterS?: number
  /** The beginning of a made-up body; `pump` is repeated after it, `tail` ends it. */
  head?: string
  pump?: string
  tail?: string
  /** The channel that uploads. */
  channel?: string
  /** The definite cause that is named, by default that the video is blocked in the caller's country. */
  cause?: Cause
}

/**
 * The fate of a call: the delays of all rules that hit, whether one holds it, and the first rule of each other kind.
 */
export type Fate = {
  latencyMs: number
  isHeld: boolean
  rule: FaultRule | null
  transport: FaultRule | null
}

export type Faults = { fateOf(call: Call): Fate; rules: readonly FaultRule[] }

type Count = { since: number; seen: number; hits: number; isStuck: boolean }

const TRANSPORT: readonly ActionKind[] = ['drip', 'reset', 'truncated', 'hang']
const KNOWN_FIELDS = (
  'do name on client identity visitor video list masked per after times every windowMs probability ' +
  'sticky ms jitterMs bytesPerSecond bytes status retryAfterS head pump tail channel cause'
).split(' ')

/** Reads the rules. Throws a sentence where one is invalid. */
export function faultsOf(rules: readonly FaultRule[], seed: number): Faults {
  rules.forEach(check)
  const counts = rules.map(() => new Map<string, Count>())
  let draws = 0

  const hits = (rule: FaultRule, index: number, call: Call): boolean => {
    if (!matches(rule, call)) return false
    const count = countOf(counts[index] ?? new Map(), rule, call)
    if (count.isStuck) return true
    count.seen += 1
    if (count.seen <= (rule.after ?? 0) || count.hits >= (rule.times ?? Infinity)) return false
    if (rule.every !== undefined && count.seen % rule.every !== 0) return false
    if (rule.probability !== undefined) {
      draws += 1
      if (mix(mix(seed, index), draws) / 0x1_0000_0000 >= rule.probability) return false
    }
    count.hits += 1
    count.isStuck = rule.sticky ?? false
    return true
  }

  return {
    rules,
    fateOf: (call) => {
      const fate: Fate = { latencyMs: 0, isHeld: false, rule: null, transport: null }
      rules.forEach((rule, index) => {
        if (!hits(rule, index, call)) return
        if (rule.do === 'latency') {
          draws += 1
          fate.latencyMs +=
            (rule.ms ?? 0) + (mix(seed, draws) / 0x1_0000_0000) * (rule.jitterMs ?? 0)
        } else if (rule.do === 'hold') fate.isHeld = true
        else if (TRANSPORT.includes(rule.do)) fate.transport ??= rule
        else fate.rule ??= rule
      })
      return fate
    },
  }
}

function check(rule: FaultRule): void {
  if (!ACTIONS.includes(rule.do))
    throw new Error(`no such fault: ${rule.do}; there are ${ACTIONS.join(', ')}`)
  const unknown = Object.keys(rule).filter((key) => !KNOWN_FIELDS.includes(key))
  if (unknown.length > 0)
    throw new Error(`a rule knows no ${unknown.join(', ')}; it knows ${KNOWN_FIELDS.join(', ')}`)
  const { cause } = rule
  if (cause !== undefined && !CAUSES.includes(cause))
    throw new Error(`no such cause: ${cause}; there are ${CAUSES.join(', ')}`)
}

function matches(rule: FaultRule, call: Call): boolean {
  return (
    isOne(rule.on, call.kind) &&
    isOne(rule.client, call.client.name) &&
    isOne(rule.identity, call.identity) &&
    isOne(rule.visitor, call.visitor) &&
    isOne(rule.video, call.videoId) &&
    isOne(rule.list, call.listId) &&
    (rule.do !== 'visitor' || hasForeignVisitor(call)) &&
    (rule.masked === undefined || rule.masked === call.query.has('$fields'))
  )
}

/** Whether the call carries a session identity that another client was given; made-up ones count as its own. */
function hasForeignVisitor({ visitor, client }: Call): boolean {
  return ![null, client.name].includes(minterOf(visitor))
}

function isOne(names: Names | undefined, name: string): boolean {
  return (
    names === undefined || names === name || (typeof names !== 'string' && names.includes(name))
  )
}

function countOf(counts: Map<string, Count>, rule: FaultRule, call: Call): Count {
  const key = keyOf(rule, call)
  const found = counts.get(key)
  const isOver =
    found !== undefined && rule.windowMs !== undefined && call.nowMs - found.since > rule.windowMs
  if (found !== undefined && !isOver) return found
  const fresh = { since: call.nowMs, seen: 0, hits: 0, isStuck: false }
  counts.set(key, fresh)
  return fresh
}

function keyOf(rule: FaultRule, call: Call): string {
  switch (rule.per ?? 'identity') {
    case 'identity':
      return call.identity
    case 'visitor':
      return call.visitor
    case 'video':
      return call.videoId
    case 'all':
      return ''
  }
}

/** Returns the list of a browse call: its own or its continuation's. */
export function listIdOf(body: Call['body']): string {
  if (typeof body.continuation === 'string') return pageOf(body.continuation)?.browseId ?? ''
  return typeof body.browseId === 'string' ? body.browseId : ''
}

/** Returns a number that depends on the call, for faults that need to choose. */
export function drawFor(call: Call): number {
  return hashText(call.videoId + call.listId)
}
