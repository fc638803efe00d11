/**
 * Checks for robots that every app meets, for one video after another: so the platform treats the addresses of data
 * centres, which no other app and no newer version mends.
 */
import { requestPlayer } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { isCheck } from './obstacle.ts'
import type { Session } from './session.ts'

/** For how many of the videos asked for every app met a check. */
export type Checked = { videos: number; of: number }

/** How many videos are asked for where the first one was checked whichever app asked; in the deep examination, more. */
export const CHECKED_VIDEOS = { usual: 5, deep: 20 }
/** How many checked videos make the pattern: a single one may be for people who are signed in. */
const CHECKED_MIN = 2

/** Asks for videos after the first, which every client was checked for; the next client only where one was checked. */
export async function countChecked(
  session: Session,
  clients: readonly ClientProfile[],
  videoIds: readonly string[],
): Promise<Checked> {
  let videos = 1
  for (const videoId of videoIds.slice(1))
    if (await isCheckedFor(session, clients, videoId)) videos += 1
  return { videos, of: videoIds.length }
}

async function isCheckedFor(
  session: Session,
  clients: readonly ClientProfile[],
  videoId: string,
): Promise<boolean> {
  for (const client of clients) {
    const answer = await requestPlayer(session, videoId, { client, isMasked: true })
    if (answer.kind !== 'obstructed' || !isCheck(answer.obstacle)) return false
  }
  return true
}

/** Whether the pattern is that of a data centre. */
export function isOfDataCentre(checked: Checked | null): checked is Checked {
  return checked !== null && checked.videos >= CHECKED_MIN
}

/** Returns what the pattern says, with both numbers. */
export function tellChecked({ videos, of }: Checked): string {
  return (
    `This looks like the address of a data centre: for ${videos} of ${of} videos the platform asked ` +
    'for proof of being human, whichever app asked.'
  )
}
