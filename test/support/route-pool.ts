/**
 * A route pool in memory whose time passes only while a request waits; every route has its session identity at once.
 */
import { memoryBudget } from './memory-budget.ts'
import type { RouteBudget } from '../../src/model/platform/route-budget.ts'
import { openRoutePool, type RoutePool } from '../../src/platform/egress/route-pool.ts'
import { type EgressRoute, readRoutes } from '../../src/platform/egress/route.ts'
import { openWork } from '../../src/kit/fair-queue.ts'

export const FIRST_REST_MS = 30_000

export type PoolInMemory = {
  pool: RoutePool
  clock: () => number
  /** Length of each wait for a rest, in milliseconds. */
  waits: number[]
}

export function poolInMemory(text: string, change: Partial<EgressRoute> = {}): PoolInMemory {
  let nowMs = 0
  const waits: number[] = []
  const clock = (): number => nowMs
  const routes = readRoutes(text).map((route) => ({ ...route, ...change }))
  const pool = openRoutePool(routes, {
    budget: withIdentities(memoryBudget(clock, () => 0)),
    clock,
    connectMs: 1000,
    work: openWork(),
    async wait(ms, signal) {
      signal.throwIfAborted()
      waits.push(ms)
      nowMs += ms
    },
  })
  return { pool: withStrangers(pool), clock, waits }
}

/** Gives a request that leaves a route as another visitor an identity at once, too. */
function withStrangers(pool: RoutePool): RoutePool {
  return {
    ...pool,
    async lease(request, signal) {
      const leasing = await pool.lease(request, signal)
      if (leasing.kind === 'leased' && request.isStranger)
        leasing.lease.visitors.set('WEB', `stranger on ${leasing.lease.route.name}`)
      return leasing
    },
  }
}

function withIdentities(budget: RouteBudget): RouteBudget {
  return {
    ...budget,
    async take(terms, told) {
      const lease = await budget.take(terms, told)
      const { epoch } = lease.identity
      return { ...lease, identity: { epoch, visitors: { WEB: `${terms.name} in epoch ${epoch}` } } }
    },
  }
}
