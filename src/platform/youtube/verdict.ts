/**
 * The verdict on one video that no client delivered: what their answers mean together, and whether to ask another one.
 *
 * Precedence: a definite cause that two clients bear out > an absence (no captions, or not available) that two clients
 * name and a witness bears out > a cause by one client's word, told with that doubt > blocked > failed. A single "no"
 * with obstacles at the others is never the video's fault, and a track that any client lists rules an absence out, and
 * one client's cause.
 */
import type { RefusedVideo } from '../platform.ts'
import { platformSays } from '../../model/platform/platform-says.ts'
import type { Refusal, RefusalReason } from '../../model/platform/refusal.ts'
import {
  isUnmistakable,
  type NamedObstacle,
  obstacle,
  type ObstacleName,
  type Obstructed,
  ruleOf,
} from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'
import type { Testimony } from './witness.ts'

/** An answer that brought no words. */
export type WordlessAnswer = Exclude<PlayerAnswer, { kind: 'tracks' }>

/** An answer and the name of its client; versions of one app have the app in common, which is else the client. */
export type ClientAnswer<Answer extends WordlessAnswer = WordlessAnswer> = {
  client: string
  app?: string
  answer: Answer
}

/** The answer of a client that named a cause. */
type NamedCause = ClientAnswer<WordlessAnswer & { kind: 'cause' }>

/**
 * A refusal. It may differ elsewhere where this route may be its cause: of an absence that no witness could bear out,
 * and of a cause that other clients could not bear out since the route refused them.
 */
export type JudgedRefusal = RefusedVideo & { mayDiffer?: boolean }

/** How many clients have to deny a video before that is about the video. */
const DENIALS_MIN = 2
/** How many clients have to be refused before that is about the route. */
const REFUSED_MIN = 2

/** Obstacles that end the visit on this route at once, since no other client could change them. */
const VISIT_ENDS = new Set<ObstacleName>(['no_route', 'read_too_long', 'read_crashed'])
/** Obstacles that end the visit on this route once several clients met one; one client alone may be refused itself. */
const ROUTE_ENDS = new Set<ObstacleName>([
  'rate_limited',
  'forbidden',
  'block_page',
  'session_limit',
  'captcha',
  'decoy',
  'unreachable',
  'timed_out',
])

/** Whether the answers are the route's fault, whatever other clients would say. */
export function isRouteEnd(answers: readonly ClientAnswer[]): boolean {
  const names = answers.flatMap(({ answer }) =>
    answer.kind === 'obstructed' ? [answer.obstacle.name] : [],
  )
  if (names.some((name) => VISIT_ENDS.has(name))) return true
  return names.filter((name) => ROUTE_ENDS.has(name)).length >= REFUSED_MIN
}

/** Whether several clients were refused in ways that speak against the route, which may have ended nothing. */
export function isRouteSuspect(answers: readonly ClientAnswer[]): boolean {
  const blaming = answers.filter(
    ({ answer }) => answer.kind === 'obstructed' && ruleOf(answer.obstacle).blame === 'route',
  )
  return blaming.length >= REFUSED_MIN || isRouteEnd(answers)
}

/** Whether one client alone met the obstacle on a route that answered others. */
export function isOfOneClient(answers: readonly ClientAnswer[], found: NamedObstacle): boolean {
  const isMet = answers.some(
    ({ answer }) => answer.kind === 'obstructed' && answer.obstacle === found,
  )
  const isAnswered = answers.some(({ answer }) => answer.kind !== 'obstructed')
  return isMet && isAnswered && !isRouteSuspect(answers)
}

/**
 * Whether another client could change the verdict: each one may list what the others deny. Only a definite cause ends
 * the asking, once a second client names it: one client may name it of every video, and another be without videos for
 * children. The caller then asks the age gate's client once, which may pass the gate.
 */
export function isOpen(answers: readonly ClientAnswer[]): boolean {
  return causeIn(answers)?.isSeconded !== true
}

export function isCause(each: ClientAnswer): each is NamedCause {
  return each.answer.kind === 'cause'
}

/** Whether the client says that there is nothing, without a cause: what it may say of every video. */
export function isDenial({ answer }: ClientAnswer): boolean {
  return answer.kind === 'no_tracks' || answer.kind === 'not_available'
}

/** Whether the answers make an absence, "no captions" or "not available", which needs a witness (witness.ts). */
export function isAbsence(answers: readonly ClientAnswer[]): boolean {
  return isOpen(answers) && absenceIn(answers.map(({ answer }) => answer)) !== null
}

/** Returns the answers where a witness was asked for: of a client that denies every video, its no is an obstacle. */
export function withTestimony(
  answers: readonly ClientAnswer[],
  testimony: Testimony,
): readonly ClientAnswer[] {
  if (typeof testimony === 'string') return answers
  return answers.map((each) => {
    const { facts } = each.answer
    return isDenial(each)
      ? { ...each, answer: { kind: 'obstructed', facts, obstacle: testimony } }
      : each
  })
}

/** Returns the verdict; `testimony` is what the witness of an absence said, and means nothing for other answers. */
export function verdictOf(
  clientAnswers: readonly ClientAnswer[],
  testimony: Testimony,
): JudgedRefusal | Obstructed {
  const told = withTestimony(clientAnswers, testimony)
  const answers = told.map(({ answer }) => answer)
  const cause = causeIn(told)
  if (cause?.isSure === true) return refusedVideo(cause.reason, cause.text)
  const absence = absenceIn(answers)
  if (absence !== null && isBelieved(answers, testimony))
    return { ...absence, mayDiffer: testimony === 'unknown' }
  if (cause === null || answers.some(listsTracks))
    return { kind: 'obstructed', obstacle: worstObstacle(answers) }
  const { reason, text } = cause
  const mayDiffer = isRouteEnd(told) || ruleOf(worstObstacle(answers)).blame === 'route'
  return { ...refusedVideo(reason, text, { isDoubted: true }), mayDiffer }
}

/**
 * Returns the cause that two clients name, or else the first one named. It is sure also where a client denies the video
 * without a cause, and none of them could play it or names another cause.
 */
function causeIn(
  answers: readonly ClientAnswer[],
): (Refusal & { isSeconded: boolean; isSure: boolean }) | null {
  const named = answers.filter(isCause)
  const [first] = named
  if (first === undefined) return null
  const seconded = named.find((each) =>
    named.some((other) => appOf(other) !== appOf(each) && other.answer.cause === each.answer.cause),
  )
  const { cause: reason, text } = (seconded ?? first).answer
  const isDenied = answers.some(({ answer }) => answer.kind === 'not_available')
  const isContradicted =
    named.some(({ answer }) => answer.cause !== reason) ||
    answers.some(({ answer }) => answer.kind === 'no_tracks' || listsTracks(answer))
  const isSeconded = seconded !== undefined
  return { reason, text, isSeconded, isSure: isSeconded || (isDenied && !isContradicted) }
}

function appOf({ client, app = client }: ClientAnswer): string {
  return app
}

function absenceIn(answers: WordlessAnswer[]): RefusedVideo | null {
  if (answers.some(listsTracks)) return null
  const silent = answers.filter((each) => each.kind === 'no_tracks')
  if (silent.length >= DENIALS_MIN) {
    const air = silent.find((each) => each.air !== 'no')?.air ?? 'no'
    return refusedVideo(air === 'no' ? 'no_captions' : air, null)
  }
  const missing = answers.filter((each) => each.kind === 'not_available')
  if (silent.length > 0 || missing.length < DENIALS_MIN) return null
  return refusedVideo('not_found', missing[0]?.text ?? null)
}

/** Whether an absence is the video's own. Where there is no witness, every client that has a say has to agree. */
function isBelieved(answers: WordlessAnswer[], testimony: Testimony): boolean {
  if (testimony === 'shown') return true
  return answers.every((each) => each.kind !== 'obstructed' || each.obstacle.name === 'retired')
}

/** Returns the refusal; `said` are the platform's words. */
function refusedVideo(
  reason: RefusalReason,
  said: string | null,
  more: { isDoubted?: boolean } = {},
): RefusedVideo {
  return { kind: 'refused', refusal: { reason, text: platformSays(said), ...more } }
}

/** Whether the client listed tracks, though their words did not come. */
export function listsTracks({ facts }: WordlessAnswer): boolean {
  return facts.details.tracks !== null
}

/**
 * Returns the worst obstacle: blocked ones come before failed ones, and among those an unmistakable one, then one that
 * blames the route.
 */
export function worstObstacle(answers: WordlessAnswer[]): NamedObstacle {
  const obstacles = answers.flatMap((each) => (each.kind === 'obstructed' ? [each.obstacle] : []))
  // An outdated client has seen nothing, so it tells less than any other.
  const blocked = obstacles.filter(
    (each) => ruleOf(each).kind === 'blocked' && each.name !== 'retired',
  )
  const byRoute = blocked.find((each) => ruleOf(each).blame === 'route')
  const worst = blocked.find(isUnmistakable) ?? byRoute ?? blocked[0]
  if (worst !== undefined) return worst
  const isUnconfirmed = obstacles.length > 0 && answers.some((each) => each.kind === 'no_tracks')
  if (isUnconfirmed) return obstacle('unconfirmed')

  const missing = answers.find((each) => each.kind === 'not_available')
  return obstacles[0] ?? obstacle('unknown', { said: missing?.text ?? null })
}
