/** The request context: what every request to the platform needs, and on whose behalf it goes out. */
import type { Share } from '../../kit/fair-queue.ts'
import type { DriftWatch } from '../drift/drift-watch.ts'
import type { RateLimiter } from '../egress/rate-limiter.ts'
import type { PlatformLimits } from '../limits.ts'
import type { ReadingGuard } from '../platform.ts'
import type { ClientPool } from './client-pool.ts'
import type { FieldMasks } from './field-masks.ts'
import type { CallName } from './innertube.ts'
import type { LongReader } from './long-captions.ts'
import type { NamedObstacle } from './obstacle.ts'
import type { RecentAnswers } from './recent-answers.ts'

export type RequestContext = {
  /** On whose behalf is asked: permits to ask are shared fairly. */
  share: Share
  limits: PlatformLimits
  /** Where every request goes instead, whatever host it names; null is the platform itself. */
  origin: string | null
  now: () => Date
  /** Milliseconds, never going back. */
  clock: () => number
  onRequest: (report: RequestReport) => void
  clients: ClientPool
  recent: RecentAnswers
  /** Session identities that are being made, by the limiter of their route. */
  identities: Map<RateLimiter, MakingIdentity>
  /** Told of every visit: notices when the platform changes. */
  watch: DriftWatch
  masks: FieldMasks
  /** Reads captions that are too long for the main thread. */
  longReader: LongReader
  /** Stands by while a reply is read; null: nobody does. */
  guard: ReadingGuard | null
}

/** An identity on its way, for the `epoch` of its route. */
export type MakingIdentity = { epoch: number; made: Promise<string | NamedObstacle> }

/** One request as it went, for metrics and logs; never an address or a secret. */
export type RequestReport = {
  call: CallName
  client: string
  route: string
  /** `ok` or the name of the obstacle. */
  outcome: string
  ms: number
  /** Received, compressed. */
  bytes: number
}
