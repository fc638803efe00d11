/**
 * The route pool: every egress route as this process uses it, with its rate limiter, its connections and the number of
 * questions on it. A *lease* is one question's stay on one route, with one session identity for each client.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Share, Work } from '../../kit/fair-queue.ts'
import { type FairSemaphore, fairSemaphore } from '../../kit/fair-semaphore.ts'
import { openConnections } from './connections.ts'
import { openRateLimiter, type RateLimiter } from './rate-limiter.ts'
import type { RouteBudget, RouteIdentity } from '../../model/platform/route-budget.ts'
import type { EgressRoute } from './route.ts'

export type RouteLease = {
  route: EgressRoute
  limiter: RateLimiter
  epoch: number
  dispatcher: Dispatcher
  /**
   * Visitor ids by the client's name that precede the route's own: those made on the lease, and the newest ones of a
   * list.
   */
  visitors: Map<string, string>
  /** Whether connections and identity belong to this lease alone. */
  isPrivate: boolean
  /** When the lease began, in milliseconds of the pool's clock. */
  leasedAtMs: number
  release(): void
}

export type Leasing =
  | { kind: 'leased'; lease: RouteLease }
  /**
   * No route is free for that many milliseconds; Infinity where all are to be avoided. `isSpent` says that the first
   * one has fetched as many captions as it may in a day.
   */
  | { kind: 'resting'; forMs: number; isSpent?: true }

export type RoutePool = {
  /** How many routes there are. */
  readonly count: number
  /**
   * Leases a slot on the route with the most room, except those in `avoid` (`name:epoch`). Where all rest it waits at
   * most `patienceMs`, and not at all where none can be free by then.
   */
  lease(request: LeaseRequest, signal: AbortSignal): Promise<Leasing>
  /** Leases a slot on one named route, for the doctor. */
  leaseOn(name: string, share: Share, signal: AbortSignal): Promise<Leasing>
  /** Waits, by the pool's clock. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * `share` is the account and job to serve: questions that wait for one route get on it in a fair order. `isStranger`
 * asks as another visitor than the route's, over other connections. `isForCaptions` passes over routes whose day has no
 * room for captions.
 */
export type LeaseRequest = {
  share: Share
  isForCaptions?: boolean
  avoid: ReadonlySet<string>
  patienceMs: number
  isStranger: boolean
}

type RoutePoolOptions = {
  budget: RouteBudget
  /** A clock that counts milliseconds and never goes back. */
  clock: () => number
  connectMs: number
  /** The work of each account and job so far, over all routes. */
  work: Work
  /** Replaces the wait in tests; a rest is waited for by the same clock. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

type PooledRoute = {
  route: EgressRoute
  limiter: RateLimiter
  slots: FairSemaphore
  connections: { epoch: number; dispatcher: Dispatcher } | null
  connectMs: number
  clock: () => number
}

export function openRoutePool(
  configured: readonly EgressRoute[],
  { budget, clock, connectMs, work, wait = sleepFor }: RoutePoolOptions,
): RoutePool {
  const routes = configured.map((route): PooledRoute => {
    const limiter = openRateLimiter(route, { budget, clock, work })
    const slots = fairSemaphore(route.concurrency, work)
    return { route, limiter, slots, connections: null, connectMs, clock }
  })
  return {
    count: routes.length,
    async lease(request, signal) {
      const untilMs = clock() + request.patienceMs
      for (;;) {
        const leasing = await leaseAny(routes, request, signal)
        if (leasing.kind === 'leased' || clock() + leasing.forMs > untilMs) return leasing
        await wait(Math.ceil(leasing.forMs), signal)
      }
    },
    async leaseOn(name, share, signal) {
      const named = routes.find((each) => each.route.name === name)
      if (named === undefined) throw new Error(`no egress route is named ${name}`)
      const usual = { avoid: new Set<string>(), patienceMs: 0, isStranger: false }
      return tryLease(named, { ...usual, share }, signal)
    },
    pause: wait,
    async close() {
      await Promise.all(routes.map(({ connections }) => connections?.dispatcher.destroy()))
    },
  }
}

/** Leases the first route that has room, or returns the shortest rest of all. */
async function leaseAny(
  routes: readonly PooledRoute[],
  request: LeaseRequest,
  signal: AbortSignal,
): Promise<Leasing> {
  let first = restingFor(Infinity)
  for (const route of byRoom(routes, request)) {
    const spareMs = request.share.isSpare === true ? waitOfSpare(routes, request.share) : 0
    if (spareMs > 0) return restingFor(spareMs)
    const leasing = await tryLease(route, request, signal)
    if (leasing.kind === 'leased') return leasing
    if (leasing.forMs < first.forMs) first = leasing
  }
  return first
}

type Resting = Leasing & { kind: 'resting' }

function restingFor(forMs: number): Resting {
  return { kind: 'resting', forMs }
}

/**
 * Returns how long spare work has to wait. Where half of the routes rest, the others are left to paying work until the
 * first one is back.
 */
function waitOfSpare(routes: readonly PooledRoute[], share: Share): number {
  const rests = routes.map(({ limiter }) => limiter.restingMs(share)).filter((ms) => ms > 0)
  return rests.length * 2 >= routes.length ? Math.min(...rests) : 0
}

async function tryLease(
  pooled: PooledRoute,
  request: LeaseRequest,
  signal: AbortSignal,
): Promise<Leasing> {
  signal.throwIfAborted()
  const { share, avoid, isStranger } = request
  const { limiter, slots, route } = pooled
  const known = restOf(pooled, request)
  if (known !== null) return known
  using held = new DisposableStack()
  held.defer(await slots.acquire(share, signal))
  const passage = await limiter.look(signal)
  if (passage.kind === 'resting') return restingFor(passage.forMs)
  const found = restOf(pooled, request)
  if (found?.isSpent === true) return found
  const { identity } = passage
  if (avoid.has(`${route.name}:${identity.epoch}`)) return restingFor(Infinity)
  return { kind: 'leased', lease: leaseOf(pooled, { identity, isStranger }, held) }
}

/**
 * Returns how long the request would have to wait for the route, as far as this process knows; null where not at all.
 */
function restOf(
  { limiter }: PooledRoute,
  { share, isForCaptions = false }: LeaseRequest,
): Resting | null {
  const [restingMs, spentMs] = [limiter.restingMs(share), isForCaptions ? limiter.spentMs() : 0]
  if (restingMs === 0 && spentMs === 0) return null
  if (spentMs <= restingMs) return restingFor(restingMs)
  return { ...restingFor(spentMs), isSpent: true }
}

/** Makes a lease; what is `held` for it is then given back with it. */
function leaseOf(
  pooled: PooledRoute,
  { identity, isStranger }: { identity: RouteIdentity; isStranger: boolean },
  held: DisposableStack,
): RouteLease {
  const { route, limiter, connectMs } = pooled
  const isPrivate = route.isRotating || isStranger
  const dispatcher = isPrivate
    ? held.adopt(openConnections(route, { connectMs }), (own) => void closeQuietly(own))
    : connectionsOf(pooled, identity.epoch)
  const leaving = held.move()
  return {
    route,
    limiter,
    epoch: identity.epoch,
    dispatcher,
    visitors: new Map(),
    isPrivate,
    leasedAtMs: pooled.clock(),
    release: () => leaving.dispose(),
  }
}

/** Returns the connections of an epoch. A new epoch closes the old ones and so leaves the blocked exit. */
function connectionsOf(pooled: PooledRoute, epoch: number): Dispatcher {
  const { route, connections: old, connectMs } = pooled
  if (old?.epoch === epoch) return old.dispatcher
  if (old !== null) void closeQuietly(old.dispatcher)
  const dispatcher = openConnections(route, { connectMs })
  pooled.connections = { epoch, dispatcher }
  return dispatcher
}

/** Returns the routes in order: open ones first, then by their share of free slots. */
function byRoom(routes: readonly PooledRoute[], request: LeaseRequest): PooledRoute[] {
  const rests = (route: PooledRoute): number => (restOf(route, request) === null ? 0 : 1)
  const load = ({ route, slots }: PooledRoute): number =>
    (slots.held + slots.waiting) / route.concurrency
  return routes.toSorted((a, b) => rests(a) - rests(b) || load(a) - load(b))
}

async function closeQuietly(dispatcher: Dispatcher): Promise<void> {
  await dispatcher.close().catch(() => dispatcher.destroy())
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal })
}
