/** Blame: what an obstacle says of the route that it was met on, told to all who share that route. */
import type { RouteLease } from '../egress/route-pool.ts'
import type { Share } from '../../kit/fair-queue.ts'
import {
  isCheck,
  isNeverSeen,
  isOutOfReach,
  isUnmistakable,
  type NamedObstacle,
  ruleOf,
} from './obstacle.ts'

/** `subject`: the video or list asked for; null where nobody chose what was asked for. */
export type Asked = { share: Share; subject: string | null }

/** An unmistakable block rests the route; anything else that blames it is a suspicion. */
export async function reportObstacle(
  lease: RouteLease,
  found: NamedObstacle,
  asked: Asked,
): Promise<void> {
  if (blamesRoute(lease, found)) await report(lease, found, { ...asked, isContradicted: false })
}

/**
 * The video was given to another route or visitor after all: if it was a check, it was not about the video; and
 * what every client was refused, or answered as nobody has seen before, is suspicious now.
 */
export async function reportContradiction(
  lease: RouteLease,
  found: NamedObstacle,
  asked: Asked,
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
  { share, subject, isContradicted }: Asked & { isContradicted: boolean },
): Promise<void> {
  const isPlain = subject === null || isUnmistakable(found)
  const suspicion = isPlain ? null : { subject, accountId: share.accountId, isContradicted }
  await limiter.blocked({ epoch, retryAfterMs: found.retryAfterMs, suspicion, leasedAtMs })
}
