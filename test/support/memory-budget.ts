/** A route budget inside one process: what the database keeps, as a model for tests and measurements. */
import {
  type BlockReport,
  CAPTIONS_GROWTH,
  captionsAfterBlock,
  EVIDENCE_LIFE_MS,
  IDENTITY_LIFE_MS,
  type Lease,
  loweredRate,
  permitsPerLease,
  raisedRate,
  type Rest,
  restAfterBlock,
  restScope,
  type RouteBudget,
  type RouteTerms,
  type Suspicion,
  type Visitors,
} from '../../src/model/platform/route-budget.ts'

type RouteState = {
  rate: number
  freeAtMs: number
  restUntilMs: number
  blocks: number
  streak: number
  epoch: number
  visitors: Map<string, { visitorData: string; mintedAtMs: number }>
  suspected: (Suspicion & { seenAtMs: number })[]
  /** Captions that came, by the beginning of the hour. */
  captions: Map<number, number>
  /** Captions a day that the route's blocks told; null before the first. */
  perDay: number | null
}

const HOUR_MS = 3_600_000

/** Terms of a route for tests of budgets: it adapts by halves, and a few answers heal it. */
export const BUDGET_TERMS: RouteTerms = {
  name: 'r',
  ratePerMinute: { start: 1200, floor: 600, ceiling: 2400 },
  restMs: { first: 60_000, longest: 240_000 },
  blocksForgiven: 0,
  healedAfter: 5,
}

/** `clock` counts milliseconds and never goes back. */
export function memoryBudget(clock: () => number, random: () => number = Math.random): RouteBudget {
  const states = new Map<string, RouteState>()
  const stateOf = (terms: RouteTerms): RouteState => {
    const known = states.get(terms.name)
    if (known !== undefined) return known
    const fresh = newState(terms, clock())
    states.set(terms.name, fresh)
    return fresh
  }
  return {
    async take(terms, { answered, hasDelivered, captions = 0 }) {
      const state = stateOf(terms)
      if (hasDelivered) state.suspected = []
      countCaptions(state, captions, clock())
      return takePermits(terms, state, { answered, captions, nowMs: clock() })
    },
    reportBlock: async (terms, block) =>
      report(terms, stateOf(terms), block, { nowMs: clock(), jitter: random() }),
    async saveIdentity(name, { epoch, client, visitorData }) {
      const state = states.get(name)
      if (state === undefined || state.epoch !== epoch) return null
      const kept = visitorsAt(state, clock())[client]
      if (kept !== undefined) return kept
      state.visitors.set(client, { visitorData, mintedAtMs: clock() })
      return visitorData
    },
  }
}

function report(
  terms: RouteTerms,
  state: RouteState,
  { epoch, retryAfterMs, suspicion, hasDelivered, captions = 0, isRefusal = false }: BlockReport,
  { nowMs, jitter }: { nowMs: number; jitter: number },
): Rest {
  countCaptions(state, captions, nowMs)
  if (hasDelivered) state.suspected = []
  if (state.epoch !== epoch)
    return { scope: 'everybody', forMs: Math.max(0, state.restUntilMs - nowMs) }
  if (suspicion !== null) suspect(state, suspicion, nowMs)
  const scope = suspicion === null ? 'everybody' : restScope(state.suspected, suspicion.accountId)
  if (scope !== 'everybody') return { scope, forMs: 0 }

  if (isRefusal && terms.learnsCaptions === true) {
    const came = hoursInDay(state, nowMs).reduce((sum, [, count]) => sum + count, 0)
    state.perDay = captionsAfterBlock(state.perDay, came)
  }
  state.blocks += 1
  const forMs = restAfterBlock(terms, { blocks: state.blocks, retryAfterMs, jitter })
  Object.assign(state, { epoch: epoch + 1, visitors: new Map(), streak: 0, suspected: [] })
  Object.assign(state, { restUntilMs: nowMs + forMs, rate: loweredRate(terms, state.rate) })
  return { scope, forMs }
}

function countCaptions({ captions }: RouteState, count: number, nowMs: number): void {
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  captions.set(hour, (captions.get(hour) ?? 0) + count)
}

/** Returns the hours that count, newest first. */
function hoursInDay({ captions }: RouteState, nowMs: number): [number, number][] {
  const inDay = [...captions].filter(([hour]) => hour > nowMs - 24 * HOUR_MS)
  return inDay.toSorted(([one], [other]) => other - one)
}

function roomInMs(terms: RouteTerms, state: RouteState, nowMs: number): number {
  const bound = terms.captionsPerDay ?? Math.floor(state.perDay ?? Infinity)
  let came = 0
  for (const [hour, count] of hoursInDay(state, nowMs)) {
    came += count
    if (came >= bound) return hour + 24 * HOUR_MS - nowMs
  }
  return 0
}

function isSame(a: Suspicion, b: Suspicion): boolean {
  return a.subject === b.subject && a.accountId === b.accountId
}

/**
 * Adds a suspicion, in place of an earlier one of the same video and account. It stays contradicted once either was.
 */
function suspect(state: RouteState, suspicion: Suspicion, nowMs: number): void {
  const before = state.suspected.find((each) => isSame(each, suspicion))
  const isContradicted = suspicion.isContradicted || before?.isContradicted === true
  const others = state.suspected.filter(
    (each) => !isSame(each, suspicion) && each.seenAtMs > nowMs - EVIDENCE_LIFE_MS,
  )
  state.suspected = [...others, { ...suspicion, isContradicted, seenAtMs: nowMs }]
}

function takePermits(
  terms: RouteTerms,
  state: RouteState,
  { answered, captions, nowMs }: { answered: number; captions: number; nowMs: number },
): Lease {
  const identity = { epoch: state.epoch, visitors: visitorsAt(state, nowMs) }
  if (state.restUntilMs > nowMs)
    return { kind: 'resting', forMs: state.restUntilMs - nowMs, identity }

  state.streak += answered
  if (state.streak >= terms.healedAfter) state.blocks = 0
  state.rate = raisedRate(terms, state.rate, answered)
  if (state.perDay !== null) state.perDay += captions * CAPTIONS_GROWTH
  const permits = permitsPerLease(state.rate)
  const intervalMs = 60_000 / state.rate
  const startsAtMs = Math.max(state.freeAtMs, nowMs)
  state.freeAtMs = startsAtMs + permits * intervalMs
  return {
    kind: 'leased',
    permits,
    startsInMs: startsAtMs - nowMs,
    intervalMs,
    roomInMs: roomInMs(terms, state, nowMs),
    identity,
  }
}

function visitorsAt({ visitors }: RouteState, nowMs: number): Visitors {
  const inForce = [...visitors].filter(
    ([, { mintedAtMs }]) => nowMs - mintedAtMs < IDENTITY_LIFE_MS,
  )
  return Object.fromEntries(inForce.map(([client, { visitorData }]) => [client, visitorData]))
}

function newState({ ratePerMinute }: RouteTerms, nowMs: number): RouteState {
  return {
    rate: ratePerMinute.start,
    freeAtMs: nowMs,
    restUntilMs: 0,
    blocks: 0,
    streak: 0,
    epoch: 1,
    visitors: new Map(),
    suspected: [],
    captions: new Map(),
    perDay: null,
  }
}
