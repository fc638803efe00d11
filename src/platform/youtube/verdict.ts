/**
 * The verdict on one video that no client delivered: what their answers mean together, and whether to ask another one.
 *
 * Precedence: a definite cause that any client names > an absence (no captions, or not available) that two clients name
 * and a witness bears out > blocked > failed. A single "no" with obstacles at the others is never the video's fault,
 * and a track that any client lists rules an absence out.
 */
import type { RefusedVideo } from '../platform.ts'
import type { RefusalReason } from '../../model/platform/refusal.ts'
import { type NamedObstacle, obstacle, type Obstructed, ruleOf } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'
import type { Testimony } from './witness.ts'

/** An answer that brought no words. */
export type WordlessAnswer = Exclude<PlayerAnswer, { kind: 'tracks' }>

/** An answer and the name of its client. */
export type ClientAnswer = { client: string; answer: WordlessAnswer }

/** A refusal; an absence that no witness could bear out may be the route's doing, and another one is asked. */
export type JudgedRefusal = RefusedVideo & { isUnwitnessed?: boolean }

/** How many clients have to deny a video before that is about the video. */
const DENIALS_MIN = 2

/**
 * Whether another client could change the verdict: each one may list what the others deny. Only a definite cause ends
 * the asking; the caller then asks the age gate's client once, which may pass the gate.
 */
export function isOpen(answers: readonly ClientAnswer[]): boolean {
  return answers.every(({ answer }) => answer.kind !== 'cause')
}

/** Whether the client says that there is nothing, without a cause: what it may say of every video. */
export function isDenial({ answer }: ClientAnswer): boolean {
  return answer.kind === 'no_tracks' || answer.kind === 'not_available'
}

/** Whether the answers make an absence, "no captions" or "not available", which needs a witness (witness.ts). */
export function isAbsence(answers: readonly ClientAnswer[]): boolean {
  return isOpen(answers) && verdictOf(answers, 'shown').kind === 'refused'
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
  const answers = withTestimony(clientAnswers, testimony).map(({ answer }) => answer)
  const cause = answers.find((each) => each.kind === 'cause')
  if (cause !== undefined) return refusedVideo(cause.cause, cause.text)
  const absence = absenceIn(answers)
  if (absence !== null && isBelieved(answers, testimony))
    return { ...absence, isUnwitnessed: testimony === 'unknown' }
  return { kind: 'obstructed', obstacle: worstObstacle(answers) }
}

function absenceIn(answers: WordlessAnswer[]): RefusedVideo | null {
  if (isWithheld(answers)) return null
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

function refusedVideo(reason: RefusalReason, text: string | null): RefusedVideo {
  return { kind: 'refused', refusal: { reason, text } }
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
