/** Faults as a script: rules that match calls and say what happens to them instead. */
import type { Call, CallKind } from './call.ts'
import { hashText, mix } from './random.ts'
import { pageOf } from './wire/tokens.ts'

/** What can happen. The first five touch the transport, the others replace the reply. */
export const ACTIONS = [
  'latency', // `ms` and up to `jitterMs` more
  'drip', // `bytesPerSecond`
  'reset', // the connection breaks before a byte
  'truncated', // a chunked body that stops after `bytes`
  'hang', // no answer at all, until the caller gives up
  'hold', // no answer until other rules are set, or none
  'bot_check',
  'new_bot_check', // the bot check in words that nobody has seen before
  'please_sign_in', // LOGIN_REQUIRED, and no other reason
  'captcha',
  'try_again_later',
  'page_reload',
  'retired', // 400 FAILED_PRECONDITION
  'bad_request', // 400 INVALID_ARGUMENT
  'outdated', // every video unavailable, to be watched on the latest version
  'decoy', // another video's answer
  'hide_captions', // OK, but without captions
  'unknown_status', // a playability status nobody knows
  'too_many', // 429, with `retryAfterS` if given
  'forbidden', // 403
  'sorry_page', // the "automated queries" page with 200 or `status`
  'sorry_redirect', // 302 to google.com/sorry
  'consent', // an HTML consent page
  'html', // some HTML where JSON belongs
  'server_error', // `status`, 503 without
  'not_found', // 404
  'empty', // 200 and nothing: what guarded captions give
  'unknown_alert', // 200 with "An unknown error occurred"
  'missing_keys', // 200 without what belongs there
  'empty_page', // a list page without items
  'repeated_page', // the page before this one again, with this one's token
  'made_up', // 200 with `head`, then `pump` again and again up to `bytes`, then `tail`
  'new_upload', // a video is uploaded first; then all goes its way
] as const

export type ActionKind = (typeof ACTIONS)[number]

type Names = string | readonly string[]

/** Every condition given must hold; a rule without any meets every call of the platform. */
export type FaultRule = {
  do: ActionKind
  name?: string
  on?: CallKind | readonly CallKind[]
  client?: Names
  identity?: Names
  visitor?: Names
  video?: Names
  /** A browse id: `UC…` or `VL…`, also of its continuations. */
  list?: Names
  /** Only calls with a field mask, or only those without one. */
  masked?: boolean
  /** What calls are counted by: per caller address unless told. */
  per?: 'identity' | 'visitor' | 'video' | 'all'
  /** That many matching calls pass first. */
  after?: number
  /** At most that many are hit, per counter. */
  times?: number
  /** Only every n-th. */
  every?: number
  /** Counters start anew when that much time is over, in milliseconds. */
  windowMs?: number
  /** From 0 to 1, drawn from the seed. */
  probability?: number
  /** Once hit, every later matching call of the same counter is hit too. */
  sticky?: boolean
  ms?: number
  jitterMs?: number
  bytesPerSecond?: number
  bytes?: number
  status?: number
  retryAfterS?: number
  /** Of a body that is made up. */
  head?: string
  pump?: string
  tail?: string
  /** The channel that uploads. */
  channel?: string
}

/** What becomes of a call: the delays of all rules that hit, whether one holds it, and the first other one. */
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
  'sticky ms jitterMs bytesPerSecond bytes status retryAfterS head pump tail channel'
).split(' ')

/** Throws with a sentence where a rule is not one. */
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
}

function matches(rule: FaultRule, call: Call): boolean {
  return (
    isOne(rule.on, call.kind) &&
    isOne(rule.client, call.client.name) &&
    isOne(rule.identity, call.identity) &&
    isOne(rule.visitor, call.visitor) &&
    isOne(rule.video, call.videoId) &&
    isOne(rule.list, call.listId) &&
    (rule.masked === undefined || rule.masked === call.query.has('$fields'))
  )
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

/** The list that a browse call is about: its own or its continuation's. */
export function listIdOf(body: Call['body']): string {
  if (typeof body.continuation === 'string') return pageOf(body.continuation)?.browseId ?? ''
  return typeof body.browseId === 'string' ? body.browseId : ''
}

/** A number that depends on the call, for faults that need to choose. */
export function drawFor(call: Call): number {
  return hashText(call.videoId + call.listId)
}
