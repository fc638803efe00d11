/** A route budget inside one process: for the doctor and for measurements, which share nothing. */
import {
  IDENTITY_LIFE_MS,
  type Lease,
  loweredRate,
  permitsPerLease,
  raisedRate,
  restAfterBlock,
  type RouteBudget,
  type RouteTerms,
} from './route-budget.ts'

type RouteState = {
  rate: number
  freeAtMs: number
  restUntilMs: number
  blocks: number
  streak: number
  epoch: number
  visitorData: string | null
  mintedAtMs: number
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
    take: async (terms, { answered }) =>
      takePermits(terms, stateOf(terms), { answered, nowMs: clock() }),
    async reportBlock(terms, { epoch, retryAfterMs }) {
      const state = stateOf(terms)
      if (state.epoch !== epoch) return Math.max(0, state.restUntilMs - clock())
      state.blocks += 1
      const forMs = restAfterBlock(terms, { blocks: state.blocks, retryAfterMs, jitter: random() })
      Object.assign(state, { epoch: epoch + 1, visitorData: null, streak: 0 })
      state.rate = loweredRate(terms, state.rate)
      state.restUntilMs = clock() + forMs
      return forMs
    },
    async saveIdentity(name, { epoch, visitorData }) {
      const state = states.get(name)
      if (state === undefined || state.epoch !== epoch) return null
      if (state.visitorData === null) state.mintedAtMs = clock()
      state.visitorData ??= visitorData
      return state.visitorData
    },
  }
}

function takePermits(
  terms: RouteTerms,
  state: RouteState,
  { answered, nowMs }: { answered: number; nowMs: number },
): Lease {
  if (nowMs - state.mintedAtMs > IDENTITY_LIFE_MS) state.visitorData = null
  const identity = { epoch: state.epoch, visitorData: state.visitorData }
  if (state.restUntilMs > nowMs)
    return { kind: 'resting', forMs: state.restUntilMs - nowMs, identity }

  state.streak += answered
  if (state.streak >= terms.healedAfter) state.blocks = 0
  state.rate = raisedRate(terms, state.rate, answered)
  const permits = permitsPerLease(state.rate)
  const intervalMs = 60_000 / state.rate
  const startsAtMs = Math.max(state.freeAtMs, nowMs)
  state.freeAtMs = startsAtMs + permits * intervalMs
  return { kind: 'leased', permits, startsInMs: startsAtMs - nowMs, intervalMs, identity }
}

function newState({ ratePerMinute }: RouteTerms, nowMs: number): RouteState {
  return {
    rate: ratePerMinute.start,
    freeAtMs: nowMs,
    restUntilMs: 0,
    blocks: 0,
    streak: 0,
    epoch: 1,
    visitorData: null,
    mintedAtMs: nowMs,
  }
}
