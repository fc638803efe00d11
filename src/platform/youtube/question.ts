/** A question's way over the routes: where it is blocked it goes another way, as long as patience lasts. */
import type { Hold, Lanes } from '../egress/lanes.ts'
import type { Asking } from './asking.ts'
import type { ClientProfile } from './clients.ts'
import { type Hurdle, hurdle, ruleOf } from './hurdle.ts'
import { becomeGuest } from './asking.ts'

export type Attempted<T> = { kind: 'answered'; answer: T } | { kind: 'hurdle'; hurdle: Hurdle }

/** `mayDiffer`: whether another route, in another country maybe, could answer better than that. */
export type Question<T> = {
  guestClient: ClientProfile
  attempt: (hold: Hold, signal: AbortSignal) => Promise<Attempted<T>>
  mayDiffer?: (answer: T) => boolean
}

/**
 * Asks on one route after another until an answer comes, no route is left, or the hurdle is none
 * that another route or guest could change. Everything in `attempt` stays on one hold: one exit,
 * one guest. An answer that may differ elsewhere stands if no other route that is open at once
 * has a better one.
 */
export async function askOnRoutes<T>(
  asking: Asking,
  lanes: Lanes,
  { guestClient, attempt, mayDiffer }: Question<T>,
  signal: AbortSignal,
): Promise<Attempted<T>> {
  const { limits, clock, share } = asking
  const untilMs = clock() + limits.patienceMs
  const avoid = new Set<string>()
  let last: Hurdle = hurdle('no_route')
  let standing: Attempted<T> | null = null
  // A resting route is passed over anyway, and after its rest it is another guest; a rotating one is
  // another exit at once.
  const passOver = ({ route, epoch }: Hold): void => {
    if (!route.isRotating) avoid.add(`${route.name}:${epoch}`)
  }
  for (let routes = 0; routes < limits.routesPerQuestionMax; routes += 1) {
    const patienceMs = standing === null ? Math.max(0, untilMs - clock()) : 0
    const hold = await lanes.hold({ share, avoid, patienceMs }, signal)
    if (typeof hold === 'number') {
      if (routes === 0)
        last = hurdle('no_route', { retryAfterMs: Number.isFinite(hold) ? Math.ceil(hold) : null })
      break
    }
    try {
      const result = await attemptOn(asking, hold, { guestClient, attempt }, signal)
      if (result.kind === 'answered') {
        const isFinal =
          mayDiffer?.(result.answer) !== true || (lanes.count === 1 && !hold.route.isRotating)
        if (isFinal) return result
        standing ??= result
        passOver(hold)
        continue
      }
      last = result.hurdle
      await tellGate(hold, last)
    } finally {
      hold.release()
    }
    if (!mayPassElsewhere(hold, last)) break
    if (last.name !== 'no_route') passOver(hold)
  }
  return standing ?? { kind: 'hurdle', hurdle: last }
}

async function attemptOn<T>(
  asking: Asking,
  hold: Hold,
  { guestClient, attempt }: Question<T>,
  signal: AbortSignal,
): Promise<Attempted<T>> {
  const deadline = AbortSignal.timeout(asking.limits.visitMs)
  const both = AbortSignal.any([signal, deadline])
  try {
    const refused = await becomeGuest(asking, hold, guestClient, both)
    if (refused !== null) return { kind: 'hurdle', hurdle: refused }
    return await attempt(hold, both)
  } catch (error) {
    signal.throwIfAborted()
    if (deadline.aborted) return { kind: 'hurdle', hurdle: hurdle('timed_out') }
    throw error
  }
}

/** What blames the route slows and rests it, for every process; so does a proxy out of reach. */
export async function tellGate({ gate, epoch, route }: Hold, found: Hurdle): Promise<void> {
  const isProxyDown = route.proxyOrigin !== null && isOutOfReach(found)
  if (ruleOf(found).blame !== 'route' && !isProxyDown) return
  await gate.blocked({ epoch, retryAfterMs: found.retryAfterMs })
}

function mayPassElsewhere({ route }: Hold, found: Hurdle): boolean {
  return ruleOf(found).kind === 'blocked' || (route.proxyOrigin !== null && isOutOfReach(found))
}

function isOutOfReach({ name }: Hurdle): boolean {
  return name === 'unreachable' || name === 'timed_out' || name === 'truncated'
}
