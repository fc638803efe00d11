/**
 * The rate limiter of one egress route in one process: lets requests out at the pace that all processes share, and in a
 * fair order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { setLatest } from '../../kit/latest.ts'
import { type FairQueue, openFairQueue, type Share, type Work } from '../../kit/fair-queue.ts'
import {
  type Lease,
  type MadeIdentity,
  restAfterBlock,
  type RouteBudget,
  type RouteIdentity,
  type RouteTerms,
  type Suspicion,
} from '../../model/platform/route-budget.ts'

export type Passage = { kind: 'open'; identity: RouteIdentity } | { kind: 'resting'; forMs: number }

export type RateLimiter = {
  /** Returns the session identities to ask with, without using up a permit. */
  look(signal: AbortSignal): Promise<Passage>
  /** Waits for the next permit; returns `resting` as soon as the route is known to rest. */
  pass(share: Share, signal: AbortSignal): Promise<Passage>
  answered(): void
  /** Notes that the words of a caption track came, which counts towards the route's day. */
  captionsCame(): void
  /** Notes that a video's words came: the route is not blocked, whatever was suspected before. */
  delivered(): void
  /** Reports what may be a block, after which the route rests for everybody, for one account, or not at all. */
  blocked(block: Blocked): Promise<void>
  /** Returns the visitor id that a client has in this epoch, as far as this process knows; null where it has none. */
  visitorOf(client: string, epoch: number): string | null
  /** Keeps a client's identity and returns the one that counts; null where the epoch is over. */
  saveIdentity(made: MadeIdentity): Promise<string | null>
  /**
   * Returns for how long the route rests for that account, as far as this process knows, in milliseconds; 0 means open.
   */
  restingMs(share: Share): number
  /**
   * Returns how long until the route may fetch captions again, in milliseconds; 0 means that its day has room, or that
   * this process has to look again.
   */
  spentMs(): number
}

/** Block that a lease met; where `suspicion` is null, whatever was asked for. `leasedAtMs` is when the lease began. */
export type Blocked = {
  epoch: number
  retryAfterMs: number | null
  suspicion: Suspicion | null
  leasedAtMs: number
  /** Whether the platform itself refused. */
  isRefusal?: boolean
}

type Permits = { left: number; nextAtMs: number; intervalMs: number }

/** A permit that is unused this long after its time is lost, so that none can be hoarded. */
const PERMIT_LIFE_MS = 1000
/** The shortest wait, since timers cannot keep shorter ones. */
const SHORTEST_WAIT_MS = 2
/** The time after which the identity is read again, since another process may have reset that of a quiet route. */
const IDENTITY_CHECK_MS = 10_000
/**
 * The time after which a day without room is looked at again: its bound may have grown, and while a machine sleeps its
 * clock stands still.
 */
const ROOM_CHECK_MS = 60_000
/** How many accounts are kept away on their own; beyond that, the one that began first is forgotten. */
const ACCOUNT_RESTS_MAX = 1000

type RateLimiterOptions = {
  budget: RouteBudget
  /** A clock that counts milliseconds and never goes back. */
  clock: () => number
  /** The work to which a request is added that goes out while others wait. */
  work: Work
}

export function openRateLimiter(terms: RouteTerms, options: RateLimiterOptions): RateLimiter {
  const state: LimiterState = {
    ...options,
    terms,
    permits: { left: 0, nextAtMs: 0, intervalMs: 0 },
    identity: null,
    readAtMs: -Infinity,
    restUntilMs: 0,
    roomAtMs: 0,
    accountRests: new Map(),
    answered: 0,
    captions: 0,
    hasDelivered: false,
    taking: null,
    queue: openFairQueue([options.work.ofAccount, options.work.ofJob]),
    isServing: false,
    wake: () => undefined,
  }
  return {
    look: (signal) => look(state, signal),
    pass: (share, signal) => pass(state, share, signal),
    answered: () => {
      state.answered += 1
    },
    captionsCame: () => {
      state.captions += 1
    },
    delivered: () => {
      state.hasDelivered = true
      state.accountRests.clear()
    },
    blocked: (block) => reportBlock(state, block),
    visitorOf: (client, epoch) =>
      state.identity?.epoch === epoch ? (state.identity.visitors[client] ?? null) : null,
    async saveIdentity(made) {
      const kept = await state.budget.saveIdentity(terms.name, made)
      const { client, epoch } = made
      if (kept !== null && state.identity?.epoch === epoch) {
        state.identity = { epoch, visitors: { ...state.identity.visitors, [client]: kept } }
      }
      return kept
    },
    restingMs: (share) => restingMs(state, share),
    spentMs: () => spentMs(state),
  }
}

type LimiterState = RateLimiterOptions & {
  terms: RouteTerms
  permits: Permits
  identity: RouteIdentity | null
  readAtMs: number
  restUntilMs: number
  /** When the route may fetch captions again. */
  roomAtMs: number
  /** Accounts that alone met what looks like a block, and are kept away. */
  accountRests: Map<string, AccountRest>
  answered: number
  captions: number
  hasDelivered: boolean
  taking: Promise<void> | null
  queue: FairQueue
  /** Whether waiting requests are being called as their permits fall due. */
  isServing: boolean
  /** Ends a wait for the next permit early. */
  wake: () => void
}

/** Since when and until when an account is kept away, and how many times in a row. */
type AccountRest = { sinceMs: number; untilMs: number; times: number }

async function reportBlock(state: LimiterState, block: Blocked): Promise<void> {
  const { terms, budget, clock, hasDelivered, captions } = state
  Object.assign(state, { hasDelivered: false, captions: 0 })
  const { leasedAtMs: _, ...met } = block
  const { suspicion } = met
  const rest = await budget.reportBlock(terms, { ...met, hasDelivered, captions })
  if (rest.scope === 'account' && suspicion !== null) restAccount(state, suspicion.accountId, block)
  if (rest.scope !== 'everybody') return
  state.readAtMs = -Infinity
  state.restUntilMs = Math.max(state.restUntilMs, clock() + rest.forMs)
  state.permits.left = 0
  state.wake()
}

/** Keeps an account away, longer each time. What a lease from before the last time met adds nothing. */
function restAccount(
  { accountRests, terms, clock }: LimiterState,
  accountId: string,
  { retryAfterMs, leasedAtMs }: Blocked,
): void {
  const sinceMs = clock()
  const before = accountRests.get(accountId)
  if (before !== undefined && leasedAtMs < before.sinceMs) return
  const times = (before?.times ?? 0) + 1
  const forMs = restAfterBlock(terms, { blocks: times, retryAfterMs, jitter: 0 })
  const value = { sinceMs, untilMs: sinceMs + forMs, times }
  setLatest(accountRests, accountId, { value, max: ACCOUNT_RESTS_MAX })
}

function restingMs(
  { accountRests, restUntilMs, clock }: LimiterState,
  { accountId }: Share,
): number {
  const untilMs = Math.max(restUntilMs, accountRests.get(accountId)?.untilMs ?? 0)
  return Math.max(0, untilMs - clock())
}

function spentMs({ roomAtMs, restUntilMs, readAtMs, clock }: LimiterState): number {
  const nowMs = clock()
  const mayLook = restUntilMs <= nowMs && nowMs - readAtMs > ROOM_CHECK_MS
  return mayLook ? 0 : Math.max(0, roomAtMs - nowMs)
}

/** Reads a lease from the budget: one statement at a time, however many callers wait for it. */
function takePermits(state: LimiterState): Promise<void> {
  if (state.taking !== null) return state.taking
  const { budget, terms, answered, hasDelivered, captions } = state
  Object.assign(state, { answered: 0, hasDelivered: false, captions: 0 })
  state.taking = budget
    .take(terms, { answered, hasDelivered, captions })
    .then((lease) => receive(state, lease))
    .finally(() => {
      state.taking = null
    })
  return state.taking
}

function receive(state: LimiterState, lease: Lease): void {
  const nowMs = state.clock()
  state.identity = lease.identity
  state.readAtMs = nowMs
  if (lease.kind === 'resting') {
    state.restUntilMs = nowMs + lease.forMs
    return
  }
  const { permits: left, startsInMs, intervalMs, roomInMs } = lease
  state.roomAtMs = roomInMs > 0 ? nowMs + roomInMs : 0
  state.permits = { left, nextAtMs: nowMs + startsInMs, intervalMs }
}

async function look(state: LimiterState, signal: AbortSignal): Promise<Passage> {
  signal.throwIfAborted()
  const isStale = state.clock() - state.readAtMs > IDENTITY_CHECK_MS
  if (state.identity === null || isStale) await takePermits(state)
  return passage(state)
}

async function pass(state: LimiterState, share: Share, signal: AbortSignal): Promise<Passage> {
  signal.throwIfAborted()
  const forMs = restingMs(state, share)
  if (forMs > 0) return { kind: 'resting', forMs }
  if (state.queue.length === 0 && msToPermit(state) < SHORTEST_WAIT_MS) {
    usePermit(state)
  } else {
    const called = state.queue.wait(share, signal)
    void serveQueue(state)
    await called.catch((error: unknown) => {
      if (state.queue.length === 0) state.wake()
      throw error
    })
  }
  return passage(state)
}

/** Calls waiting requests one after another when a permit is due, so the order is decided then, not on arrival. */
async function serveQueue(state: LimiterState): Promise<void> {
  const { queue, clock, work } = state
  if (state.isServing) return
  state.isServing = true
  try {
    while (queue.length > 0) {
      const waitMs = msToPermit(state)
      if (state.restUntilMs > clock())
        queue.callNext() // each caller learns that the route rests
      else if (waitMs === Infinity) await takePermits(state)
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
function msToPermit({ permits, clock }: LimiterState): number {
  const nowMs = clock()
  if (permits.nextAtMs < nowMs - PERMIT_LIFE_MS) permits.left = 0
  return permits.left === 0 ? Infinity : permits.nextAtMs - nowMs
}

function usePermit({ permits }: LimiterState): void {
  permits.left -= 1
  permits.nextAtMs += permits.intervalMs
}

async function untilDue(state: LimiterState, waitMs: number): Promise<void> {
  const woken = new AbortController()
  state.wake = () => woken.abort()
  await sleep(waitMs, undefined, { signal: woken.signal }).catch(() => undefined)
  state.wake = () => undefined
}

function passage({ restUntilMs, identity, clock }: LimiterState): Passage {
  const nowMs = clock()
  if (restUntilMs > nowMs) return { kind: 'resting', forMs: restUntilMs - nowMs }
  return { kind: 'open', identity: identity ?? { epoch: 0, visitors: {} } }
}
