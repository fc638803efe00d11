/**
 * The rate limiter of one egress route in one process: lets requests out at the pace that all processes share, and in a
 * fair order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FairQueue, openFairQueue, type Share, type Work } from '../../kit/fair-queue.ts'
import {
  type Lease,
  restAfterBlock,
  type RouteBudget,
  type RouteIdentity,
  type RouteTerms,
  type Suspicion,
} from '../../model/platform/route-budget.ts'

export type Passage = { kind: 'open'; identity: RouteIdentity } | { kind: 'resting'; forMs: number }

export type RateLimiter = {
  /** Returns the session identity to ask with, without using up a permit. */
  look(signal: AbortSignal): Promise<Passage>
  /** Waits for the next permit; returns `resting` as soon as the route is known to rest. */
  pass(share: Share, signal: AbortSignal): Promise<Passage>
  answered(): void
  /** Notes that a video's words came: the route is not blocked, whatever was suspected before. */
  delivered(): void
  /** Reports what may be a block, after which the route rests for everybody, for one account, or not at all. */
  blocked(block: Blocked): Promise<void>
  saveIdentity(identity: { epoch: number; visitorData: string }): Promise<string | null>
  /**
   * Returns for how long the route rests for that account, as far as this process knows, in milliseconds; 0 means open.
   */
  restingMs(share: Share): number
}

/** What a lease met. A null `suspicion` means a block whatever was asked for. `leasedAtMs` is when the lease began. */
export type Blocked = {
  epoch: number
  retryAfterMs: number | null
  suspicion: Suspicion | null
  leasedAtMs: number
}

type Permits = { left: number; nextAtMs: number; intervalMs: number }

/** A permit that is unused this long after its time is lost, so that none can be hoarded. */
const PERMIT_LIFE_MS = 1000
/** The shortest wait, since timers cannot keep shorter ones. */
const SHORTEST_WAIT_MS = 2
/** The time after which the identity is read again, since another process may have reset that of a quiet route. */
const IDENTITY_CHECK_MS = 10_000
/** How many accounts are kept away on their own; beyond that, the one that began first is forgotten. */
const ACCOUNTS_AWAY_MAX = 1000

export type RateLimiterOptions = {
  budget: RouteBudget
  /** A clock that counts milliseconds and never goes back. */
  clock: () => number
  /** The work to which a request is added that goes out while others wait. */
  work: Work
}

export function openRateLimiter(
  terms: RouteTerms,
  { budget, clock, work }: RateLimiterOptions,
): RateLimiter {
  const state: LimiterState = {
    permits: { left: 0, nextAtMs: 0, intervalMs: 0 },
    identity: null,
    readAtMs: -Infinity,
    restUntilMs: 0,
    away: new Map(),
    answered: 0,
    hasDelivered: false,
    taking: null,
    queue: openFairQueue([work.ofAccount, work.ofJob]),
    isServing: false,
    rouse: () => undefined,
  }
  const scope = { state, clock, work, take: () => take(state, terms, { budget, clock }) }
  return {
    look: (signal) => look(scope, signal),
    pass: (share, signal) => pass(scope, share, signal),
    answered: () => {
      state.answered += 1
    },
    delivered: () => {
      state.hasDelivered = true
      state.away.clear()
    },
    async blocked({ leasedAtMs, ...block }) {
      const { hasDelivered } = state
      state.hasDelivered = false
      const rest = await budget.reportBlock(terms, { ...block, hasDelivered })
      if (rest.scope === 'account' && block.suspicion !== null) {
        const { retryAfterMs, suspicion } = block
        const nowMs = clock()
        const met = { accountId: suspicion.accountId, retryAfterMs, leasedAtMs, nowMs }
        keepAway(state.away, terms, met)
      }
      if (rest.scope !== 'everybody') return
      state.readAtMs = -Infinity
      state.restUntilMs = Math.max(state.restUntilMs, clock() + rest.forMs)
      state.permits.left = 0
      state.rouse()
    },
    async saveIdentity(found) {
      const kept = await budget.saveIdentity(terms.name, found)
      if (kept !== null && state.identity?.epoch === found.epoch) {
        state.identity = { epoch: found.epoch, visitorData: kept }
      }
      return kept
    },
    restingMs: (share) => restingMs(state, share, clock()),
  }
}

/** Since when and until when an account is kept away, and how many times in a row. */
type Away = { sinceMs: number; untilMs: number; times: number }

/** Keeps an account away, longer each time. What a lease from before the last time met adds nothing. */
function keepAway(
  away: Map<string, Away>,
  terms: RouteTerms,
  met: { accountId: string; retryAfterMs: number | null; leasedAtMs: number; nowMs: number },
): void {
  const { accountId, retryAfterMs, leasedAtMs, nowMs } = met
  const before = away.get(accountId)
  if (before !== undefined && leasedAtMs < before.sinceMs) return
  const times = (before?.times ?? 0) + 1
  const forMs = restAfterBlock(terms, { blocks: times, retryAfterMs, jitter: 0 })
  away.delete(accountId) // moves it to the end of the map's order
  away.set(accountId, { sinceMs: nowMs, untilMs: nowMs + forMs, times })
  const [oldest] = away.keys()
  if (away.size > ACCOUNTS_AWAY_MAX && oldest !== undefined) away.delete(oldest)
}

function restingMs(state: LimiterState, { accountId }: Share, nowMs: number): number {
  const ownUntilMs = state.away.get(accountId)?.untilMs ?? 0
  return Math.max(0, state.restUntilMs - nowMs, ownUntilMs - nowMs)
}

type LimiterState = {
  permits: Permits
  identity: RouteIdentity | null
  readAtMs: number
  restUntilMs: number
  /** Accounts that alone met what looks like a block, and are kept away. */
  away: Map<string, Away>
  answered: number
  hasDelivered: boolean
  taking: Promise<void> | null
  queue: FairQueue
  /** Whether waiting requests are being called as their permits fall due. */
  isServing: boolean
  /** Ends a wait for the next permit early. */
  rouse: () => void
}
type Parts = { state: LimiterState; clock: () => number; work: Work; take: () => Promise<void> }

/** Reads a lease from the budget: one statement at a time, however many callers wait for it. */
function take(
  state: LimiterState,
  terms: RouteTerms,
  { budget, clock }: { budget: RouteBudget; clock: () => number },
): Promise<void> {
  if (state.taking !== null) return state.taking
  const { answered, hasDelivered } = state
  Object.assign(state, { answered: 0, hasDelivered: false })
  const taking = budget
    .take(terms, { answered, hasDelivered })
    .then((lease) => receive(state, lease, clock()))
  state.taking = taking.finally(() => {
    state.taking = null
  })
  return state.taking
}

function receive(state: LimiterState, lease: Lease, nowMs: number): void {
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

async function pass(parts: Parts, share: Share, signal: AbortSignal): Promise<Passage> {
  const { state, clock } = parts
  signal.throwIfAborted()
  const forMs = restingMs(state, share, clock())
  if (forMs > 0) return { kind: 'resting', forMs }
  if (state.queue.length === 0 && msToPermit(state, clock()) < SHORTEST_WAIT_MS) {
    usePermit(state)
  } else {
    const called = state.queue.wait(share, signal)
    void serveQueue(parts)
    await called.catch((error: unknown) => {
      if (state.queue.length === 0) state.rouse()
      throw error
    })
  }
  return passage(state, clock())
}

/** Calls waiting requests one after another when a permit is due, so the order is decided then, not on arrival. */
async function serveQueue({ state, clock, work, take: read }: Parts): Promise<void> {
  const { queue } = state
  if (state.isServing) return
  state.isServing = true
  try {
    while (queue.length > 0) {
      const nowMs = clock()
      const waitMs = msToPermit(state, nowMs)
      if (state.restUntilMs > nowMs)
        queue.callNext() // each caller learns that the route rests
      else if (waitMs === Infinity) await read()
      else if (waitMs >= SHORTEST_WAIT_MS) await untilDue(state, waitMs)
      else {
        usePermit(state)
        const share = queue.callNext()
        if (share !== null && queue.isContested(share)) work.add(share, 1)
      }
    }
  } catch (error) {
    queue.fail(error) // the budget cannot be read
  } finally {
    state.isServing = false
  }
}

/** Returns how long until a leased permit is due; Infinity where none is left. */
function msToPermit({ permits }: LimiterState, nowMs: number): number {
  if (permits.nextAtMs < nowMs - PERMIT_LIFE_MS) permits.left = 0
  return permits.left === 0 ? Infinity : permits.nextAtMs - nowMs
}

function usePermit({ permits }: LimiterState): void {
  permits.left -= 1
  permits.nextAtMs += permits.intervalMs
}

async function untilDue(state: LimiterState, waitMs: number): Promise<void> {
  const roused = new AbortController()
  state.rouse = () => roused.abort()
  await sleep(waitMs, undefined, { signal: roused.signal }).catch(() => undefined)
  state.rouse = () => undefined
}

function passage({ restUntilMs, identity }: LimiterState, nowMs: number): Passage {
  if (restUntilMs > nowMs) return { kind: 'resting', forMs: restUntilMs - nowMs }
  return { kind: 'open', identity: identity ?? { epoch: 0, visitorData: null } }
}
