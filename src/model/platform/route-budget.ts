/**
 * The route budget: what the processes share about each egress route. `store/egress-routes.ts` keeps it in rows.
 */

// Evidence. Some answers are a block whatever was asked for (429, the "automated queries" page): they rest the route at
// once. All others may be the video's own, and a customer chooses what is asked for: each is a *suspicion*. A route
// rests for everybody only when suspicions are of two videos, and of two accounts, unless the platform served both
// videos on another way out; else it rests for the account that met them. Every delivery on the route makes them void.

/** An answer that may be a block, or the video's own. */
export type Suspicion = {
  /** The video or list that was asked for. */
  subject: string
  accountId: string
  /** True where it was a check for robots, and another route or visitor was given the same video. */
  isContradicted: boolean
}

export type RestScope = 'everybody' | 'account' | 'nobody'

/** Number of videos that have to be suspicious before the route rests for anybody. */
export const SUBJECTS_MIN = 2
/** Number of accounts that have to meet suspicions before the route rests for everybody. */
export const ACCOUNTS_MIN = 2
/** Age in milliseconds from which a suspicion no longer counts. */
export const EVIDENCE_LIFE_MS = 3_600_000

/** Returns for whom the route rests, given the suspicions in force; the newest, included, is of `accountId`. */
export function restScope(suspected: readonly Suspicion[], accountId: string): RestScope {
  const accounts = new Set(suspected.map((each) => each.accountId))
  const contradicted = suspected.filter((each) => each.isContradicted)
  const isOfSeveral = accounts.size >= ACCOUNTS_MIN || subjectsIn(contradicted) >= SUBJECTS_MIN
  if (subjectsIn(suspected) >= SUBJECTS_MIN && isOfSeveral) return 'everybody'
  const own = suspected.filter((each) => each.accountId === accountId)
  return subjectsIn(own) >= SUBJECTS_MIN ? 'account' : 'nobody'
}

function subjectsIn(suspected: readonly Suspicion[]): number {
  return new Set(suspected.map(({ subject }) => subject)).size
}

/** Terms of a route that a budget needs; `name` is its row. */
export type RouteTerms = {
  name: string
  /** Requests a minute: the start of a new route, and the bounds between which it adapts. */
  ratePerMinute: { start: number; floor: number; ceiling: number }
  /** The first rest after a block; each further block doubles it, up to the longest. */
  restMs: { first: number; longest: number }
  /** Number of blocks in a row that bring no rest: on a rotating proxy each one shows another exit. */
  blocksForgiven: number
  /** Number of answers in a row after which earlier blocks are forgotten. */
  healedAfter: number
  /** Captions a day as set by hand; null, or left out, where the route's own blocks tell. */
  captionsPerDay?: number | null
  /** Whether blocks tell how many captions a day it bears: those of a rotating proxy are of one exit of many. */
  learnsCaptions?: boolean
}

/** A visitor id of each app that has one, by the client's name: to each app a route is a visitor of its own. */
export type Visitors = Readonly<Record<string, string>>

/** The session identities by which the platform knows a route; each block begins new ones, which `epoch` counts. */
export type RouteIdentity = { epoch: number; visitors: Visitors }

/** A session identity as a client was given it in an epoch of its route. */
export type MadeIdentity = { epoch: number; client: string; visitorData: string }

export type Lease =
  /** Leases `permits` requests: the first begins in `startsInMs`, the others `intervalMs` apart. */
  | {
      kind: 'leased'
      permits: number
      startsInMs: number
      intervalMs: number
      /** Milliseconds until the route may fetch captions again; 0 where the day has room. */
      roomInMs: number
      identity: RouteIdentity
    }
  | { kind: 'resting'; forMs: number; identity: RouteIdentity }

/** An answer that speaks for a block of the route in this epoch. */
export type BlockReport = {
  epoch: number
  retryAfterMs: number | null
  /** The suspicion; null where the answer is a block whatever was asked for. */
  suspicion: Suspicion | null
  /** True where something was delivered on the route since the last call. */
  hasDelivered: boolean
  /** Captions that came since the last call; none where left out. */
  captions?: number
  /** Whether the platform itself refused; a proxy that is out of reach says nothing of the route's pace. */
  isRefusal?: boolean
}

/** For whom the route rests after a report; `forMs` is how long it rests for everybody, else 0. */
export type Rest = { scope: RestScope; forMs: number }

/** Answers and captions of a route since the last call. */
export type Told = {
  answered: number
  hasDelivered: boolean
  /** Captions whose words came; none where left out. */
  captions?: number
}

export type RouteBudget = {
  /**
   * Takes up to half a second's permits at once, never more than the rate allows over all processes, and reports what
   * came since the last call: the rate grows by each answered request, and a delivery makes suspicions void.
   */
  take(terms: RouteTerms, told: Told): Promise<Lease>
  /**
   * Reports an answer that the route met in this epoch. If the route is to rest for everybody, its rate halves, it
   * rests and the next epoch begins. Reports of an epoch that is over change nothing.
   */
  reportBlock(terms: RouteTerms, block: BlockReport): Promise<Rest>
  /** Keeps a client's identity for this epoch. The first one wins and is returned; null where the epoch is over. */
  saveIdentity(name: string, made: MadeIdentity): Promise<string | null>
}

// Captions a day. Public reports of 2026-11 speak of some 250 captions a day from an unknown address and ten times as
// many from a good one; nobody knows the number of a given address. So there is no bound before the first block. After
// it a route stays below what came in the day before the block, and nears it again with each caption that comes.

/** Captions in the day before a block from which on it tells of a day's amount; even unknown addresses bear more. */
export const CAPTIONS_TOLD_MIN = 100
/** The part of what came in the day before a block that the route may fetch in a day from then on. */
export const CAPTIONS_KEPT = 0.8
/** Captions a day that each one that comes adds: a tenth for a day at the bound. */
export const CAPTIONS_GROWTH = 0.1

/** Returns the captions a day after a block, given what came in the day before; null where none are known. */
export function captionsAfterBlock(known: number | null, came: number): number | null {
  if (came < CAPTIONS_TOLD_MIN) return known
  return Math.min(known ?? Infinity, Math.floor(came * CAPTIONS_KEPT))
}

/** Returns that a day has room for captions again, with the minute (UTC). */
export function roomSentence(roomAt: Date): string {
  const minute = roomAt.toISOString().slice(0, 16).replace('T', ' ')
  return `There is room again at ${minute} UTC: send the same URLs again then.`
}

/** How long a session identity is used; measured reports of 2026-10 used an hour. */
export const IDENTITY_LIFE_MS = 3_600_000
/** Time that one lease covers, so that a process that ends wastes little. */
export const LEASE_MS = 500
export const PERMITS_MAX = 500
/** Number of answered requests in which a route climbs from nothing to its ceiling. */
export const ANSWERS_TO_CEILING = 1000

export function permitsPerLease(ratePerMinute: number): number {
  const permits = Math.floor((ratePerMinute / 60_000) * LEASE_MS)
  return Math.min(PERMITS_MAX, Math.max(1, permits))
}

/** Returns the rate after answered requests (additive increase): each earns the same small step. */
export function raisedRate({ ratePerMinute }: RouteTerms, rate: number, answered: number): number {
  const step = (ratePerMinute.ceiling * answered) / ANSWERS_TO_CEILING
  return Math.min(ratePerMinute.ceiling, rate + step)
}

/** Returns the rate after a block (multiplicative decrease). */
export function loweredRate({ ratePerMinute }: RouteTerms, rate: number): number {
  return Math.max(ratePerMinute.floor, rate / 2)
}

/**
 * Returns how long a route rests after its `blocks`-th block in a row, in milliseconds. What the platform itself asked
 * for (`Retry-After`) is never undercut. `jitter` is from 0 to 1: over several routes and processes the returns spread
 * over half a rest.
 */
export function restAfterBlock(
  { restMs, blocksForgiven }: RouteTerms,
  { blocks, retryAfterMs, jitter }: { blocks: number; retryAfterMs: number | null; jitter: number },
): number {
  const counted = blocks - blocksForgiven
  const grown = counted < 1 ? 0 : Math.min(restMs.longest, restMs.first * 2 ** (counted - 1))
  return Math.max(retryAfterMs ?? 0, Math.round(grown * (1 + jitter / 2)))
}
