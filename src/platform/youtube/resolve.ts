/** Resolving: where an address of the platform leads, a channel's page or the video that is on air. */
import type { ListPage, Missing } from '../platform.ts'
import { requestJson } from './calls.ts'
import { PLATFORM_HOST } from './innertube.ts'
import { at, textAt } from './json.ts'
import { type Obstructed, obstructed } from './obstacle.ts'
import type { Answer } from './reply.ts'
import type { Session } from './session.ts'

const HOPS_MAX = 3
const NO_CHANNEL: Missing = { kind: 'missing', text: 'There is no channel at this address.' }

/** Asks where an address leads; a path is one of the platform's own site. */
export async function resolveUrl(session: Session, address: string): Promise<Answer | Missing> {
  const { href: url } = new URL(address, PLATFORM_HOST)
  const answer = await requestJson(session, { name: 'resolve_url', body: { url } })
  const isNone = answer.kind === 'obstructed' && answer.obstacle.said === 'NOT_FOUND'
  return isNone ? NO_CHANNEL : answer
}

/**
 * Finds the channel that a source names: by its id, or by the path of its page, such as `/@handle`, `/c/name`,
 * `/user/name` or `/name`. Some handles answer with the old address of the channel (2026-09), which is followed.
 */
export async function resolveChannel(
  session: Session,
  name: string,
): Promise<{ kind: 'found'; channelId: string } | Missing | Obstructed> {
  if (name.startsWith('UC')) return { kind: 'found', channelId: name }
  let address = name
  for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
    const answer = await resolveUrl(session, address)
    if (answer.kind !== 'json') return answer
    const endpoint = at(answer.value, 'endpoint')
    const channelId = textAt(endpoint, 'browseEndpoint', 'browseId')
    if (channelId?.startsWith('UC') === true) return { kind: 'found', channelId }
    const next = textAt(endpoint, 'urlEndpoint', 'url')
    if (next === null || !URL.canParse(next, PLATFORM_HOST)) {
      const other = textAt(endpoint, 'commandMetadata', 'webCommandMetadata', 'url')
      return other === null ? obstructed('unknown') : NO_CHANNEL
    }
    address = next
  }
  return NO_CHANNEL
}

/**
 * Returns a page of the video on air or of none. The platform leads `/channel/UC…/live` to the current stream, where
 * none is on air to an announced one, and otherwise to the channel itself; never to a past stream.
 */
export async function askOnAir(
  session: Session,
  channelId: string,
): Promise<ListPage | Missing | Obstructed> {
  const answer = await resolveUrl(session, `/channel/${channelId}/live`)
  if (answer.kind !== 'json') return answer
  const videoId = textAt(answer.value, 'endpoint', 'watchEndpoint', 'videoId')
  const isChannel = textAt(answer.value, 'endpoint', 'browseEndpoint', 'browseId') !== null
  if (videoId === null && !isChannel) return obstructed('unknown')
  const videos = videoId === null ? [] : [{ ...UNKNOWN, videoId }]
  return { kind: 'page', videos, next: null, isEstimated: false, about: null }
}

const UNKNOWN = { title: null, channelName: null, publishedText: null, isMembersOnly: false }
