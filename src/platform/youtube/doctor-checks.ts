/**
 * Checks for robots that every app meets, for one video after another: so the platform treats the addresses of data
 * centres, which no other app and no newer version mends.
 */
import { requestPlayer } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { isCheck, isUnmistakable } from './obstacle.ts'
import type { Session } from './session.ts'

/** For how many of the videos asked for every app met a check, and whether one of them was shown with captions. */
export type Checked = { videos: number; of: number; isAnswered: boolean }

/** How many videos are asked for where the first one was checked whichever app asked; in the deep examination, more. */
export const CHECKED_VIDEOS = { usual: 5, deep: 20 }
/** How many checked videos make the pattern: a single one may be for people who are signed in. */
const CHECKED_MIN = 2

/**
 * Asks for videos after the first, which every client was checked for: the next client only where one was checked, and
 * no more once the route is blocked.
 */
export async function countChecked(
  session: Session,
  clients: readonly ClientProfile[],
  videoIds: readonly string[],
): Promise<Checked> {
  const checked: Checked = { videos: 1, of: 1, isAnswered: false }
  for (const videoId of videoIds.slice(1)) {
    const result = await checkVideo(session, clients, videoId)
    if (result === 'blocked') break
    checked.of += 1
    if (result === 'checked') checked.videos += 1
    if (result === 'answered') checked.isAnswered = true
  }
  return checked
}

async function checkVideo(
  session: Session,
  clients: readonly ClientProfile[],
  videoId: string,
): Promise<'checked' | 'answered' | 'blocked' | 'other'> {
  const isMasked = session.context.masks.areUsed()
  for (const client of clients) {
    const answer = await requestPlayer(session, videoId, { client, isMasked })
    if (answer.kind === 'tracks') return 'answered'
    if (answer.kind !== 'obstructed') return 'other'
    if (isUnmistakable(answer.obstacle)) return 'blocked'
    if (!isCheck(answer.obstacle)) return 'other'
  }
  return 'checked'
}

/** Whether the pattern is that of a data centre: most of several videos. */
export function isOfDataCentre(checked: Checked | null): checked is Checked {
  return checked !== null && checked.videos >= CHECKED_MIN && checked.videos * 2 > checked.of
}

/** Returns what the pattern says, with both numbers. */
export function tellChecked({ videos, of }: Checked): string {
  return (
    `This looks like the address of a data centre: for ${videos} of ${of} videos the platform asked ` +
    'for proof of being human, whichever app asked.'
  )
}
