/**
 * Resolving: turns the address of a channel's page into the channel's id, and its `/live` address into the video on
 * air.
 */
import type { ListingAnswer } from '../platform.ts'
import { PLATFORM_HOST } from './innertube.ts'
import { textAt } from './json.ts'
import { type Attempted, type Obstructed, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'

// Resolving: turns the address of a channel's page into the channel's id.

export type Resolved = { kind: 'channel'; channelId: string } | { kind: 'missing' } | Obstructed

const HOPS_MAX = 3

/**
 * Resolves `path`, written as in a source: `/@handle`, `/c/name`, `/user/name`, `/name`. Some handles answer with the
 * old address of the channel (2026-09), which is followed.
 */
export async function resolveChannel(session: Session, path: string): Promise<Resolved> {
  const client = session.listClient
  let url = new URL(path, PLATFORM_HOST)
  for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
    const call = { name: 'resolve_url', client, body: { url: url.href }, fields: null } as const
    const answer = await session.json(call)
    if (answer.kind === 'obstructed') {
      return answer.obstacle.said === 'NOT_FOUND' ? { kind: 'missing' } : answer
    }
    const channelId = textAt(answer.value, 'endpoint', 'browseEndpoint', 'browseId')
    if (channelId?.startsWith('UC') === true) return { kind: 'channel', channelId }
    const next = textAt(answer.value, 'endpoint', 'urlEndpoint', 'url')
    if (next === null || !URL.canParse(next, PLATFORM_HOST)) {
      const isOther = textAt(
        answer.value,
        'endpoint',
        'commandMetadata',
        'webCommandMetadata',
        'url',
      )
      return isOther === null ? obstructed('unknown') : { kind: 'missing' }
    }
    url = new URL(next, PLATFORM_HOST)
  }
  return { kind: 'missing' }
}

// What is on air: the video to which a channel's `/live` address leads, or nothing.

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
