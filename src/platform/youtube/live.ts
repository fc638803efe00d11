/** What is on air: the video to which a channel's `/live` address leads, or nothing. */
import type { ListingAnswer } from '../platform.ts'
import { PLATFORM_HOST } from './innertube.ts'
import { textAt } from './json.ts'
import { type Attempted, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'

/**
 * Returns a page of one video or none. The platform leads `/channel/UC…/live` to the current stream, where none is on
 * air to an announced one, and otherwise to the channel itself; never to a past stream.
 */
export async function askOnAir(
  session: Session,
  channelId: string,
): Promise<Attempted<Exclude<ListingAnswer, { kind: 'obstructed' }>>> {
  const { href } = new URL(`/channel/${channelId}/live`, PLATFORM_HOST)
  const client = session.listClient
  const answer = await session.json({
    name: 'resolve_url',
    client,
    body: { url: href },
    fields: null,
  })
  if (answer.kind === 'obstructed') {
    if (answer.obstacle.said !== 'NOT_FOUND') return answer
    const text = 'There is no channel at this address.'
    return { kind: 'answered', answer: { kind: 'missing', text } }
  }
  const videoId = textAt(answer.value, 'endpoint', 'watchEndpoint', 'videoId')
  const isChannel = textAt(answer.value, 'endpoint', 'browseEndpoint', 'browseId') !== null
  if (videoId === null && !isChannel) return obstructed('unknown')
  const videos = videoId === null ? [] : [{ ...UNKNOWN, videoId }]
  return {
    kind: 'answered',
    answer: { kind: 'page', videos, next: null, isEstimated: false, about: null },
  }
}

const UNKNOWN = { title: null, channelName: null, publishedText: null, isMembersOnly: false }
