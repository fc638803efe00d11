/**
 * The session identity: the visitor as which the platform knows a route. It is made once for a route's
 * present epoch and shared by all questions on it; on a rotating route each lease has its own.
 */
import type { RateLimiter } from '../egress/rate-limiter.ts'
import { textAt } from './json.ts'
import { type NamedObstacle, obstacle } from './obstacle.ts'
import { openSession, type Session } from './session.ts'

/** Gives the session's lease an identity; returns what stood in the way, or null where it has one now. */
export async function ensureIdentity(session: Session): Promise<NamedObstacle | null> {
  const { lease, signal } = session
  if (lease.visitorData !== null) return null
  const made = await (runningFor(session) ?? startMaking(session))
  signal.throwIfAborted()
  if (typeof made !== 'string') return made
  lease.visitorData = made
  return null
}

type Making = { epoch: number; made: Promise<string | NamedObstacle> }

const underWay = new WeakMap<RateLimiter, Making>()

function runningFor({ lease }: Session): Promise<string | NamedObstacle> | null {
  const running = lease.route.isRotating ? undefined : underWay.get(lease.limiter)
  return running?.epoch === lease.epoch ? running.made : null
}

function startMaking({ context, lease }: Session): Promise<string | NamedObstacle> {
  // Shared by all who wait for it, so no single question's cancellation may end it.
  const deadline = AbortSignal.timeout(context.limits.visitMs)
  const made = makeIdentity(openSession(context, lease, deadline)).catch((error: unknown) => {
    if (deadline.aborted) return obstacle('timed_out')
    throw error
  })
  if (lease.route.isRotating) return made
  const entry = { epoch: lease.epoch, made }
  underWay.set(lease.limiter, entry)
  const forget = (): void => {
    if (underWay.get(lease.limiter) === entry) underWay.delete(lease.limiter)
  }
  void made.then(forget, forget)
  return made
}

async function makeIdentity(session: Session): Promise<string | NamedObstacle> {
  const { lease, listClient: client } = session
  const answer = await session.json({ name: 'visitor_id', client, body: {}, fields: null })
  if (answer.kind === 'obstructed') return answer.obstacle
  const made = textAt(answer.value, 'responseContext', 'visitorData')
  if (made === null) return obstacle('unreadable')
  if (lease.route.isRotating) return made
  const kept = await lease.limiter.saveIdentity({ epoch: lease.epoch, visitorData: made })
  return kept ?? made
}
