/** Blame: what an obstacle says about the route on which it was met, reported to all processes that share the route. */
import type { RouteLease } from '../egress/route-pool.ts'
import {
  isCheck,
  isNeverSeen,
  isOutOfReach,
  isUnmistakable,
  type NamedObstacle,
  ruleOf,
} from './obstacle.ts'

/** A question, and for whom it is: `subject` is the video or list; null where no customer chose it. */
type AskedFor = { accountId: string; subject: string | null }

/** Reports an obstacle that blames its route: an unmistakable block rests the route, anything else is a suspicion. */
export async function reportObstacle(
  lease: RouteLease,
  found: NamedObstacle,
  asked: AskedFor,
): Promise<void> {
  if (blamesRoute(lease, found)) await report(lease, found, { ...asked, isContradicted: false })
}

/**
 * Reports that the video was given to another route or visitor after all. A check was then not about the video; and
 * what every client was refused, or what was never seen before, becomes suspicious.
 */
export async function reportContradiction(
  lease: RouteLease,
  found: NamedObstacle,
  asked: AskedFor,
): Promise<void> {
  const isContradicted = isCheck(found)
  const { kind, blame } = ruleOf(found)
  const isRefused = kind === 'blocked' && blame === 'client'
  if (isContradicted || isRefused || isNeverSeen(found))
    await report(lease, found, { ...asked, isContradicted })
}

export function blamesRoute({ route }: RouteLease, found: NamedObstacle): boolean {
  return ruleOf(found).blame === 'route' || (route.proxyOrigin !== null && isOutOfReach(found))
}

async function report(
  { limiter, epoch, leasedAtMs }: RouteLease,
  found: NamedObstacle,
  { isContradicted, accountId, subject }: AskedFor & { isContradicted: boolean },
): Promise<void> {
  const isPlain = subject === null || isUnmistakable(found)
  const suspicion = isPlain ? null : { subject, accountId, isContradicted }
  const isRefusal = ruleOf(found).kind === 'blocked'
  const { retryAfterMs } = found
  await limiter.blocked({ epoch, retryAfterMs, suspicion, leasedAtMs, isRefusal })
}
