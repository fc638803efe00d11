/**
 * The verdict on one video: what several clients' answers mean together, and whether to ask another one.
 *
 * Precedence: captions > a definite cause that any client names > no captions, or not available, said by two clients >
 * blocked > failed. A single "no" with obstacles at the others is never the video's fault, and a track that any client
 * lists rules "no captions" out.
 */
import type { Refusal } from '../../model/platform/refusal.ts'
import { type NamedObstacle, obstacle, ruleOf } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'

/** An answer and the name of its client. */
export type ClientAnswer = { client: string; answer: PlayerAnswer }

export type Verdict =
  | { kind: 'captions'; client: string; answer: PlayerAnswer & { kind: 'tracks' } }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'obstructed'; obstacle: NamedObstacle }

/** How many clients have to agree before their "no" is about the video. */
export const WITNESSES_MIN = 2
/** How many have to agree that a video is not available where that was said about one video after another. */
export const DOUBTED_WITNESSES_MIN = 3

/**
 * Whether another client could change the verdict. Captions and definite causes end the asking; the caller then asks
 * the age gate's client once, which may pass the gate. Enough witnesses of one "no" end it, too.
 */
export function isOpen(answers: readonly ClientAnswer[], noesMin = WITNESSES_MIN): boolean {
  const kinds = answers.map(({ answer }) => answer)
  if (kinds.some(({ kind }) => kind === 'tracks' || kind === 'cause')) return false
  const wasListed = kinds.some(
    (each) => each.kind === 'obstructed' && each.obstacle.name === 'withheld',
  )
  if (!wasListed && count(kinds, 'no_tracks') >= WITNESSES_MIN) return false
  return count(kinds, 'not_available') < noesMin || wasListed || count(kinds, 'no_tracks') > 0
}

export function verdictOf(answers: readonly ClientAnswer[], noesMin = WITNESSES_MIN): Verdict {
  for (const { client, answer } of answers) {
    if (answer.kind === 'tracks') return { kind: 'captions', client, answer }
  }
  const kinds = answers.map(({ answer }) => answer)
  const cause = kinds.find((each) => each.kind === 'cause')
  if (cause?.kind === 'cause') {
    return { kind: 'refused', refusal: { reason: cause.cause, text: cause.text } }
  }
  return agreedNo(kinds, noesMin) ?? { kind: 'obstructed', obstacle: worstObstacle(kinds) }
}

function agreedNo(answers: PlayerAnswer[], noesMin: number): Verdict | null {
  const withheld = answers.some(
    (each) => each.kind === 'obstructed' && each.obstacle.name === 'withheld',
  )
  if (withheld) return null
  const silent = answers.filter((each) => each.kind === 'no_tracks')
  if (silent.length >= WITNESSES_MIN) {
    const air = silent.find((each) => each.air !== 'no')?.air ?? 'no'
    return { kind: 'refused', refusal: { reason: air === 'no' ? 'no_captions' : air, text: null } }
  }
  const missing = answers.filter((each) => each.kind === 'not_available')
  if (silent.length > 0 || missing.length < noesMin) return null
  return { kind: 'refused', refusal: { reason: 'not_found', text: missing[0]?.text ?? null } }
}

/** Returns the worst obstacle: blocked ones come before failed ones, and among those the one that blames the route. */
function worstObstacle(answers: PlayerAnswer[]): NamedObstacle {
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
  const said = missing?.kind === 'not_available' ? missing.text : null
  return obstacles[0] ?? obstacle('unknown', { said })
}

function count(answers: PlayerAnswer[], kind: PlayerAnswer['kind']): number {
  return answers.filter((each) => each.kind === kind).length
}
