/**
 * The session identity: the visitor id by which the platform knows a route. It is made once for a route's present epoch
 * and shared by all questions on it; a private lease has its own.
 */
import { requestJson } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { textAt } from './json.ts'
import { type NamedObstacle, obstacle, obstructed } from './obstacle.ts'
import type { Answer } from './reply.ts'
import { openSession, type Session } from './session.ts'

/** Gives the session's lease an identity. Returns the obstacle that prevented it, or null where it has one now. */
export async function ensureIdentity({
  context,
  lease,
  signal,
}: Session): Promise<NamedObstacle | null> {
  if (lease.visitorData !== null) return null
  const make = async (): Promise<string | NamedObstacle> => {
    // Other questions may wait for this identity, so cancelling the one that makes it must not end it.
    const deadline = AbortSignal.timeout(context.limits.visitMs)
    return makeIdentity(openSession(context, lease, deadline)).catch((error: unknown) => {
      if (deadline.aborted) return obstacle('timed_out')
      throw error
    })
  }
  const name = `${lease.route.name} ${lease.epoch}`
  const made = lease.isPrivate
    ? await make()
    : (await context.identities.join(name, signal, make)).value
  signal.throwIfAborted()
  if (typeof made !== 'string') return made
  lease.visitorData = made
  return null
}

async function makeIdentity(session: Session): Promise<string | NamedObstacle> {
  const { clients } = session.context
  const { lease } = session
  let answer: Answer = obstructed('no_client')
  // Any client may ask for an identity.
  for (const client of [
    ...clients.clientsFor('date_and_lists'),
    ...clients.clientsFor('captions'),
  ]) {
    answer = await askFor(session, client)
    if (answer.kind === 'json' || answer.obstacle.name !== 'retired') break
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
