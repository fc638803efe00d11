/**
 * The route budget: what the processes share about each egress route: how fast it may be used, how
 * long it rests, and as which visitor the platform knows it. `store/egress-routes.ts` keeps it in rows.
 */

import type { RestScope, Suspicion } from './evidence.ts'

/** What a budget needs to know of a route; `name` is its row. */
export type RouteTerms = {
  name: string
  /** Requests a minute: the start of a new route, and the bounds between which it adapts. */
  ratePerMinute: { start: number; floor: number; ceiling: number }
  /** The first rest after a block; each further block doubles it, up to the longest. */
  restMs: { first: number; longest: number }
  /** Number of blocks in a row that bring no rest: on a rotating proxy each one shows another exit. */
  blocksForgiven: number
  /** Number of answers in a row after which earlier blocks are forgotten. */
  healedAfter: number
}

/**
 * The session identity by which the platform knows a route. `epoch` counts the route's blocks: each begins a new
 * identity.
 */
export type RouteIdentity = { epoch: number; visitorData: string | null }

export type Lease =
  /** Leases `permits` requests: the first begins in `startsInMs`, the others `intervalMs` apart. */
  | {
      kind: 'leased'
      permits: number
      startsInMs: number
      intervalMs: number
      identity: RouteIdentity
    }
  | { kind: 'resting'; forMs: number; identity: RouteIdentity }

/** An answer that speaks for a block of the route in this epoch. */
export type BlockReport = {
  epoch: number
  retryAfterMs: number | null
  /** The suspicion; null where the answer is a block whatever was asked for. */
  suspicion: Suspicion | null
  /** True where something was delivered on the route since the last call. */
  hasDelivered: boolean
}

/** For whom the route rests after a report; `forMs` is how long it rests for everybody, else 0. */
export type Rest = { scope: RestScope; forMs: number }

export type RouteBudget = {
  /**
   * Takes up to half a second's permits at once, never more than the rate allows over all processes, and reports what
   * came since the last call: the rate grows by each answered request, and a delivery makes suspicions void.
   */
  take(terms: RouteTerms, told: { answered: number; hasDelivered: boolean }): Promise<Lease>
  /**
   * Reports an answer that the route met in this epoch. If the route is to rest for everybody, its rate halves, it
   * rests and the next epoch begins. Reports of an epoch that is over change nothing.
   */
  reportBlock(terms: RouteTerms, block: BlockReport): Promise<Rest>
  /** Keeps the identity for this epoch. The first one wins and is returned; null where the epoch is over. */
  saveIdentity(
    name: string,
    identity: { epoch: number; visitorData: string },
  ): Promise<string | null>
}

/** How long a session identity is used; measured reports of 2026-10 used an hour. */
export const IDENTITY_LIFE_MS = 3_600_000
/** Time that one lease covers, so that a process that ends wastes little. */
export const LEASE_MS = 500
export const PERMITS_MAX = 500
/** Number of answered requests in which a route climbs from nothing to its ceiling. */
export const ANSWERS_TO_CEILING = 1000

export function permitsPerLease(ratePerMinute: number): number {
  const permits = Math.floor((ratePerMinute / 60_000) * LEASE_MS)
  return Math.min(PERMITS_MAX, Math.max(1, permits))
}

/** Returns the rate after answered requests (additive increase): each earns the same small step. */
export function raisedRate({ ratePerMinute }: RouteTerms, rate: number, answered: number): number {
  const step = (ratePerMinute.ceiling * answered) / ANSWERS_TO_CEILING
  return Math.min(ratePerMinute.ceiling, rate + step)
}

/** Returns the rate after a block (multiplicative decrease). */
export function loweredRate({ ratePerMinute }: RouteTerms, rate: number): number {
  return Math.max(ratePerMinute.floor, rate / 2)
}

/**
 * Returns how long a route rests after its `blocks`-th block in a row, in milliseconds. What the platform itself asked
 * for (`Retry-After`) is never undercut. `jitter` is from 0 to 1: over several routes and processes the returns spread
 * over half a rest.
 */
export function restAfterBlock(
  { restMs, blocksForgiven }: RouteTerms,
  { blocks, retryAfterMs, jitter }: { blocks: number; retryAfterMs: number | null; jitter: number },
): number {
  const counted = blocks - blocksForgiven
  const grown = counted < 1 ? 0 : Math.min(restMs.longest, restMs.first * 2 ** (counted - 1))
  return Math.max(retryAfterMs ?? 0, Math.round(grown * (1 + jitter / 2)))
}
