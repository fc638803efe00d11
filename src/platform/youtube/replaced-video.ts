/**
 * Replaced videos. An answer with another video than the requested one is a block where the route also does so for
 * others; otherwise it is about the video: the platform put that one in its place (recorded: `yYr8q0y5Jfg` is answered
 * as `uGpuVWrhIzE`).
 */
import type { RefusedVideo } from '../platform.ts'
import { reportObstacle } from './blame.ts'
import { requestMaskedPlayer } from './calls.ts'
import { PLATFORM_HOST } from './innertube.ts'
import type { Session } from './session.ts'
import type { ClientAnswer } from './verdict.ts'

/**
 * Judges the answers so far: two clients that name the same other video settle it, on a route that names a proven video
 * rightly. Returns `to_confirm` where one client named it so far, and null where nothing says that it was replaced.
 */
export async function findReplacement(
  session: Session,
  videoId: string,
  answers: readonly ClientAnswer[],
): Promise<RefusedVideo | 'to_confirm' | null> {
  const named = answers.map(({ answer }) => {
    const isOther = answer.kind === 'obstructed' && answer.obstacle.name === 'decoy'
    return isOther ? answer.obstacle.said : null
  })
  const other = named.at(-1) ?? null
  if (other === null) return null
  if (named.indexOf(other) < named.length - 1) {
    const { href } = new URL(`/watch?v=${other}`, PLATFORM_HOST)
    return { kind: 'refused', refusal: { reason: 'replaced', text: href } }
  }
  const isFirst = named.filter((each) => each !== null).length === 1
  return isFirst && (await namesRightly(session, [videoId, other])) ? 'to_confirm' : null
}

/**
 * Whether the route names a proven video rightly. What that meets counts for or against the route, whatever account had
 * the video delivered.
 */
async function namesRightly(session: Session, not: readonly string[]): Promise<boolean> {
  const { clients, recent, share } = session.context
  const [client] = clients.clientsFor('captions')
  const proven = recent.provenVideo({ not, accountId: share.accountId })
  if (proven === null || client === undefined) return false
  const answer = await requestMaskedPlayer(session, proven.videoId, client)
  if (answer.kind === 'obstructed')
    await reportObstacle(session.lease, answer.obstacle, {
      accountId: proven.accountId,
      subject: proven.videoId,
    })
  return answer.kind === 'tracks'
}
