/** Failover: a question that is blocked on one route is asked on another, as long as its patience lasts. */
import type { Leasing, RouteLease, RoutePool } from '../egress/route-pool.ts'
import { blamesRoute, reportContradiction, reportObstacle } from './blame.ts'
import { openDeadline } from './deadline.ts'
import {
  isNeverSeen,
  isObstructed,
  isPassing,
  isUnmistakable,
  type NamedObstacle,
  obstacle,
  type Obstructed,
  obstructed,
  ruleOf,
} from './obstacle.ts'
import { openSession, type RequestContext, type Session } from './session.ts'

/** How many accidents of a question are followed by a try on one more route. */
const ACCIDENTS_PASSED_MAX = 1

/** Work whose requests all stay on one lease: one exit, one session identity for each client. */
export type RouteWork<T> = (session: Session) => Promise<T | Obstructed>

/** A question; its `subject` is the video or list asked for. */
type Question = { context: RequestContext; signal: AbortSignal; subject: string }

export type Failover<T> = Question & {
  routes: RoutePool
  /** Whether the work fetches captions, of which a route may bear so many a day. */
  isForCaptions?: boolean
  /** Whether another route, maybe in another country, could have a better answer. */
  mayDiffer?: (answer: T) => boolean
  /** Whether an answer that may differ elsewhere gives way to one that is in no doubt. */
  isDoubted?: (answer: T) => boolean
  /** Whether the platform served the answer: its route is then not blocked. */
  isDelivery?: (answer: T) => boolean
}

type Met = { lease: RouteLease; found: NamedObstacle }

/** The course of a question: what it met on which routes, and the answer that stands so far. */
type Course<T> = {
  avoid: Set<string>
  untilMs: number
  met: Met[]
  last: NamedObstacle
  standing: T | null
}

/**
 * Asks on one route after another until an answer comes, no route is left, or the obstacle is one that no other route
 * or identity could change. An accident, which may be the platform's own, is followed by a try on one more route that
 * is open at once. An answer that may differ elsewhere stands unless another route that is open at once has a better
 * one.
 */
export async function withFailover<T extends object>(
  question: Failover<T>,
  work: RouteWork<T>,
): Promise<T | Obstructed> {
  const { limits, clock } = question.context
  const untilMs = clock() + limits.patienceMs
  const last = obstacle('no_route')
  const course: Course<T> = { avoid: new Set(), untilMs, met: [], last, standing: null }
  for (let tries = 0; tries < limits.routesPerQuestionMax; tries += 1) {
    const leasing = await nextLease(question, course)
    if (leasing.kind === 'resting') {
      noteRest(course, leasing)
      break
    }
    const { lease } = leasing
    const result = await withRoute(question, lease, work)
    const isOnlyExit = question.routes.count === 1 && !lease.route.isRotating
    if (isObstructed(result)) {
      const present = { lease, found: result.obstacle }
      noteObstacle(course, present)
      if (!mayPassElsewhere(present, course.met, isOnlyExit)) break
      if (result.obstacle.name === 'no_route') continue
    } else if (question.mayDiffer?.(result) === true && !isOnlyExit) {
      const { standing } = course
      if (standing === null || question.isDoubted?.(standing) === true) course.standing = result
    } else {
      if (question.isDelivery?.(result) === true) await reportDelivery(question, lease, course.met)
      return result
    }
    // A resting route has another identity afterwards, and a rotating one another exit at once.
    if (!lease.route.isRotating) course.avoid.add(`${lease.route.name}:${lease.epoch}`)
  }
  return course.standing ?? { kind: 'obstructed', obstacle: course.last }
}

/** Does the work in a session on that route and gives the lease back; an obstacle that blames the route is reported. */
export async function withRoute<T extends object>(
  { context, signal, subject }: Question,
  lease: RouteLease,
  work: RouteWork<T>,
): Promise<T | Obstructed> {
  const { accountId } = context.share
  const deadline = openDeadline(signal, context.limits.visitMs)
  const session = openSession(context, lease, deadline.signal)
  try {
    const result = await work(session).catch((error: unknown) => {
      signal.throwIfAborted()
      if (deadline.isOver()) return obstructed('timed_out')
      throw error
    })
    if (isObstructed(result)) await reportObstacle(lease, result.obstacle, { accountId, subject })
    return result
  } finally {
    deadline.close()
    lease.release()
  }
}

/**
 * Leases a route that was not asked. Where none is left, it leases an asked one after a pause, as another visitor: what
 * looks like a block of the only way out may be a block of one visitor, which must not rest the route for others.
 */
async function nextLease<T>(
  { context, routes, signal, isForCaptions = false }: Failover<T>,
  { avoid, untilMs, met, last, standing }: Course<T>,
): Promise<Leasing> {
  const { share, clock } = context
  const ask = { share, isForCaptions }
  const before = met.at(-1)
  const isOdd = isNeverSeen(last) || (before !== undefined && isAccident(before))
  const isHasty = standing !== null || isOdd
  const patienceMs = isHasty ? 0 : Math.max(0, untilMs - clock())
  const leasing = await routes.lease({ ...ask, avoid, patienceMs, isStranger: false }, signal)
  if (leasing.kind === 'leased' || isHasty || before === undefined) return leasing
  const pauseMs = before.lease.route.restMs.first
  const isSuspected = blamesRoute(before.lease, before.found) && !isUnmistakable(before.found)
  if (!isSuspected || clock() + pauseMs > untilMs) return leasing
  await routes.pause(pauseMs, signal)
  return routes.lease({ ...ask, avoid: new Set(), patienceMs: 0, isStranger: true }, signal)
}

/** Reports a delivery, which speaks for its route and against those that refused the video. */
async function reportDelivery(
  { context, subject }: Question,
  lease: RouteLease,
  met: readonly Met[],
): Promise<void> {
  const asked = { accountId: context.share.accountId, subject }
  for (const each of met) await reportContradiction(each.lease, each.found, asked)
  const isAsRouteIsKnown = lease.route.isRotating || !lease.isPrivate
  if (isAsRouteIsKnown) lease.limiter.delivered()
}

/**
 * Notes that no route is free. After blocks that were of whole routes, a day without room is what the question waits
 * for; anything else that it met tells more.
 */
function noteRest<T>(course: Course<T>, { forMs, isSpent }: Leasing & { kind: 'resting' }): void {
  const retryAfterMs = Number.isFinite(forMs) ? Math.ceil(forMs) : null
  const isOfRoutes = course.met.every(
    ({ found }) => found.name === 'no_route' || isUnmistakable(found),
  )
  if (isSpent === true && isOfRoutes) course.last = obstacle('spent', { retryAfterMs })
  else if (course.met.length === 0) course.last = obstacle('no_route', { retryAfterMs })
}

/**
 * Notes an obstacle. A block that was met before tells more than an accident or an answer that was never seen before.
 */
function noteObstacle<T>(course: Course<T>, met: Met): void {
  course.met.push(met)
  const isOdd = isNeverSeen(met.found) || isAccident(met)
  const isLess = isOdd && ruleOf(course.last).kind === 'blocked'
  if (!isLess || course.met.length === 1) course.last = met.found
}

/** Whether another route may help; `met` holds all obstacles of the question, the present one included. */
function mayPassElsewhere(present: Met, met: readonly Met[], isOnlyExit: boolean): boolean {
  const { lease, found } = present
  // A version that is too old is refused on every route.
  if (found.name === 'retired' || found.name === 'no_client') return false
  if (ruleOf(found).kind === 'blocked' || isNeverSeen(found)) return true
  if (blamesRoute(lease, found)) return true
  // Where the platform itself is down, each question costs the tries on two routes and no more.
  const accidents = met.filter(isAccident).length
  return isAccident(present) && accidents <= ACCIDENTS_PASSED_MAX && !isOnlyExit
}

/** Whether an obstacle may be gone at the next try and is not a proxy's fault. */
function isAccident({ lease, found }: Met): boolean {
  return isPassing(found) && !blamesRoute(lease, found)
}
