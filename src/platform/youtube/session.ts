/** A session: one question's stay on one route, as one visitor for each client, and what its requests need. */
import type { Share } from '../../kit/fair-queue.ts'
import type { Flights } from '../../kit/flights.ts'
import type { Question } from '../../model/platform/visit.ts'
import type { DriftWatch } from '../drift/drift-watch.ts'
import type { OnExchange } from '../egress/connections.ts'
import type { RouteLease } from '../egress/route-pool.ts'
import type { PlatformLimits } from '../limits.ts'
import type { ReadingGuard } from '../platform.ts'
import type { ClientPool } from './client-pool.ts'
import type { FieldMasks } from './field-masks.ts'
import type { Identities } from './identities.ts'
import type { CallName } from './innertube.ts'
import type { LongReader } from './long-captions.ts'
import type { NamedObstacle } from './obstacle.ts'
import type { ProofTokens } from './proof-tokens.ts'
import type { ProvenVideo, RecentAnswers } from './recent-answers.ts'

export type Session = {
  readonly context: RequestContext
  readonly lease: RouteLease
  /** Ends the session's requests. */
  readonly signal: AbortSignal
  /**
   * Whether the last request met an accident at every try; another client's is then tried once. And whether captions
   * were asked for again after a 429, which a session does once.
   */
  readonly reach: { isDoubted: boolean; hasAskedAgain: boolean }
  /** How the clients for dates and lists fared, by the question. */
  readonly turns: Map<Question, Turn>
}

type Turn = {
  /** The client whose answer or obstacle was the last to stand. */
  spoke: string
  /** Obstacles of the other clients, null where they denied what was asked for. */
  failed: Map<string, NamedObstacle | null>
}

export function openSession(
  context: RequestContext,
  lease: RouteLease,
  signal: AbortSignal,
): Session {
  const reach = { isDoubted: false, hasAskedAgain: false }
  return { context, lease, signal, reach, turns: new Map() }
}

/** Means of requests, and the account and job for which they go out. */
export type RequestContext = {
  /** The account and job that ask: permits are shared fairly among them. */
  share: Share
  limits: PlatformLimits
  /** The origin that gets every request instead, whatever host it names; null is the platform itself. */
  origin: string | null
  now: () => Date
  /** A clock in milliseconds that never goes back. */
  clock: () => number
  onRequest: (report: RequestReport) => void
  /** Records every exchange, for the doctor; null where none is recorded. */
  onExchange: OnExchange | null
  clients: ClientPool
  recent: RecentAnswers
  /** Finds a proven video that any process had delivered, for one that had none. */
  findDelivered: FindDelivered
  identities: Identities
  tokens: ProofTokens
  /** Witnesses that are being asked for, by the route and its epoch. */
  witnesses: Flights
  /** The watch that learns of every visit, and notices when the platform changes. */
  watch: DriftWatch
  masks: FieldMasks
  /** Reads captions that are too long for the main thread. */
  longReader: LongReader
  /** Called around the reading of each reply; null where no caller wants it. */
  guard: ReadingGuard | null
}

/** Returns a video outside of `not` that was delivered, preferably to another account; null where there is none. */
export type FindDelivered = (asked: {
  not: readonly string[]
  accountId: string
}) => Promise<ProvenVideo | null>

/** A report of one request for metrics and logs; it never has an address or a secret. */
export type RequestReport = {
  call: CallName
  client: string
  route: string
  /** The word `ok`, or the name of the obstacle. */
  outcome: string
  ms: number
  /** Bytes as received, compressed. */
  bytes: number
}
