/**
 * Replaced videos. An answer with another video than the requested one is a block where the route also does so for
 * others; otherwise it is about the video: the platform put that one in its place (recorded: `yYr8q0y5Jfg` is answered
 * as `uGpuVWrhIzE`).
 */
import type { RefusedVideo } from '../platform.ts'
import { PLATFORM_HOST } from './innertube.ts'
import type { Session } from './session.ts'
import type { ClientAnswer } from './verdict.ts'
import { askWitnesses } from './witness.ts'

/**
 * Judges the answers so far: two clients that name the same other video settle it, on a route that shows a witness.
 * Returns null where nothing says that it was replaced.
 */
export async function findReplacement(
  session: Session,
  videoId: string,
  answers: readonly ClientAnswer[],
): Promise<RefusedVideo | null> {
  const named = answers.map(({ answer }) => {
    const isOther = answer.kind === 'obstructed' && answer.obstacle.name === 'decoy'
    return isOther ? answer.obstacle.fact : null
  })
  const other = named.at(-1) ?? null
  if (other === null || named.indexOf(other) === named.length - 1) return null
  const clients = session.context.clients
    .clientsFor('captions')
    .filter(({ name }) => name === answers.at(-1)?.client)
  const testimony = await askWitnesses(session, { clients, not: [videoId, other] })
  if (testimony !== 'shown') return null
  const { href } = new URL(`/watch?v=${other}`, PLATFORM_HOST)
  return { kind: 'refused', refusal: { reason: 'replaced', text: `It is ${href}` } }
}
