/**
 * The verdict on one video that no client delivered: what their answers mean together, and whether to ask another one.
 *
 * Precedence: a definite cause that any client names > no captions, or not available, said by two clients > blocked >
 * failed. A single "no" with obstacles at the others is never the video's fault, and a track that any client lists
 * rules "no captions" out.
 */
import type { RefusedVideo } from '../platform.ts'
import type { Refusal } from '../../model/platform/refusal.ts'
import { type NamedObstacle, obstacle, type Obstructed, ruleOf } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'

/** An answer that brought no words. */
export type WordlessAnswer = Exclude<PlayerAnswer, { kind: 'tracks' }>

/** An answer and the name of its client. */
export type ClientAnswer = { client: string; answer: WordlessAnswer }

/** How many clients have to agree before their "no" is about the video. */
export const WITNESSES_MIN = 2
/** How many have to agree that a video is not available where that was said about one video after another. */
export const DOUBTED_WITNESSES_MIN = 3

/**
 * Whether another client could change the verdict. A definite cause ends the asking; the caller then asks the age
 * gate's client once, which may pass the gate. Enough witnesses of one "no" end it, too.
 */
export function isOpen(clientAnswers: readonly ClientAnswer[], noesMin = WITNESSES_MIN): boolean {
  const answers = clientAnswers.map(({ answer }) => answer)
  if (count(answers, 'cause') > 0) return false
  const silent = count(answers, 'no_tracks')
  const isListed = isWithheld(answers)
  if (!isListed && silent >= WITNESSES_MIN) return false
  return count(answers, 'not_available') < noesMin || isListed || silent > 0
}

export function verdictOf(
  clientAnswers: readonly ClientAnswer[],
  noesMin = WITNESSES_MIN,
): RefusedVideo | Obstructed {
  const answers = clientAnswers.map(({ answer }) => answer)
  const refusal = refusalOf(answers, noesMin)
  return refusal === null
    ? { kind: 'obstructed', obstacle: worstObstacle(answers) }
    : { kind: 'refused', refusal }
}

function refusalOf(answers: WordlessAnswer[], noesMin: number): Refusal | null {
  const cause = answers.find((each) => each.kind === 'cause')
  if (cause !== undefined) return { reason: cause.cause, text: cause.text }
  if (isWithheld(answers)) return null
  const silent = answers.filter((each) => each.kind === 'no_tracks')
  if (silent.length >= WITNESSES_MIN) {
    const air = silent.find((each) => each.air !== 'no')?.air ?? 'no'
    return { reason: air === 'no' ? 'no_captions' : air, text: null }
  }
  const missing = answers.filter((each) => each.kind === 'not_available')
  if (silent.length > 0 || missing.length < noesMin) return null
  return { reason: 'not_found', text: missing[0]?.text ?? null }
}

/** Whether a client listed tracks, though their words did not come. */
function isWithheld(answers: WordlessAnswer[]): boolean {
  return answers.some((each) => each.kind === 'obstructed' && each.obstacle.name === 'withheld')
}

/** Returns the worst obstacle: blocked ones come before failed ones, and among those the one that blames the route. */
function worstObstacle(answers: WordlessAnswer[]): NamedObstacle {
  const obstacles = answers.flatMap((each) => (each.kind === 'obstructed' ? [each.obstacle] : []))
  // An outdated client has seen nothing, so it tells less than any other.
  const blocked = obstacles.filter(
    (each) => ruleOf(each).kind === 'blocked' && each.name !== 'retired',
  )
  const byRoute = blocked.find((each) => ruleOf(each).blame === 'route')
  const worst = byRoute ?? blocked[0]
  if (worst !== undefined) return worst
  const isUnconfirmed = obstacles.length > 0 && answers.some((each) => each.kind === 'no_tracks')
  if (isUnconfirmed) return obstacle('unconfirmed')

  const missing = answers.find((each) => each.kind === 'not_available')
  return obstacles[0] ?? obstacle('unknown', { said: missing?.text ?? null })
}

function count(answers: WordlessAnswer[], kind: WordlessAnswer['kind']): number {
  return answers.filter((each) => each.kind === kind).length
}
