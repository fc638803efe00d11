/** Opens the platform: its client profiles, its egress routes and their shared budget, as one thing. */
import { isLoopback, loopbackRoute, directRoute, type EgressRoute } from './egress/route.ts'
import { type Lanes, openLanes } from './egress/lanes.ts'
import type { RouteBudget } from './egress/route-budget.ts'
import { OPERATOR, openWork, type Work } from './fair-line.ts'
import { LOOPBACK_LIMITS, PLATFORM_LIMITS, type PlatformLimits } from './limits.ts'
import type {
  ChannelAnswer,
  DateAnswer,
  ListingAnswer,
  PageAsk,
  Platform,
  Questions,
  VideoAnswer,
  VideoAsk,
  VideoFacts,
} from './platform.ts'
import type { Asking, RequestReport } from './youtube/asking.ts'
import { CLIENT_PROFILES, type ClientProfile } from './youtube/clients.ts'
import { visitVideo } from './youtube/fetch-video.ts'
import { toObstacle } from './youtube/hurdle.ts'
import { visitChannel, visitPage } from './youtube/list-page.ts'
import { openLongReader } from './youtube/long-captions.ts'
import { askDate, type DateReading } from './youtube/publish-date.ts'
import { askOnRoutes } from './youtube/question.ts'
import { openRoster, type Roster } from './youtube/roster.ts'

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
  asking: Asking
  lanes: Lanes
  /** Requests that each account had let out, for whose turn it is. */
  work: Work
  roster: Roster
  routes: readonly EgressRoute[]
  useFieldMasks: boolean
}

/** Opens no connection yet. Close it to end what is under way. */
export function openPlatform(options: PlatformOptions): Platform {
  return platformOf(openParts(options))
}

export function openParts(options: PlatformOptions): PlatformParts {
  const { origin, budget, now } = options
  const isNear = origin !== null && isLoopback(origin)
  const defaults = isNear ? LOOPBACK_LIMITS : PLATFORM_LIMITS
  const limits = { ...defaults, ...options.limits }
  const clock = (): number => performance.now()
  const work = openWork()
  const ownRoute = isNear ? loopbackRoute() : directRoute()
  const routes = options.routes.length > 0 ? options.routes : [ownRoute]
  const { connectMs, clientRestMs, refusedRestMs } = limits
  return {
    asking: {
      share: OPERATOR,
      limits,
      origin,
      now,
      clock,
      onRequest: options.onRequest ?? (() => {}),
      longReader: openLongReader(limits),
      guard: null,
    },
    lanes: openLanes(routes, { budget, clock, connectMs, work }),
    work,
    roster: openRoster(options.clients ?? CLIENT_PROFILES, { clock, clientRestMs, refusedRestMs }),
    routes,
    useFieldMasks: options.useFieldMasks ?? true,
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
    onBehalfOf: (share) => questionsOf({ ...parts, asking: { ...parts.asking, share } }),
    close: async () => {
      await Promise.all([parts.lanes.close(), parts.asking.longReader.close()])
    },
  }
}

function questionsOf(parts: PlatformParts): Questions {
  return {
    fetchVideo: (ask, signal) => fetchVideo(parts, ask, signal),
    fetchPublishedAt: (videoId, signal) => fetchPublishedAt(parts, videoId, signal),
    findChannel: (path, signal) => findChannel(parts, path, signal),
    listPage: (ask, signal) => listPage(parts, ask, signal),
  }
}

async function fetchVideo(
  { asking, lanes, work, roster, useFieldMasks }: PlatformParts,
  ask: VideoAsk,
  signal: AbortSignal,
): Promise<VideoAnswer> {
  const facts: VideoFacts = { title: null, channelName: null, publishedAt: null }
  const guestClient = listClientOf(roster)
  const guarded = { ...asking, guard: ask.guard ?? null }
  const result = await askOnRoutes(
    asking,
    lanes,
    {
      guestClient,
      attempt: (hold, inTime) => {
        return visitVideo(
          { asking: guarded, roster, hold, ask, useFieldMasks, facts, date: null },
          inTime,
        )
      },
      mayDiffer: (outcome) =>
        outcome.kind === 'refused' && outcome.refusal.reason === 'region_blocked',
    },
    signal,
  )
  if (result.kind === 'hurdle')
    return { kind: 'obstructed', facts, obstacle: toObstacle(result.hurdle) }
  if (result.answer.kind === 'fetched') work.add(asking.share, -GIVEN_BACK)
  return { ...result.answer, facts }
}

async function fetchPublishedAt(
  { asking, lanes, roster, useFieldMasks }: PlatformParts,
  videoId: string,
  signal: AbortSignal,
): Promise<DateAnswer> {
  const client = listClientOf(roster)
  const result = await askOnRoutes<Exclude<DateReading, { kind: 'hurdle' }>>(
    asking,
    lanes,
    {
      guestClient: client,
      attempt: async (hold, inTime) => {
        const reading = await askDate(
          asking,
          hold,
          { videoId, client, isMasked: useFieldMasks },
          inTime,
        )
        return reading.kind === 'hurdle' ? reading : { kind: 'answered', answer: reading }
      },
    },
    signal,
  )
  if (result.kind === 'hurdle') return { kind: 'obstructed', obstacle: toObstacle(result.hurdle) }
  return result.answer
}

async function findChannel(
  { asking, lanes, roster }: PlatformParts,
  path: string,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const client = listClientOf(roster)
  const result = await askOnRoutes(
    asking,
    lanes,
    {
      guestClient: client,
      attempt: (hold, inTime) => visitChannel({ asking, hold, client }, path, inTime),
    },
    signal,
  )
  if (result.kind === 'hurdle') return { kind: 'obstructed', obstacle: toObstacle(result.hurdle) }
  return result.answer
}

async function listPage(
  { asking, lanes, roster, useFieldMasks }: PlatformParts,
  ask: PageAsk,
  signal: AbortSignal,
): Promise<ListingAnswer> {
  const client = listClientOf(roster)
  const onRequest = (report: RequestReport): void => {
    ask.onCall?.()
    asking.onRequest(report)
  }
  const result = await askOnRoutes(
    asking,
    lanes,
    {
      guestClient: client,
      attempt: (hold, inTime) =>
        visitPage(
          { asking: { ...asking, onRequest }, hold, client, isMasked: useFieldMasks },
          ask,
          inTime,
        ),
    },
    signal,
  )
  if (result.kind === 'hurdle') return { kind: 'obstructed', obstacle: toObstacle(result.hurdle) }
  return result.answer
}

function listClientOf(roster: Roster): ClientProfile {
  const [client] = roster.clientsFor('date_and_lists')
  if (client === undefined) throw new Error('no client profile has "use": "date_and_lists"')
  return client
}
