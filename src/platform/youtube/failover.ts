/** Failover: a question that is blocked on one route goes another way, as long as patience lasts. */
import type { RouteLease, RoutePool } from '../egress/route-pool.ts'
import { type Attempted, type NamedObstacle, obstacle, obstructed, ruleOf } from './obstacle.ts'
import type { RequestContext } from './request-context.ts'
import { ensureIdentity } from './session-identity.ts'
import { openSession, type Session } from './session.ts'

/** Everything in it stays on one lease: one exit, one session identity. */
export type RouteWork<T> = (session: Session) => Promise<Attempted<T>>

export type Failover<T> = {
  context: RequestContext
  routes: RoutePool
  signal: AbortSignal
  /** Whether another route, in another country maybe, could answer better than that. */
  mayDiffer?: (answer: T) => boolean
}

/**
 * Asks on one route after another until an answer comes, no route is left, or the obstacle is none
 * that another route or identity could change. An answer that may differ elsewhere stands if no other
 * route that is open at once has a better one.
 */
export async function withFailover<T>(
  { context, routes, signal, mayDiffer }: Failover<T>,
  work: RouteWork<T>,
): Promise<Attempted<T>> {
  const { limits, clock, share } = context
  const untilMs = clock() + limits.patienceMs
  const avoid = new Set<string>()
  let last = obstacle('no_route')
  let standing: Attempted<T> | null = null
  for (let tries = 0; tries < limits.routesPerQuestionMax; tries += 1) {
    const patienceMs = standing === null ? Math.max(0, untilMs - clock()) : 0
    const leasing = await routes.lease({ share, avoid, patienceMs }, signal)
    if (leasing.kind === 'resting') {
      if (tries === 0) last = allResting(leasing.forMs)
      break
    }
    const { lease } = leasing
    const result = await withRoute(context, lease, signal, work)
    if (result.kind === 'answered') {
      const isOnlyExit = routes.count === 1 && !lease.route.isRotating
      if (mayDiffer?.(result.answer) !== true || isOnlyExit) return result
      standing ??= result
      passOver(lease, avoid)
      continue
    }
    last = result.obstacle
    if (!mayPassElsewhere(lease, last)) break
    if (last.name !== 'no_route') passOver(lease, avoid)
  }
  return standing ?? { kind: 'obstructed', obstacle: last }
}

/** Does the work in a session on that route and gives the lease back; what blames the route is reported. */
export async function withRoute<T>(
  context: RequestContext,
  lease: RouteLease,
  signal: AbortSignal,
  work: RouteWork<T>,
): Promise<Attempted<T>> {
  const deadline = AbortSignal.timeout(context.limits.visitMs)
  const session = openSession(context, lease, AbortSignal.any([signal, deadline]))
  try {
    const result = await inTime(session, work).catch((error: unknown) => {
      signal.throwIfAborted()
      if (deadline.aborted) return obstructed('timed_out')
      throw error
    })
    if (result.kind === 'obstructed') await reportObstacle(lease, result.obstacle)
    return result
  } finally {
    lease.release()
  }
}

async function inTime<T>(session: Session, work: RouteWork<T>): Promise<Attempted<T>> {
  const refused = await ensureIdentity(session)
  return refused === null ? work(session) : { kind: 'obstructed', obstacle: refused }
}

/** What blames the route slows and rests it, for every process; so does a proxy out of reach. */
export async function reportObstacle(
  { limiter, epoch, route }: RouteLease,
  found: NamedObstacle,
): Promise<void> {
  const isProxyDown = route.proxyOrigin !== null && isOutOfReach(found)
  if (ruleOf(found).blame !== 'route' && !isProxyDown) return
  await limiter.blocked({ epoch, retryAfterMs: found.retryAfterMs })
}

function allResting(forMs: number): NamedObstacle {
  return obstacle('no_route', { retryAfterMs: Number.isFinite(forMs) ? Math.ceil(forMs) : null })
}

/** A resting route is not leased anyway, and has another identity after it; a rotating one is another exit at once. */
function passOver({ route, epoch }: RouteLease, avoid: Set<string>): void {
  if (!route.isRotating) avoid.add(`${route.name}:${epoch}`)
}

function mayPassElsewhere({ route }: RouteLease, found: NamedObstacle): boolean {
  return ruleOf(found).kind === 'blocked' || (route.proxyOrigin !== null && isOutOfReach(found))
}

function isOutOfReach({ name }: NamedObstacle): boolean {
  return name === 'unreachable' || name === 'timed_out' || name === 'truncated'
}
