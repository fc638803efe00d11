/** Opens the platform as one thing: its client profiles, its egress routes and their shared budget. */
import assert from 'node:assert/strict'
import type { OnExchange } from '../egress/connections.ts'
import { isLoopback, loopbackRoute, directRoute, type EgressRoute } from '../egress/route.ts'
import { type RoutePool, openRoutePool } from '../egress/route-pool.ts'
import type { RouteBudget } from '../../model/platform/route-budget.ts'
import { type DriftWatch, openDriftWatch } from '../drift/drift-watch.ts'
import { OPERATOR, openWork, type Work } from '../../kit/fair-queue.ts'
import { openFlights } from '../../kit/flights.ts'
import { LOOPBACK_LIMITS, PLATFORM_LIMITS, type PlatformLimits } from '../limits.ts'
import type {
  Counted,
  Obstruction,
  OfferAnswer,
  OfferInput,
  PageInput,
  Platform,
  PlatformCalls,
  RefusedVideo,
  VideoAnswer,
  VideoFacts,
  VideoInput,
} from '../platform.ts'
import type { RefusalReason } from '../../model/platform/refusal.ts'
import { requestPublishedAt } from './calls.ts'
import { openClientPool } from './client-pool.ts'
import { CLIENT_PROFILES, type ClientProfile } from './clients.ts'
import { type RouteWork, withFailover } from './failover.ts'
import { type MaskFault, openFieldMasks } from './field-masks.ts'
import { askVideo } from './fetch-video.ts'
import { noClientFor } from './refused-version.ts'
import { askPage } from './list-page.ts'
import { openLongReader } from './long-captions.ts'
import { openIdentities } from './identities.ts'
import { noteDate, noteList } from './note-visits.ts'
import { describeObstacle, isObstructed, type Obstructed } from './obstacle.ts'
import { NO_NAMES } from './player.ts'
import { openProofTokens, type ProofTokenOptions } from './proof-tokens.ts'
import { openRecentAnswers } from './recent-answers.ts'
import { resolveChannel } from './resolve.ts'
import type { JudgedRefusal } from './verdict.ts'
import type { VideoKnown, VideoOutcome, VideoQuestion } from './video-visit.ts'
import type { FindDelivered, RequestContext, RequestReport } from './session.ts'

/** The settings of the platform, read early so that a wrong one is refused before a database is started. */
export type PlatformSettings = {
  /** The routes from `readRoutes`; an empty list means the default: direct, and unpaced towards a loopback origin. */
  routes: readonly EgressRoute[]
  /** The profiles from `readClientProfiles`; null means those of this release. */
  clients: readonly ClientProfile[] | null
}

export type ClientHooks = {
  /** Called when the platform no longer accepts the version of a client, and below when it answers it (again). */
  onClientRetired?: (client: ClientProfile) => void
  onClientAccepted?: (client: ClientProfile, before: { wasRetired: boolean }) => void
}

export type PlatformOptions = PlatformSettings &
  ClientHooks & {
    /** The origin that gets every request instead (`PLATFORM_ORIGIN`); null is the platform itself. */
    origin: string | null
    budget: RouteBudget
    limits?: Partial<PlatformLimits>
    now: () => Date
    /** A clock in milliseconds that never goes back; the process's own, unless a test lets time pass faster. */
    clock?: () => number
    onRequest?: (report: RequestReport) => void
    /** Takes every exchange with the platform and the provider of tokens; the service has none recorded. */
    onExchange?: OnExchange | null
    /** The watch that learns of every visit; without it the platform opens its own. */
    watch?: DriftWatch
    /**
     * Whether `$fields` masks are used, which save nine tenths of a player reply; false if the platform stops honouring
     * them.
     */
    useFieldMasks?: boolean
    /** Address of the provider of tokens of proof (`PO_TOKEN_URL`); without it there are none. */
    tokenProvider?: string | null
    onToken?: ProofTokenOptions['onToken']
    /** Finds what other processes had delivered; without it a process knows of its own deliveries alone. */
    findDelivered?: FindDelivered
    /** Called once, when masks hid something of two videos and are switched off. */
    onMasksOff?: (fault: MaskFault) => void
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
  const profiles = options.clients ?? CLIENT_PROFILES
  const clients = openClientPool(profiles, {
    ...limits,
    clock,
    onRetired: options.onClientRetired,
    onAccepted: options.onClientAccepted,
  })
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
      onExchange: options.onExchange ?? null,
      clients,
      recent: openRecentAnswers(),
      findDelivered: options.findDelivered ?? (() => Promise.resolve(null)),
      identities: openIdentities({ ...limits, clock }),
      tokens: openProofTokens({
        provider: options.tokenProvider ?? null,
        now,
        onToken: options.onToken,
        onExchange: options.onExchange ?? null,
      }),
      witnesses: openFlights(),
      watch,
      masks: openFieldMasks({
        ...limits,
        areUsed: options.useFieldMasks ?? true,
        clock,
        onOff: options.onMasksOff,
      }),
      longReader: openLongReader(limits),
      guard: null,
    },
    routePool: openRoutePool(routes, { budget, clock, connectMs, work }),
    work,
    routes,
    profiles,
  }
}

type RoutesAsked = { origin: string | null; routes: readonly EgressRoute[] }

/** Returns the configured routes, or the one of an installation without any. */
export function routesInUse({ origin, routes }: RoutesAsked): readonly EgressRoute[] {
  if (routes.length > 0) return routes
  return [origin !== null && isLoopback(origin) ? loopbackRoute() : directRoute()]
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
  return {
    fetchVideo: (ask, signal) => fetchVideo(parts, ask, signal),
    askOffer: (ask, signal) => askOffer(parts, ask, signal),
    fetchPublishedAt(ask, signal) {
      const { videoId } = ask
      return askListClient(parts, { ask, subject: videoId, signal }, async (session) => {
        const reading = await requestPublishedAt(session, videoId)
        noteDate(session, videoId, reading)
        return reading
      })
    },
    findChannel: (ask, signal) =>
      askListClient(parts, { ask, subject: ask.path, signal }, (session) =>
        resolveChannel(session, ask.path),
      ),
    listPage: (ask, signal) =>
      askListClient(parts, { ask, subject: listSubject(ask), signal }, async (session) => {
        const page = await askPage(session, ask)
        noteList(session, ask, page)
        return page
      }),
  }
}

/** Asks a question that is for the client of lists and dates. */
async function askListClient<T extends object>(
  { context, routePool: routes }: PlatformDeps,
  { ask, subject, signal }: { ask: Counted; subject: string; signal: AbortSignal },
  work: RouteWork<T>,
): Promise<T | Obstruction> {
  const closed = noClientFor(context.clients, 'date_and_lists')
  if (closed !== null) return described(closed)
  const question = { context: counting(context, ask.onCall), routes, signal, subject }
  const result = await withFailover(question, work)
  return isObstructed(result) ? described(result) : result
}

/** Returns the context of a question whose requests are told to its asker, too. */
function counting(context: RequestContext, onCall: Counted['onCall']): RequestContext {
  const onRequest = (report: RequestReport): void => {
    onCall?.()
    context.onRequest(report)
  }
  return { ...context, onRequest }
}

const DIFFERENT_ELSEWHERE: ReadonlySet<RefusalReason> = new Set(['region_blocked', 'replaced'])

async function fetchVideo(
  parts: PlatformDeps,
  ask: VideoInput,
  signal: AbortSignal,
): Promise<VideoAnswer> {
  const { result, facts } = await visitVideo(parts, { ...ask, wantsWords: true }, signal)
  assert(result.kind !== 'offered', 'words were wanted')
  if (result.kind === 'fetched') parts.work.add(parts.context.share, -GIVEN_BACK)
  return { ...result, facts }
}

async function askOffer(
  parts: PlatformDeps,
  { onCall, ...ask }: OfferInput,
  signal: AbortSignal,
): Promise<OfferAnswer> {
  const asking = { ...parts, context: counting(parts.context, onCall) }
  const question = { ...ask, wantsDate: false, wantsWords: false }
  const { result, facts } = await visitVideo(asking, question, signal)
  assert(result.kind !== 'fetched', 'no words were wanted')
  return { ...result, startsAt: facts.startsAt }
}

type Visited = { result: Exclude<VideoOutcome, JudgedRefusal> | RefusedVideo | Obstruction }

async function visitVideo(
  { context, routePool: routes }: PlatformDeps,
  ask: VideoQuestion,
  signal: AbortSignal,
): Promise<Visited & { facts: VideoFacts }> {
  const facts: VideoFacts = { ...NO_NAMES, publishedAt: null }
  const known: VideoKnown = { facts, causes: [] }
  const closed = noClientFor(context.clients, 'captions')
  if (closed !== null) return { result: described(closed), facts }
  const result = await withFailover<VideoOutcome>(
    {
      context: { ...context, guard: ask.guard ?? null },
      routes,
      signal,
      subject: ask.videoId,
      isForCaptions: ask.wantsWords,
      mayDiffer: (outcome) =>
        outcome.kind === 'refused' &&
        (outcome.mayDiffer === true || DIFFERENT_ELSEWHERE.has(outcome.refusal.reason)),
      isDoubted: (outcome) => outcome.kind === 'refused' && outcome.refusal.isDoubted === true,
      isDelivery: (outcome) => outcome.kind === 'fetched',
    },
    (session) => askVideo(session, ask, known),
  )
  if (isObstructed(result)) return { result: described(result, context.now()), facts }
  if (result.kind === 'refused')
    return { result: { kind: result.kind, refusal: result.refusal }, facts }
  return { result, facts }
}

/** Returns the subject of a page: all pages of a list are one, whatever reads them. */
function listSubject({ source }: PageInput): string {
  return source.kind === 'playlist' ? source.playlistId : source.name
}

function described({ obstacle }: Obstructed, now: Date | null = null): Obstruction {
  return { kind: 'obstructed', obstacle: describeObstacle(obstacle, now) }
}
