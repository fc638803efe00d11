/** Obstacles: every way in which the platform's reply is no answer, each with its name and what it blames. */
import { platformSays } from '../../model/platform/platform-says.ts'
import type { Obstacle } from '../../model/platform/refusal.ts'
import { roomSentence } from '../../model/platform/route-budget.ts'

/**
 * What an obstacle blames.
 *
 *     route    the exit or its session identity seems to be refused: another route is tried
 *     client   this client profile is refused: the next one may be answered
 *     once     it may be gone at the next try
 *     nobody   none of these: an answer that was never seen before, for example
 */
type Blame = 'route' | 'client' | 'once' | 'nobody'

export type ObstacleRule = { kind: Obstacle['kind']; blame: Blame; text: string }

function blocked(blame: Blame, text: string): ObstacleRule {
  return { kind: 'blocked', blame, text }
}

function failed(blame: Blame, text: string): ObstacleRule {
  return { kind: 'failed', blame, text }
}

/** The rules, from texts and signs that were collected until 2026-10; customers read `text`. */
const RULES = {
  bot_check: blocked('route', 'The platform asked for a sign-in to prove that we are not a robot'),
  // The words are unknown: a new form of the check, or a video for signed-in people.
  sign_in: blocked('route', 'The platform asked for a sign-in in words that we do not know'),
  captcha: blocked('route', 'The platform answered with a captcha'),
  session_limit: blocked('route', 'The platform is limiting our requests at the moment'),
  rate_limited: blocked('route', 'The platform answered that we are asking too often'),
  forbidden: blocked('route', 'The platform refused the request'),
  block_page: blocked('route', 'The platform answered with a block page'),
  page_instead: blocked(
    'route',
    'The platform answered with a web page, or with a part of its answer',
  ),
  unseen: blocked('route', 'The platform keeps giving answers that we do not know'),
  decoy: blocked('route', 'The platform answered with another video than the one asked for'),
  withheld: blocked('client', 'The platform lists captions but withholds their words'),
  no_token: blocked('client', 'The platform wants a token of proof, and the provider gave none'),
  reload: blocked('client', 'The platform did not let its player load'),
  not_embeddable: failed('client', 'The owner does not allow the video on other websites'),
  embed_refused: failed('client', 'The platform refused the embedded player'),
  unconfirmed: blocked(
    'client',
    'Some of the platform’s apps list no captions, the others did not answer',
  ),
  // The client is blamed, so that the route is suspicious only where another one delivers what this one denied.
  denies_all: blocked(
    'client',
    'The platform is refusing every video at the moment, even one that it showed before',
  ),
  retired: blocked('client', 'The platform no longer accepts the app version that we use'),
  bad_request: failed('client', 'The platform did not understand the request'),
  unreachable: failed('once', 'The platform could not be reached'),
  timed_out: failed('once', 'The platform did not answer in time'),
  truncated: failed('once', 'The answer of the platform broke off'),
  nothing: failed('once', 'The answer of the platform held nothing'),
  server_error: failed('once', 'The platform had an error of its own'),
  not_found: failed('once', 'The platform answered that there is nothing at this address'),
  track_gone: failed('once', 'The address of the captions was no longer valid'),
  too_large: failed('nobody', 'The answer of the platform was larger than we accept'),
  read_too_long: failed('nobody', 'The captions took longer to read than we allow'),
  read_crashed: failed('nobody', 'The captions could not be read with the memory that we allow'),
  unreadable: failed('nobody', 'The platform answered in a form that we do not know'),
  unknown: failed('nobody', 'The platform gave an answer that we do not know'),
  no_client: blocked(
    'nobody',
    'The platform accepts none of the app versions that we use at the moment',
  ),
  spent: blocked(
    'nobody',
    'Every route that we have has fetched as many captions as the platform lets it fetch in a day',
  ),
  no_route: blocked('nobody', 'The platform is blocking every route that we have at the moment'),
} satisfies Record<string, ObstacleRule>

/** Obstacles that are blocks whatever was asked for; others that blame the route may be about the video. */
const UNMISTAKABLE: ReadonlySet<ObstacleName> = new Set(['rate_limited', 'block_page'])
/** Checks for robots, which are not about the video where another route or visitor is given it. */
const CHECKS: ReadonlySet<ObstacleName> = new Set([
  'bot_check',
  'sign_in',
  'captcha',
  'session_limit',
])
/** Answers that were never seen before; another route may bring a known one. */
const NEVER_SEEN: ReadonlySet<ObstacleName> = new Set(['unknown', 'unreadable'])

export type ObstacleName = keyof typeof RULES

export type NamedObstacle = {
  name: ObstacleName
  /** The platform's own words; null where it gave none. */
  said: string | null
  /** A fact in our words, such as `HTTP 400`; null where the rule says it all. */
  fact: string | null
  /** How long the platform asked to wait, in milliseconds; null where it did not say. */
  retryAfterMs: number | null
}

export type Obstructed = { kind: 'obstructed'; obstacle: NamedObstacle }

export function obstacle(name: ObstacleName, more: Partial<NamedObstacle> = {}): NamedObstacle {
  return { said: null, fact: null, retryAfterMs: null, ...more, name }
}

export function obstructed(name: ObstacleName, more: Partial<NamedObstacle> = {}): Obstructed {
  return { kind: 'obstructed', obstacle: obstacle(name, more) }
}

export function isObstructed<T extends object>(result: T | Obstructed): result is Obstructed {
  return 'obstacle' in result
}

export function ruleOf({ name }: NamedObstacle): ObstacleRule {
  return RULES[name]
}

export function isUnmistakable({ name }: NamedObstacle): boolean {
  return UNMISTAKABLE.has(name)
}

export function isCheck({ name }: NamedObstacle): boolean {
  return CHECKS.has(name)
}

export function isNeverSeen({ name }: NamedObstacle): boolean {
  return NEVER_SEEN.has(name)
}

/**
 * Whether an obstacle may be gone at the next try. NOT_FOUND in InnerTube's own words is an answer; a bare 404 comes
 * and goes.
 */
export function isPassing(found: NamedObstacle): boolean {
  return ruleOf(found).blame === 'once' && found.said !== 'NOT_FOUND'
}

/** Whether a request broke on its way; behind a proxy, the proxy may be the cause. */
export function isOutOfReach({ name }: NamedObstacle): boolean {
  return name === 'unreachable' || name === 'timed_out' || name === 'truncated'
}

/** Returns the obstacle for the rest of the service: up to three sentences, without addresses or secrets. */
export function describeObstacle(found: NamedObstacle, now: Date | null = null): Obstacle {
  const { kind, text } = ruleOf(found)
  const { retryAfterMs } = found
  if (found.name === 'spent' && now !== null && retryAfterMs !== null) {
    const room = roomSentence(new Date(now.getTime() + retryAfterMs))
    return { kind, text: `${text}. ${room}`, retryAfterMs, isSpent: true }
  }
  const fact = found.fact === null ? '' : ` (${found.fact})`
  const said = platformSays(found.said)
  return { kind, text: `${text}${fact}.${said === null ? '' : ` ${said}`}`, retryAfterMs }
}
