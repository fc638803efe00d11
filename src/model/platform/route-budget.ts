/**
 * The route budget: what the processes share about each egress route: how fast it may be used, how
 * long it rests, and as which visitor the platform knows it. `store/egress-routes.ts` keeps it in rows.
 */

import type { RestScope, Suspicion } from './evidence.ts'

/** What a budget needs to know of a route; `name` is its row. */
export type RouteTerms = {
  name: string
  /** Requests a minute: where a new route starts, and between what it adapts. */
  ratePerMinute: { start: number; floor: number; ceiling: number }
  /** The first rest after a block; each further block doubles it, up to the longest. */
  restMs: { first: number; longest: number }
  /** Blocks in a row that bring no rest: on a rotating proxy each one shows another exit. */
  blocksForgiven: number
  /** Answers in a row after which earlier blocks are forgotten. */
  healedAfter: number
}

/** The session identity a route is known by. `epoch` counts its blocks: each begins a new identity. */
export type RouteIdentity = { epoch: number; visitorData: string | null }

export type Lease =
  /** `permits` requests: the first in `startsInMs`, the others `intervalMs` apart. */
  | {
      kind: 'leased'
      permits: number
      startsInMs: number
      intervalMs: number
      identity: RouteIdentity
    }
  | { kind: 'resting'; forMs: number; identity: RouteIdentity }

/** An answer that speaks for a block of the route, as this identity. */
export type BlockReport = {
  epoch: number
  retryAfterMs: number | null
  /** Null: a block whatever was asked for. */
  suspicion: Suspicion | null
  /** Something was delivered on the route since the last call. */
  hasDelivered: boolean
}

/** Who is to keep away from the route after a report; `forMs`: how long it rests for everybody, else 0. */
export type Rest = { scope: RestScope; forMs: number }

export type RouteBudget = {
  /**
   * Takes up to half a second's permits at once, never more than the rate allows over all processes,
   * and tells what came since the last call: the rate grows by each answered request, and a delivery
   * makes suspicions void.
   */
  take(terms: RouteTerms, told: { answered: number; hasDelivered: boolean }): Promise<Lease>
  /**
   * What was met on the route in this epoch. If it is to rest for everybody, its rate halves, it rests and the
   * next epoch begins. Reports of an epoch that is over change nothing.
   */
  reportBlock(terms: RouteTerms, block: BlockReport): Promise<Rest>
  /** Keeps the identity for this epoch; the first one wins and is returned, null if it is over. */
  saveIdentity(
    name: string,
    identity: { epoch: number; visitorData: string },
  ): Promise<string | null>
}

/** A session identity is used this long; measured reports of 2026-10 used an hour. */
export const IDENTITY_LIFE_MS = 3_600_000
/** One lease covers this much time, so that a process that ends wastes little. */
export const LEASE_MS = 500
export const PERMITS_MAX = 500
/** A route climbs from nothing to its ceiling in this many answered requests. */
export const ANSWERS_TO_CEILING = 1000

export function permitsPerLease(ratePerMinute: number): number {
  const permits = Math.floor((ratePerMinute / 60_000) * LEASE_MS)
  return Math.min(PERMITS_MAX, Math.max(1, permits))
}

/** Additive increase: every answered request earns the same small step. */
export function raisedRate({ ratePerMinute }: RouteTerms, rate: number, answered: number): number {
  const step = (ratePerMinute.ceiling * answered) / ANSWERS_TO_CEILING
  return Math.min(ratePerMinute.ceiling, rate + step)
}

/** Multiplicative decrease at a block. */
export function loweredRate({ ratePerMinute }: RouteTerms, rate: number): number {
  return Math.max(ratePerMinute.floor, rate / 2)
}

/**
 * How long a route rests after its `blocks`-th block in a row, in milliseconds. What the platform
 * itself asked for (`Retry-After`) is never undercut. `jitter` is from 0 to 1: over several routes
 * and processes the returns spread over half a rest.
 */
export function restAfterBlock(
  { restMs, blocksForgiven }: RouteTerms,
  { blocks, retryAfterMs, jitter }: { blocks: number; retryAfterMs: number | null; jitter: number },
): number {
  const counted = blocks - blocksForgiven
  const grown = counted < 1 ? 0 : Math.min(restMs.longest, restMs.first * 2 ** (counted - 1))
  return Math.max(retryAfterMs ?? 0, Math.round(grown * (1 + jitter / 2)))
}
