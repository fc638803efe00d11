/** A player call with a field mask: without it where the mask may be at fault, and whether one hid captions. */
import type { ClientProfile } from './clients.ts'
import { askMasked, judgeObstacle } from './field-masks.ts'
import type { PlayerAnswer } from './player.ts'
import type { Session } from './session.ts'

export function askMaskedPlayer(
  session: Session,
  videoId: string,
  client: ClientProfile,
): Promise<PlayerAnswer> {
  return askMasked(session.context.masks, videoId, {
    ask: (isMasked) => session.player(videoId, { client, isMasked }),
    judge: (answer) => (answer.kind === 'obstructed' ? judgeObstacle(answer.obstacle) : 'works'),
  })
}

/**
 * Captions came from a client that was asked without a mask, after `silent` had listed none with it. Whether that
 * was the mask or the client, only the same client without the mask can tell; one request now and then.
 */
export async function proveMask(
  session: Session,
  videoId: string,
  silent: ClientProfile,
): Promise<void> {
  const { masks } = session.context
  if (!masks.isProofWanted('captions')) return
  const whole = await session.player(videoId, { client: silent, isMasked: false })
  if (whole.kind === 'tracks') masks.failed(videoId, 'hiding')
  else if (whole.kind === 'no_tracks') masks.acquitted('captions')
}
