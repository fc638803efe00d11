/** The exact publish date, which WEB's player reply holds even where it holds nothing else. */
import { at, textAt, visibleTextAt } from './json.ts'
import { type Obstructed, obstructed } from './obstacle.ts'
import { readPlayer } from './player.ts'
import { isSameVideo } from '../../model/platform/source-link.ts'
import { detailsOf } from './video-details.ts'

/** The reading of a date; `category` and the names are the video's, which stand beside its date. */
export type DateReading =
  | {
      kind: 'dated'
      publishedAt: string
      category: string | null
      title: string | null
      channelName: string | null
    }
  | { kind: 'undated' }
  | Obstructed

export function readDate(reply: unknown, videoId: string): DateReading {
  const named = textAt(reply, 'videoDetails', 'videoId')
  if (named !== null && !isSameVideo(named, videoId)) return obstructed('decoy', { fact: named })
  const microformat = at(reply, 'microformat', 'playerMicroformatRenderer')
  const date = textAt(microformat, 'publishDate') ?? textAt(microformat, 'uploadDate')
  if (date !== null && !Number.isNaN(Date.parse(date))) {
    // A date without a time was the platform's form before 2023; it counts as UTC midnight.
    return {
      kind: 'dated',
      category: detailsOf(reply).category,
      title: visibleTextAt(microformat, 'title', 'simpleText'),
      channelName: visibleTextAt(microformat, 'ownerChannelName'),
      publishedAt: /^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T00:00:00+00:00` : date,
    }
  }
  const player = readPlayer(reply, videoId)
  return player.kind === 'obstructed'
    ? { kind: 'obstructed', obstacle: player.obstacle }
    : { kind: 'undated' }
}
