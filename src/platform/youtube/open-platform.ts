/** Opens the platform as one thing: its client profiles, its egress routes and their shared budget. */
import { NO_DETAILS } from '../../model/library/video-details.ts'
import { isLoopback, loopbackRoute, directRoute, type EgressRoute } from '../egress/route.ts'
import { type RoutePool, openRoutePool } from '../egress/route-pool.ts'
import type { RouteBudget } from '../../model/platform/route-budget.ts'
import { type DriftWatch, openDriftWatch } from '../drift/drift-watch.ts'
import { OPERATOR, openWork, type Work } from '../../kit/fair-queue.ts'
import { LOOPBACK_LIMITS, PLATFORM_LIMITS, type PlatformLimits } from '../limits.ts'
import type {
  Counted,
  PageInput,
  Platform,
  PlatformCalls,
  VideoAnswer,
  VideoInput,
  VideoFacts,
} from '../platform.ts'
import type { Obstacle, RefusalReason } from '../../model/platform/refusal.ts'
import { type ClientPool, openClientPool } from './client-pool.ts'
import { CLIENT_PROFILES, type ClientProfile } from './clients.ts'
import { type Failover, withFailover } from './failover.ts'
import { type FieldMasks, type MaskFault, openFieldMasks } from './field-masks.ts'
import { askVideo, type VideoOutcome } from './fetch-video.ts'
import { askChannel, askPage } from './list-page.ts'
import { openLongReader } from './long-captions.ts'
import { noteDate, noteList } from './note-visits.ts'
import { openRecentAnswers } from './recent-answers.ts'
import { describeObstacle, type Obstructed } from './obstacle.ts'
import { closedFor } from './heed-version.ts'
import type { RequestContext, RequestReport } from './request-context.ts'

export type PlatformOptions = {
  /** The origin that gets every request instead (`PLATFORM_ORIGIN`); null is the platform itself. */
  origin: string | null
  /** The routes from `readRoutes`; an empty list means the default: direct, and unpaced towards a loopback origin. */
  routes: readonly EgressRoute[]
  budget: RouteBudget
  /** The profiles from `readClientProfiles`; null means those of this release. */
  clients: readonly ClientProfile[] | null
  limits?: Partial<PlatformLimits>
  now: () => Date
  /** A clock in milliseconds that never goes back; the process's own, unless a test lets time pass faster. */
  clock?: () => number
  onRequest?: (report: RequestReport) => void
  /** The watch that learns of every visit; without it the platform opens its own. */
  watch?: DriftWatch
  /**
   * Whether `$fields` masks are used, which save nine tenths of a player reply; false if the platform stops honouring
   * them.
   */
  useFieldMasks?: boolean
  /** Called once, when masks hid something of two videos and are switched off. */
  onMasksOff?: (fault: MaskFault) => void
  /** Called when the platform no longer accepts the version of a client, and below when it answers it (again). */
  onClientRetired?: (client: ClientProfile) => void
  onClientAccepted?: (client: ClientProfile, before: { wasRetired: boolean }) => void
}

export type PlatformDeps = {
  context: RequestContext
  routePool: RoutePool
  /** The requests that each account had let out, which decide whose turn it is. */
  work: Work
  routes: readonly EgressRoute[]
  /** The client profiles from the start, retired or not. */
  profiles: readonly ClientProfile[]
}

/** Opens the platform without a connection yet. Close it to end what is under way. */
export function openPlatform(options: PlatformOptions): Platform {
  return platformOf(openParts(options))
}

export function openParts(options: PlatformOptions): PlatformDeps {
  const { budget, now, clock = () => performance.now() } = options
  const origin = options.origin === null ? null : new URL(options.origin).origin
  const isNear = origin !== null && isLoopback(origin)
  const limits = { ...(isNear ? LOOPBACK_LIMITS : PLATFORM_LIMITS), ...options.limits }
  const work = openWork()
  const routes = routesInUse(options)
  const { connectMs } = limits
  const clients = clientsOf(options, { limits, clock })
  const watch = options.watch ?? openDriftWatch()
  watch.followOrder({
    first: () => clients.clientsFor('captions')[0]?.name ?? null,
    retired: clients.retired,
  })
  return {
    context: {
      share: OPERATOR,
      limits,
      origin,
      now,
      clock,
      onRequest: options.onRequest ?? (() => {}),
      clients,
      recent: openRecentAnswers(),
      identities: new Map(),
      watch,
      masks: masksOf(options, { limits, clock }),
      longReader: openLongReader(limits),
      guard: null,
    },
    routePool: openRoutePool(routes, { budget, clock, connectMs, work }),
    work,
    routes,
    profiles: options.clients ?? CLIENT_PROFILES,
  }
}

/** Returns the configured routes, or the one of an installation without any. */
export function routesInUse({
  origin,
  routes,
}: Pick<PlatformOptions, 'origin' | 'routes'>): readonly EgressRoute[] {
  if (routes.length > 0) return routes
  return [origin !== null && isLoopback(origin) ? loopbackRoute() : directRoute()]
}

type Times = { limits: PlatformLimits; clock: () => number }

function clientsOf(options: PlatformOptions, { limits, clock }: Times): ClientPool {
  const { clientRestMs, refusedRestMs, closedFirstMs } = limits
  return openClientPool(options.clients ?? CLIENT_PROFILES, {
    clock,
    clientRestMs,
    refusedRestMs,
    closedFirstMs,
    onRetired: options.onClientRetired,
    onAccepted: options.onClientAccepted,
  })
}

function masksOf(options: PlatformOptions, { limits, clock }: Times): FieldMasks {
  const { maskEvidenceMs: evidenceMs, maskAcquittalMs: acquittalMs } = limits
  return openFieldMasks({
    areUsed: options.useFieldMasks ?? true,
    clock,
    evidenceMs,
    acquittalMs,
    onOff: options.onMasksOff,
  })
}

/**
 * The part of a delivered video's usual three requests that its account is given back: a paid request weighs a tenth.
 * So accounts that deliver go before those that only list, and none starves.
 */
const GIVEN_BACK = 2.7

export function platformOf(parts: PlatformDeps): Platform {
  return {
    ...callsOf(parts),
    onBehalfOf: (share) => callsOf({ ...parts, context: { ...parts.context, share } }),
    close: async () => {
      await Promise.all([parts.routePool.close(), parts.context.longReader.close()])
    },
  }
}

function callsOf(parts: PlatformDeps): PlatformCalls {
  const { context, routePool: routes } = parts
  return {
    fetchVideo: (ask, signal) => fetchVideo(parts, ask, signal),
    async fetchPublishedAt(ask, signal) {
      const closed = closedFor(context.clients, 'date_and_lists')
      if (closed !== null) return told(closed)
      const { videoId } = ask
      const asked = { context: counting(context, ask), routes, signal, subject: videoId }
      const result = await withFailover(asked, async (session) => {
        const reading = await session.publishedAt(videoId)
        noteDate(session, videoId, reading)
        return reading.kind === 'obstructed' ? reading : { kind: 'answered', answer: reading }
      })
      return result.kind === 'answered' ? result.answer : told(result)
    },
    async findChannel(ask, signal) {
      const closed = closedFor(context.clients, 'date_and_lists')
      if (closed !== null) return told(closed)
      const { path } = ask
      const asked = { context: counting(context, ask), routes, signal, subject: path }
      const result = await withFailover(asked, (session) => askChannel(session, path))
      return result.kind === 'answered' ? result.answer : told(result)
    },
    async listPage(ask, signal) {
      const closed = closedFor(context.clients, 'date_and_lists')
      if (closed !== null) return told(closed)
      const asked = { context: counting(context, ask), routes, signal, subject: subjectOf(ask) }
      const result = await withFailover(asked, async (session) => {
        const page = await askPage(session, ask)
        noteList(session, ask, page)
        return page
      })
      return result.kind === 'answered' ? result.answer : told(result)
    },
  }
}

const DIFFERENT_ELSEWHERE: ReadonlySet<RefusalReason> = new Set(['region_blocked', 'replaced'])

async function fetchVideo(
  { context, routePool: routes, work }: PlatformDeps,
  ask: VideoInput,
  signal: AbortSignal,
): Promise<VideoAnswer> {
  const facts: VideoFacts = {
    title: null,
    channelName: null,
    publishedAt: null,
    canonicalId: null,
    details: NO_DETAILS,
  }
  const closed = closedFor(context.clients, 'captions')
  if (closed !== null) return { ...told(closed), facts }
  const question: Failover<VideoOutcome> = {
    context: { ...context, guard: ask.guard ?? null },
    routes,
    signal,
    subject: ask.videoId,
    mayDiffer: (outcome) =>
      outcome.kind === 'refused' && DIFFERENT_ELSEWHERE.has(outcome.refusal.reason),
    isDelivery: (outcome) => outcome.kind === 'fetched',
  }
  const result = await withFailover(question, (session) => askVideo(session, ask, facts))
  if (result.kind === 'obstructed') return { ...told(result), facts }
  if (result.answer.kind === 'fetched') work.add(context.share, -GIVEN_BACK)
  return { ...result.answer, facts }
}

/** Returns the subject of a page: all pages of a list are one, whatever reads them. */
function subjectOf({ source }: PageInput): string {
  return source.kind === 'playlist' ? source.playlistId : source.name
}

/** Returns a context that calls `onCall` for each request that the answer takes. */
function counting(context: RequestContext, { onCall }: Counted): RequestContext {
  if (onCall === undefined) return context
  const onRequest = (report: RequestReport): void => {
    onCall()
    context.onRequest(report)
  }
  return { ...context, onRequest }
}

function told({ obstacle }: Obstructed): { kind: 'obstructed'; obstacle: Obstacle } {
  return { kind: 'obstructed', obstacle: describeObstacle(obstacle) }
}
