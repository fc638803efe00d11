/** Opens the platform: its client profiles, its egress routes and their shared budget, as one thing. */
import { isLoopback, loopbackRoute, directRoute, type EgressRoute } from './egress/route.ts'
import { type RoutePool, openRoutePool } from './egress/route-pool.ts'
import type { RouteBudget } from './egress/route-budget.ts'
import { OPERATOR, openWork, type Work } from './fair-queue.ts'
import { LOOPBACK_LIMITS, PLATFORM_LIMITS, type PlatformLimits } from './limits.ts'
import type { PageAsk, Platform, Questions, VideoAnswer, VideoAsk, VideoFacts } from './platform.ts'
import type { Obstacle } from './refusal.ts'
import { openClientPool } from './youtube/client-pool.ts'
import { CLIENT_PROFILES, type ClientProfile } from './youtube/clients.ts'
import { type Failover, withFailover } from './youtube/failover.ts'
import { askVideo, type VideoOutcome } from './youtube/fetch-video.ts'
import { askChannel, askPage } from './youtube/list-page.ts'
import { openLongReader } from './youtube/long-captions.ts'
import { describeObstacle, type Obstructed } from './youtube/obstacle.ts'
import type { RequestContext, RequestReport } from './youtube/request-context.ts'

export type PlatformOptions = {
  /** `PLATFORM_ORIGIN`: where every request goes instead; null is the platform itself. */
  origin: string | null
  /** From `readRoutes`; empty takes the default: direct, and unpaced towards a loopback origin. */
  routes: readonly EgressRoute[]
  budget: RouteBudget
  /** From `readClientProfiles`; null takes those of this release. */
  clients: readonly ClientProfile[] | null
  limits?: Partial<PlatformLimits>
  now: () => Date
  onRequest?: (report: RequestReport) => void
  /** `$fields` masks save nine tenths of a player reply; off, should the platform stop honouring them. */
  useFieldMasks?: boolean
}

export type PlatformParts = {
  context: RequestContext
  routePool: RoutePool
  /** Requests that each account had let out, for whose turn it is. */
  work: Work
  routes: readonly EgressRoute[]
}

/** Opens no connection yet. Close it to end what is under way. */
export function openPlatform(options: PlatformOptions): Platform {
  return platformOf(openParts(options))
}

export function openParts(options: PlatformOptions): PlatformParts {
  const { origin, budget, now } = options
  const isNear = origin !== null && isLoopback(origin)
  const limits = { ...(isNear ? LOOPBACK_LIMITS : PLATFORM_LIMITS), ...options.limits }
  const clock = (): number => performance.now()
  const work = openWork()
  const ownRoute = isNear ? loopbackRoute() : directRoute()
  const routes = options.routes.length > 0 ? options.routes : [ownRoute]
  const { connectMs, clientRestMs, refusedRestMs } = limits
  const times = { clock, clientRestMs, refusedRestMs }
  return {
    context: {
      share: OPERATOR,
      limits,
      origin,
      now,
      clock,
      onRequest: options.onRequest ?? (() => {}),
      clients: openClientPool(options.clients ?? CLIENT_PROFILES, times),
      useFieldMasks: options.useFieldMasks ?? true,
      longReader: openLongReader(limits),
      guard: null,
    },
    routePool: openRoutePool(routes, { budget, clock, connectMs, work }),
    work,
    routes,
  }
}

/**
 * What a delivered video is given back of the three requests that it usually takes: a request weighs a tenth
 * where it is paid for. So who delivers goes before who only lists, and nobody starves.
 */
const GIVEN_BACK = 2.7

function platformOf(parts: PlatformParts): Platform {
  return {
    ...questionsOf(parts),
    onBehalfOf: (share) => questionsOf({ ...parts, context: { ...parts.context, share } }),
    close: async () => {
      await Promise.all([parts.routePool.close(), parts.context.longReader.close()])
    },
  }
}

function questionsOf(parts: PlatformParts): Questions {
  const { context, routePool: routes } = parts
  return {
    fetchVideo: (ask, signal) => fetchVideo(parts, ask, signal),
    async fetchPublishedAt(videoId, signal) {
      const result = await withFailover({ context, routes, signal }, async (session) => {
        const reading = await session.publishedAt(videoId)
        return reading.kind === 'obstructed' ? reading : { kind: 'answered', answer: reading }
      })
      return result.kind === 'answered' ? result.answer : told(result)
    },
    async findChannel(path, signal) {
      const result = await withFailover({ context, routes, signal }, (session) =>
        askChannel(session, path),
      )
      return result.kind === 'answered' ? result.answer : told(result)
    },
    async listPage(ask, signal) {
      const counted = { ...context, onRequest: counting(context.onRequest, ask) }
      const result = await withFailover({ context: counted, routes, signal }, (session) =>
        askPage(session, ask),
      )
      return result.kind === 'answered' ? result.answer : told(result)
    },
  }
}

async function fetchVideo(
  { context, routePool: routes, work }: PlatformParts,
  ask: VideoAsk,
  signal: AbortSignal,
): Promise<VideoAnswer> {
  const facts: VideoFacts = { title: null, channelName: null, publishedAt: null }
  const question: Failover<VideoOutcome> = {
    context: { ...context, guard: ask.guard ?? null },
    routes,
    signal,
    mayDiffer: (outcome) =>
      outcome.kind === 'refused' && outcome.refusal.reason === 'region_blocked',
  }
  const result = await withFailover(question, (session) => askVideo(session, ask, facts))
  if (result.kind === 'obstructed') return { ...told(result), facts }
  if (result.answer.kind === 'fetched') work.add(context.share, -GIVEN_BACK)
  return { ...result.answer, facts }
}

/** Tells whoever wants the page of each request that it took. */
function counting(
  onRequest: (report: RequestReport) => void,
  { onCall }: PageAsk,
): (report: RequestReport) => void {
  return (report) => {
    onCall?.()
    onRequest(report)
  }
}

function told({ obstacle }: Obstructed): { kind: 'obstructed'; obstacle: Obstacle } {
  return { kind: 'obstructed', obstacle: describeObstacle(obstacle) }
}
