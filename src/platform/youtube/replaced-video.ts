/**
 * Replaced videos. An answer with another video than the requested one is a block where the route also does so for
 * others; otherwise it is about the video: the platform put that one in its place (recorded: `yYr8q0y5Jfg` is answered
 * as `uGpuVWrhIzE`).
 */
import type { Refusal } from '../../model/platform/refusal.ts'
import { reportObstacle } from './blame.ts'
import { requestMaskedPlayer } from './calls.ts'
import { PLATFORM_HOST } from './innertube.ts'
import type { Session } from './session.ts'
import type { ClientAnswer } from './verdict.ts'

export type Replacement =
  | { kind: 'replaced'; refusal: Refusal }
  /** The route names other videos rightly, so the next client is asked to confirm. */
  | { kind: 'to_confirm' }
  | { kind: 'none' }

/**
 * Judges the answers so far: two clients that name the same other video settle it, on a route that names a proven video
 * rightly.
 */
export async function findReplacement(
  session: Session,
  videoId: string,
  answers: readonly ClientAnswer[],
): Promise<Replacement> {
  const named = answers.map(({ answer }) => {
    const isOther = answer.kind === 'obstructed' && answer.obstacle.name === 'decoy'
    return isOther ? answer.obstacle.said : null
  })
  const other = named.at(-1) ?? null
  if (other === null) return { kind: 'none' }
  const said = named.filter((each) => each === other).length
  if (said > 1) {
    const { href } = new URL(`/watch?v=${other}`, PLATFORM_HOST)
    return { kind: 'replaced', refusal: { reason: 'replaced', text: href } }
  }
  const isFirst = named.filter((each) => each !== null).length === 1
  return isFirst && (await namesRightly(session, [videoId, other]))
    ? { kind: 'to_confirm' }
    : { kind: 'none' }
}

/**
 * Whether the route names a proven video rightly. What that meets counts for or against the route, whatever account had
 * the video delivered.
 */
async function namesRightly(session: Session, not: readonly string[]): Promise<boolean> {
  const { clients, recent, share } = session.context
  const [client] = clients.clientsFor('captions')
  const { accountId } = share
  const proven = recent.provenVideo({ not, accountId })
  if (proven === null || client === undefined) return false
  const answer = await requestMaskedPlayer(session, proven.videoId, client)
  if (answer.kind === 'obstructed')
    await reportObstacle(session.lease, answer.obstacle, {
      share: { ...share, accountId: proven.accountId },
      subject: proven.videoId,
    })
  return answer.kind === 'tracks'
}
