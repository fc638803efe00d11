/**
 * The session identity: the visitor id by which the platform knows a route. It is made once for a route's present epoch
 * and shared by all questions on it; a private lease has its own.
 */
import type { ClientProfile } from './clients.ts'
import { requestJson } from './calls.ts'
import { textAt } from './json.ts'
import { type NamedObstacle, obstacle } from './obstacle.ts'
import type { Answer } from './reply.ts'
import { openSession, type Session } from './session.ts'

/** Gives the session's lease an identity. Returns the obstacle that prevented it, or null where it has one now. */
export async function ensureIdentity(session: Session): Promise<NamedObstacle | null> {
  const { lease, signal } = session
  if (lease.visitorData !== null) return null
  const made = await (runningFor(session) ?? startMaking(session))
  signal.throwIfAborted()
  if (typeof made !== 'string') return made
  lease.visitorData = made
  return null
}

function runningFor({ context, lease }: Session): Promise<string | NamedObstacle> | null {
  const running = lease.isPrivate ? undefined : context.identities.get(lease.limiter)
  return running?.epoch === lease.epoch ? running.made : null
}

function startMaking({ context, lease }: Session): Promise<string | NamedObstacle> {
  // The identity is shared by all questions that wait for it, so cancelling one of them must not end it.
  const deadline = AbortSignal.timeout(context.limits.visitMs)
  const made = makeIdentity(openSession(context, lease, deadline)).catch((error: unknown) => {
    if (deadline.aborted) return obstacle('timed_out')
    throw error
  })
  if (lease.isPrivate) return made
  const entry = { epoch: lease.epoch, made }
  const { identities } = context
  identities.set(lease.limiter, entry)
  const forget = (): void => {
    if (identities.get(lease.limiter) === entry) identities.delete(lease.limiter)
  }
  void made.then(forget, forget)
  return made
}

async function makeIdentity(session: Session): Promise<string | NamedObstacle> {
  const { clients } = session.context
  const { lease, listClient } = session
  let answer = await askFor(session, listClient)
  // Any client may ask for an identity.
  for (const client of clients.clientsFor('captions')) {
    if (answer.kind === 'json' || answer.obstacle.name !== 'retired') break
    answer = await askFor(session, client)
  }
  if (answer.kind === 'obstructed') return answer.obstacle
  const made = visitorIn(answer.value)
  if (made === null) return obstacle('unreadable')
  if (lease.isPrivate) return made
  const kept = await lease.limiter.saveIdentity({ epoch: lease.epoch, visitorData: made })
  return kept ?? made
}

function visitorIn(reply: unknown): string | null {
  return textAt(reply, 'responseContext', 'visitorData')
}

function askFor(session: Session, client: ClientProfile): Promise<Answer> {
  const judge = (value: unknown): NamedObstacle | null =>
    visitorIn(value) === null ? obstacle('unreadable') : null
  return requestJson(session, { name: 'visitor_id', client, body: {}, judge })
}
