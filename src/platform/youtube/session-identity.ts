/**
 * Session identities: the visitor ids by which the platform knows a route. Each client is given its own, since one of
 * the web is reported to be refused to apps (2026-11). It is made when the client first calls in an epoch of the route,
 * and shared by all questions on it; a private lease has its own.
 *
 * No client needs another one for that. Where its own is refused, whatever the obstacle, it calls with another one's,
 * and else with none, as some apps do anyway. What is refused is remembered for the route once another way works on the
 * same lease: a cut line, a blocked exit or a rest says nothing of a client's identity.
 */
import type { RouteLease } from '../egress/route-pool.ts'
import { reportObstacle } from './blame.ts'
import type { ClientProfile, ClientUse } from './clients.ts'
import { visitorIn } from './newest-visitor.ts'
import {
  isOutOfReach,
  isUnmistakable,
  type NamedObstacle,
  obstacle,
  type Obstructed,
  obstructed,
  ruleOf,
} from './obstacle.ts'
import { sendCall } from './send-call.ts'
import { openSession, type Session } from './session.ts'

/**
 * An identity to call with: a visitor id and the client to which it was given; both null for none. Where the proxy is
 * doubted, two clients found no way through it, and the call that follows shows whether it lets any through.
 */
type Identity = {
  visitorData: string | null
  of: string | null
  isProxyDoubted: boolean
}

/**
 * Returns the identity with which a client calls on the session's route: its own, another client's, or none. The
 * obstacle is one that leaves no call to make.
 */
export async function identityFor(
  session: Session,
  client: ClientProfile,
): Promise<Identity | Obstructed> {
  const { lease } = session
  const met: NamedObstacle[] = []
  for (const of of waysFor(session, client)) {
    const visitorData = await visitorAs(session, of)
    if (typeof visitorData === 'string') return { visitorData, of: of.name, isProxyDoubted: false }
    if (visitorData.name === 'no_route') return { kind: 'obstructed', obstacle: visitorData }
    met.push(visitorData)
  }
  return { visitorData: null, of: null, isProxyDoubted: isProxyDoubted(lease, met) }
}

/**
 * Notes how a call with an identity fared: an answer shows that the platform refused those that were not given on the
 * lease; a third call that finds no way through a doubted proxy, that the proxy is broken.
 */
export async function noteCall(
  { lease, context }: Session,
  { isProxyDoubted: isDoubted }: Identity,
  found: NamedObstacle | null,
): Promise<void> {
  if (found === null) return context.identities.noteWorks(lease)
  if (!isDoubted || !isOutOfReach(found)) return
  // No customer chose what an identity is made with, so it is the route's fault at once.
  const { accountId } = context.share
  await reportObstacle(lease, found, { accountId, subject: null })
}

/** Whether two clients found no way through a proxy, which may then let no call through. */
function isProxyDoubted({ route }: RouteLease, met: readonly NamedObstacle[]): boolean {
  return route.proxyOrigin !== null && met.length > 1 && met.every(isOutOfReach)
}

/** The order of others: an app's identity is reported to be accepted more widely than one of the web. */
const ORDER: readonly ClientUse[] = ['captions', 'date_and_lists', 'age_gate']

/** Returns the clients whose identity is tried, in that order: at most one of the others is asked for one. */
function waysFor({ lease, context }: Session, client: ClientProfile): ClientProfile[] {
  const { identities, clients } = context
  const mayAsk = (each: ClientProfile): boolean => !identities.isRefused(lease, each, 'own')
  const own = presentVisitor(lease, client) !== null || mayAsk(client) ? [client] : []
  if (identities.isRefused(lease, client, 'others')) return own
  const others = ORDER.flatMap((use) => clients.clientsFor(use)).filter(
    ({ name }) => name !== client.name,
  )
  const other = others.find((each) => presentVisitor(lease, each) !== null) ?? others.find(mayAsk)
  return other === undefined ? own : [...own, other]
}

/** Whether an answer may be due to an identity that the platform gave to another client. */
export function mayBeOfIdentity(
  { of }: Identity,
  client: ClientProfile,
  found: NamedObstacle,
): boolean {
  return of !== null && of !== client.name && isOfIdentity(found)
}

/** Whether an obstacle may be one of the visitor id rather than of the exit. */
export function isOfIdentity(found: NamedObstacle): boolean {
  return !isUnmistakable(found) && (ruleOf(found).blame === 'route' || found.name === 'bad_request')
}

/** Returns the visitor id that was given to a client on the session's route, or the obstacle that prevented it. */
export async function visitorAs(
  session: Session,
  client: ClientProfile,
): Promise<string | NamedObstacle> {
  const { context, lease, signal } = session
  const known = presentVisitor(lease, client) ?? context.identities.obstacleOn(lease, client)
  if (known !== null) return known
  const make = async (): Promise<string | NamedObstacle> => {
    // Other questions may wait for this identity, so cancelling the one that makes it must not end it.
    const deadline = AbortSignal.timeout(context.limits.visitMs)
    return makeIdentity(openSession(context, lease, deadline), client).catch((error: unknown) => {
      if (deadline.aborted) return obstacle('timed_out')
      throw error
    })
  }
  const name = `${lease.route.name} ${lease.epoch} ${client.name}`
  const made = lease.isPrivate
    ? await make()
    : (await context.identities.flights.join(name, signal, make)).value
  signal.throwIfAborted()
  if (typeof made === 'string') lease.visitors.set(client.name, made)
  else if (made.name !== 'no_route') context.identities.noteUngiven(lease, client, made)
  return made
}

function presentVisitor(
  { visitors, isPrivate, limiter, epoch }: RouteLease,
  { name }: ClientProfile,
): string | null {
  return visitors.get(name) ?? (isPrivate ? null : limiter.visitorOf(name, epoch))
}

async function makeIdentity(
  session: Session,
  client: ClientProfile,
): Promise<string | NamedObstacle> {
  const { lease } = session
  const call = { name: 'visitor_id', client, body: {}, fields: null } as const
  // Another client is a better try than the same one again.
  const answer = await sendCall(session, { call, visitorData: null, understand, isTriedOnce: true })
  if (answer.kind === 'obstructed') return answer.obstacle
  const { visitorData } = answer
  if (lease.isPrivate) return visitorData
  const { epoch } = lease
  const kept = await lease.limiter.saveIdentity({ epoch, client: client.name, visitorData })
  return kept ?? visitorData
}

function understand(reply: unknown): { kind: 'given'; visitorData: string } | Obstructed {
  const visitorData = visitorIn(reply)
  return visitorData === null ? obstructed('unreadable') : { kind: 'given', visitorData }
}
