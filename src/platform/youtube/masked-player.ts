/** Player calls with a field mask, which are repeated without it where the mask may be at fault. */
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
 * Learns whether a mask hid captions: they came from a client that was asked without one, after `silent` had listed
 * none with it. Only the same client without the mask can tell whether the mask or the client was at fault; that costs
 * one request now and then.
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
