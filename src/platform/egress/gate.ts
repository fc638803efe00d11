/** The gate of one egress route in one process: lets requests out at the pace that all share. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, RouteBudget, RouteIdentity, RouteTerms } from './route-budget.ts'

export type Passage =
  | { kind: 'open'; identity: RouteIdentity }
  | { kind: 'resting'; forMs: number }

export type Gate = {
  /** The guest as which to ask, without using up a permit. */
  look(signal: AbortSignal): Promise<Passage>
  /** Waits for the next permit; `resting` as soon as the route is known to rest. */
  pass(signal: AbortSignal): Promise<Passage>
  answered(): void
  blocked(block: { epoch: number; retryAfterMs: number | null }): Promise<void>
  saveIdentity(identity: { epoch: number; visitorData: string }): Promise<string | null>
  /** As far as this process knows, in milliseconds; 0 is open. */
  restingMs(): number
}

type Permits = { left: number; nextAtMs: number; intervalMs: number }

/** A permit that was not used this long after its time is lost, so that none can be hoarded. */
const PERMIT_LIFE_MS = 1000
/** Timers cannot keep shorter waits. */
const SHORTEST_WAIT_MS = 2
/** Another process may have reset the guest of a quiet route; look again after this long. */
const IDENTITY_CHECK_MS = 10_000

/** `clock` counts milliseconds and never goes back. */
export function openGate(terms: RouteTerms, budget: RouteBudget, clock: () => number): Gate {
  const state: GateState = {
    permits: { left: 0, nextAtMs: 0, intervalMs: 0 },
    identity: null,
    readAtMs: -Infinity,
    restUntilMs: 0,
    answered: 0,
    taking: null,
  }
  const parts = { state, clock, take: () => take(state, terms, { budget, clock }) }
  return {
    look: (signal) => look(parts, signal),
    pass: (signal) => pass(parts, signal),
    answered: () => {
      state.answered += 1
    },
    async blocked(block) {
      const forMs = await budget.reportBlock(terms, block)
      state.restUntilMs = Math.max(state.restUntilMs, clock() + forMs)
      state.permits.left = 0
      state.readAtMs = -Infinity
    },
    async saveIdentity(found) {
      const kept = await budget.saveIdentity(terms.name, found)
      if (kept !== null && state.identity?.epoch === found.epoch) {
        state.identity = { epoch: found.epoch, visitorData: kept }
      }
      return kept
    },
    restingMs: () => Math.max(0, state.restUntilMs - clock()),
  }
}

type GateState = {
  permits: Permits
  identity: RouteIdentity | null
  readAtMs: number
  restUntilMs: number
  answered: number
  taking: Promise<void> | null
}
type Parts = { state: GateState; clock: () => number; take: () => Promise<void> }

/** One statement at a time, however many wait for it. */
function take(
  state: GateState,
  terms: RouteTerms,
  { budget, clock }: { budget: RouteBudget; clock: () => number },
): Promise<void> {
  if (state.taking !== null) return state.taking
  const { answered } = state
  state.answered = 0
  const taking = budget.take(terms, { answered }).then((lease) => receive(state, lease, clock()))
  state.taking = taking.finally(() => {
    state.taking = null
  })
  return state.taking
}

function receive(state: GateState, lease: Lease, nowMs: number): void {
  state.identity = lease.identity
  state.readAtMs = nowMs
  if (lease.kind === 'resting') {
    state.restUntilMs = nowMs + lease.forMs
    return
  }
  const { permits: left, startsInMs, intervalMs } = lease
  state.permits = { left, nextAtMs: nowMs + startsInMs, intervalMs }
}

async function look({ state, clock, take: read }: Parts, signal: AbortSignal): Promise<Passage> {
  signal.throwIfAborted()
  const isStale = clock() - state.readAtMs > IDENTITY_CHECK_MS
  if (state.identity === null || isStale) await read()
  return passage(state, clock())
}

async function pass({ state, clock, take: read }: Parts, signal: AbortSignal): Promise<Passage> {
  for (;;) {
    signal.throwIfAborted()
    const nowMs = clock()
    if (state.restUntilMs > nowMs) return passage(state, nowMs)
    const { permits } = state
    if (permits.nextAtMs < nowMs - PERMIT_LIFE_MS) permits.left = 0
    if (permits.left === 0) {
      await read()
      continue
    }
    const waitMs = permits.nextAtMs - nowMs
    permits.left -= 1
    permits.nextAtMs += permits.intervalMs
    if (waitMs >= SHORTEST_WAIT_MS) await sleep(waitMs, undefined, { signal })
    return passage(state, clock())
  }
}

function passage({ restUntilMs, identity }: GateState, nowMs: number): Passage {
  if (restUntilMs > nowMs) return { kind: 'resting', forMs: restUntilMs - nowMs }
  return { kind: 'open', identity: identity ?? { epoch: 0, visitorData: null } }
}
