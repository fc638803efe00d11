/**
 * The newest visitor ids of a list. The platform may give one with each page and show the next page only to its
 * bearer, so a list's pages go out with the newest one, on the exit to which it was given and on no other.
 */
import type { RouteLease } from '../egress/route-pool.ts'
import { textAt } from './json.ts'

/** Visitor ids that pages were given, by the client's name, and the exit for which they hold. */
export type CarriedVisitors = {
  route: string
  epoch: number
  ids: Readonly<Record<string, string>>
}

/** Visitor ids are sent in a header; 44 characters were seen (2026-06). */
const VISITOR_ID = /^[!-~]{1,500}$/

export function isVisitorId(text: string): boolean {
  return VISITOR_ID.test(text)
}

/** Returns the visitor id in a reply; null where there is none that could be sent. */
export function visitorIn(reply: unknown): string | null {
  const visitorData = textAt(reply, 'responseContext', 'visitorData')
  return visitorData !== null && isVisitorId(visitorData) ? visitorData : null
}

/** Keeps the visitor id that a page gave to the client, where it is another one than that which asked. */
export function noteVisitor(
  { visitors }: RouteLease,
  client: string,
  { reply, sent }: { reply: unknown; sent: string | null },
): void {
  const given = visitorIn(reply)
  if (given !== null && given !== sent) visitors.set(client, given)
}

/** Lets the lease go on with what was carried, where it is on that exit and no stranger there. */
export function carryVisitors(lease: RouteLease, carried: CarriedVisitors | undefined): void {
  const { route, epoch, isPrivate, visitors } = lease
  if (carried === undefined || isPrivate) return
  if (carried.route !== route.name || carried.epoch !== epoch) return
  for (const [client, id] of Object.entries(carried.ids))
    if (isVisitorId(id)) visitors.set(client, id)
}

/** Gives up the client's carried visitor id for the route's own; returns false where it calls with that already. */
export function dropCarried(lease: RouteLease, client: string): boolean {
  return isCarried(lease, client) && lease.visitors.delete(client)
}

/** Returns what the list goes on with on this exit; undefined where the route's own identities will do. */
export function visitorsToCarry(lease: RouteLease): CarriedVisitors | undefined {
  const { route, epoch, visitors } = lease
  const given = [...visitors].filter(([client]) => isCarried(lease, client))
  if (given.length === 0) return undefined
  return { route: route.name, epoch, ids: Object.fromEntries(given) }
}

/** Whether the client calls with another visitor id than the route's own. A private lease carries none. */
function isCarried({ visitors, isPrivate, limiter, epoch }: RouteLease, client: string): boolean {
  const id = visitors.get(client)
  return !isPrivate && id !== undefined && id !== limiter.visitorOf(client, epoch)
}
